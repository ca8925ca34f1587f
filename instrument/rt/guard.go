package fuzzmutrt

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
