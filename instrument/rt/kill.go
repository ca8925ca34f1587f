package fuzzmutrt

// KillHook is set where the stock fuzzing engine runs the binary: it executes a
// separate piece of code for each mutant, which the engine's coverage
// instrumentation counts, so that the engine takes a kill for new coverage.
var KillHook func(mutant int)
