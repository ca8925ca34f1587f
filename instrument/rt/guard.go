package fuzzmutrt

// Guard says whether mutant id has to keep a statement from being executed, whose
// guard's condition is given.
//
//go:norace
//go:noinline
func Guard(id uint32, holds bool) bool {
	if Tracing {
		trace(id, holds)
	}
	return holds && Active == id
}
