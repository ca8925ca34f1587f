package fuzzmutrt

// The functions below stand in for plain accesses when the test binary is built
// with -race: goroutines that the user's code starts count and burn too, and
// that is not the race to report.

// Burn burns one unit of fuel.
//
//go:norace
func Burn() {
	if Fuel--; Fuel < 0 {
		Out()
	}
}

// BurnMany burns units of fuel at once. Both builds use it.
//
//go:norace
func BurnMany(units int64) {
	if Fuel -= units; Fuel < 0 {
		Out()
	}
}

// Count counts one pass.
//
//go:norace
func Count(counter *uint8) { *counter++ }

// Slow says whether a function runs its mutable body.
//
//go:norace
func Slow(flag *bool) bool { return *flag }

// Hit counts the evaluation of an operand of && or ||, and is true. Both builds
// use it: without -race it is inlined.
//
//go:norace
func Hit(counter *uint8) bool {
	*counter++
	return true
}
