package fuzzmutrt

import "github.com/fuzzmut/fuzzmut/instrument/rt/codes"

// Guards says whether to evaluate the condition of the guard that is mutant id.
// While another mutant is active it need not be safe to do so.
//
//go:norace
//go:noinline
func Guards(id uint32) bool {
	if Tracing {
		reach(id)
		return true
	}
	return active(id)
}

// Guard says whether the guard that is mutant id keeps its statement from being
// executed, given its condition.
//
//go:norace
//go:noinline
func Guard(id uint32, holds bool) bool {
	if Tracing && holds {
		infect(id)
	}
	return holds && active(id)
}

// Turns says whether the guard that is mutant id ends a loop, given which turn this is of it.
//
//go:norace
//go:noinline
func Turns(id uint32, n int) bool {
	if Tracing {
		reach(id)
		if n > codes.MostTurns {
			infect(id)
		}
	}
	return n > codes.MostTurns && active(id)
}

// Present is p; the mutant's is a pointer to an empty value where p is nil.
//
//go:norace
//go:noinline
func Present[T any](id uint32, p *T) *T {
	if p == nil && active(id) {
		return new(T)
	}
	if Tracing {
		trace(id, p == nil)
	}
	return p
}
