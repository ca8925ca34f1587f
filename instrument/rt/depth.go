package fuzzmutrt

import "github.com/fuzzmut/fuzzmut/instrument/rt/codes"

// calls are the calls of a function that are in progress, of one execution. The first mutant of
// the guard stands for the function.
type calls struct{ run, base, n uint32 }

// inProgress are the calls of functions whose depth is guarded, by the first mutant of the guard.
// Goroutines count together. It is an array, and no slice that grows: a goroutine must not see
// half of a slice that another one sets. If two guards have one place, that which is called
// later in an execution is not asked in it.
var inProgress [1 << 14]calls

func inProgressOf(base uint32) *calls { return &inProgress[base%uint32(len(inProgress))] }

// Run is the number of the execution in progress. Calls that an earlier one has left, in goroutines
// or in coroutines that nobody resumes, do not count.
var Run uint32

// Deeper counts a call of a function that one of n mutants guards from base on. It returns how
// many are in progress with it, 0 if nobody asks. Shallower is deferred then.
//
//go:norace
//go:noinline
func Deeper(base, n uint32) uint32 {
	if !asked(base, n) {
		return 0
	}
	c := inProgressOf(base)
	if c.run != Run || c.n == 0 {
		*c = calls{run: Run, base: base}
	}
	if c.base != base {
		return 0
	}
	c.n++
	return c.n
}

// asked says whether one of n mutants is switched on, or whether they are infected is asked.
//
//go:norace
func asked(base, n uint32) bool {
	return Tracing || Active-base < n || Active == Many && groupFrom(base)&(1<<n-1) != 0
}

// Shallower tells that a call has ended which Deeper has counted in an execution.
//
//go:norace
//go:noinline
func Shallower(base, run uint32) {
	if c := inProgressOf(base); c.run == run {
		c.n--
	}
}

// Deep says whether the guard that is mutant id leaves the function, given how many calls of it are
// in progress.
//
//go:norace
//go:noinline
func Deep(id, n uint32) bool {
	if Tracing {
		reach(id)
		if n > codes.MostDepth {
			infect(id)
		}
	}
	return n > codes.MostDepth && active(id)
}
