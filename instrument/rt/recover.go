package fuzzmutrt

// Recovers, Keep and Kept leave out a call of recover while mutant id is active:
//
//	Kept(Recovers(id) && Keep(id, &p, recover()), &p)
//
// is recover(), called where it was, or nil without a call.

// Recovers says whether to call recover.
//
//go:norace
//go:noinline
func Recovers(id uint32) bool {
	if Tracing {
		reach(id)
	}
	return !active(id)
}

// nilPanics says that a panic may have been recovered where recover returns nil:
// that of panic(nil), in modules whose go line is below 1.21.
var nilPanics = recoversNil()

func recoversNil() (yes bool) {
	defer func() { yes = recover() == nil }()
	panic(nil) //nolint:govet // what the runtime makes of it
}

// Keep puts what was recovered into p. If there was a panic to recover, the
// mutant would be different.
//
//go:norace
//go:noinline
func Keep(id uint32, p *any, v any) bool {
	if Tracing && (v != nil || nilPanics) {
		infect(id)
	}
	*p = v
	return true
}

// Kept is the value in p, once its first operand has been evaluated.
func Kept(_ bool, p *any) any { return *p }
