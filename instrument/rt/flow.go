package fuzzmutrt

// The helpers of loops. A loop that makes no round, or one, is the same without
// the mutant that skips it, or leaves it after the first: what is infected shows
// only in the round that the mutant would not make.

// Enter says whether to run a loop that mutant id skips. Began records the
// infection.
//
//go:norace
//go:noinline
func Enter(id uint32) bool {
	if Tracing {
		reach(id)
	}
	return Active != id
}

// Began tells that a loop that mutant id skips makes a round.
//
//go:norace
//go:noinline
func Began(id uint32) {
	if Tracing {
		infect(id)
	}
}

// Leave says whether to leave a loop that mutant id leaves at the end of its
// first round. Again records the infection.
//
//go:norace
//go:noinline
func Leave(id uint32) bool {
	if Tracing {
		reach(id)
	}
	return Active == id
}

// Again tells that a loop that mutant id leaves after its first round begins one;
// earlier says how many it has begun before, as far as none or some. It returns
// what the next round has to hand over.
//
//go:norace
//go:noinline
func Again(id uint32, earlier int) int {
	if earlier > 0 && Tracing {
		infect(id)
	}
	return 1
}
