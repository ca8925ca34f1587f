package fuzzmutrt

// The helpers of loops. A loop that makes no round, or one, is the same without
// the mutant that skips it, or leaves it after the first. What is infected shows
// only in the round that the mutant would not make, or if the original does not
// come so far: what it evaluates before that round may panic.

// pending are the mutants in Infected that are there only because something is
// being evaluated that they would not evaluate: should that panic, they stay. No
// other code of the program runs in between, so that a mutant that is pending when
// it is about to be once more was left so by a panic.
var pending []uint64

// pend infects a mutant until commit confirms it, or settle takes it back.
//
//go:norace
func pend(mutant uint32) {
	if has(Infected, mutant) {
		unset(pending, mutant)
		return
	}
	if len(pending) < len(Infected) {
		pending = make([]uint64, len(Infected))
	}
	infect(mutant)
	set(pending, mutant)
}

// commit infects a mutant, pending or not.
//
//go:norace
func commit(mutant uint32) {
	infect(mutant)
	unset(pending, mutant)
}

// settle takes back what is pending.
//
//go:norace
func settle(mutant uint32) {
	if has(pending, mutant) {
		unset(pending, mutant)
		unset(Infected, mutant)
	}
}

//go:norace
func has(bits []uint64, i uint32) bool {
	w := int(i >> 6)
	return w < len(bits) && bits[w]>>(i&63)&1 != 0
}

//go:norace
func unset(bits []uint64, i uint32) {
	if w := int(i >> 6); w < len(bits) {
		bits[w] &^= 1 << (i & 63)
	}
}

// Enter says whether to run a loop that mutant id skips. Began records the
// infection; Ended stands after the loop.
//
//go:norace
//go:noinline
func Enter(id uint32) bool {
	if Tracing {
		reach(id)
		pend(id)
	}
	return !active(id)
}

// Began tells that a loop that mutant id skips makes a round.
//
//go:norace
//go:noinline
func Began(id uint32) {
	if Tracing {
		commit(id)
	}
}

// Ended tells that a loop is at its end that mutant id skips, or leaves after its
// first round.
//
//go:norace
//go:noinline
func Ended(id uint32) {
	if Tracing {
		settle(id)
	}
}

// Rounds begins to count the rounds of a loop that mutant id leaves at the end of
// its first round, as far as none or some.
//
//go:norace
//go:noinline
func Rounds(id uint32) int {
	if Tracing {
		unset(pending, id) // by a panic, if it was
	}
	return 0
}

// Leave says whether to leave a loop that mutant id leaves at the end of its
// first round. Again records the infection; Ended stands after the loop.
//
//go:norace
//go:noinline
func Leave(id uint32) bool {
	if Tracing {
		reach(id)
		pend(id)
	}
	return active(id)
}

// Again tells that a loop that mutant id leaves after its first round begins one;
// earlier says how many it has begun before, as far as none or some. It returns
// what the next round has to hand over.
//
//go:norace
//go:noinline
func Again(id uint32, earlier int) int {
	if earlier > 0 && Tracing {
		commit(id)
	}
	return 1
}
