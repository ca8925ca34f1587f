package exec

import fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"

// Fuel limits, in loop iterations and function calls (one to a few nanoseconds
// each). They are counts, never clocks, so that they mean the same anywhere.
const (
	NoFuelLimit = 1<<63 - 1
	// HangFuel is when an input of the original is a hang, unless the coordinator says
	// something else.
	HangFuel = 400_000_000
	// SuspectFuel is the limit where a round does not set one.
	SuspectFuel = 4_000_000
	// SwallowedDooms is how often a target may recover the panic that ends it
	// before the process is ended.
	SwallowedDooms = 100_000
)

// Give hands out fuel, and reports whether there is some then. It does not read it again: another goroutine may
// overwrite it at once.
func Give(fuel int64) (more bool) {
	fuel += fuzzmutrt.Fuel
	fuzzmutrt.Fuel = fuel
	return fuel >= 0
}

// A mutant may burn this many times what the original burns, and this much more.
const (
	mutantFuelFactor = 10
	mutantFuelExtra  = 10_000
)

// MutantFuel is what a mutant may burn where the original burns so much, before it is run
// again with ten times as much; if that does not do, it is killed.
func MutantFuel(original int64) int64 { return original*mutantFuelFactor + mutantFuelExtra }

// What executions cost, in fuel, as Executor.Spent counts it.
const (
	ExecutionFuel = 60 // added to the fuel that is burned
	TraceFactor   = 6  // a traced run costs this many times a plain one
	recordFactor  = 10 // and one that hands over operands
)
