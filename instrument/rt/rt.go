// Package fuzzmutrt is the runtime that rewritten packages call. It is injected
// into the test binary under the import path "fuzzmutrt" through the go
// command's overlay, so that any package, of the standard library too, can
// import it; for that reason it imports nothing that could import a mutated
// package.
//
// The variables are the switchboard: the loop (package fuzzmutrt/loop) sets them
// between executions, the rewritten code reads them. They are deliberately plain
// variables: one goroutine at a time runs the fuzz target, and code in the hot
// path must cost one load and one branch.
package fuzzmutrt

// Active is the index of the mutant that is switched on; 0 is the original.
var Active uint32

// Tracing tells the mutable bodies to record which mutants were reached and
// infected while they compute the original's values.
var Tracing bool

// Reached and Infected are bit sets over mutant indices, written while Tracing.
// The loop sizes and clears them.
var Reached, Infected []uint64

// Times counts by mutant how often its site was reached while Tracing, where a site has several by the first of them: see
// Counted. While Active is Many it counts how often a mutant has taken effect. The loop sizes and clears it; nil counts
// nothing.
var Times []uint32

// Fuel is what the execution in progress may still burn. Function entries and loop
// back edges burn one unit each.
var Fuel int64 = noLimit

const noLimit = 1<<63 - 1

// Observing is true while observed values are wanted.
var Observing bool

// ObserveHook receives observed values while Observing.
var ObserveHook func(site uint32, vals []any)

// OpFirst is the site of the first of OpNames, the operations of the fuzz test in progress.
var (
	OpFirst uint32
	OpNames []string
)

// ObserveOp shows the results of an operation to the oracle while Observing.
func ObserveOp(name string, results []any) {
	if !Observing {
		return
	}
	for i, n := range OpNames {
		if n == name {
			ObserveHook(OpFirst+uint32(i), results)
		}
	}
}

// Unobserve ends the observation of the execution in progress.
func Unobserve() { Observing = false }

// DoomHook runs when the execution in progress must end, before the panic that
// ends it: the fuzz target may recover the panic, but not the fact. Where Fuel is out
// it may give more: then it returns true, and the execution goes on. What Fuel holds does not say that where
// several goroutines burn it: one may have written it since.
var DoomHook func(reason Doom, code int) (more bool)

// Doom is why an execution was ended from inside.
type Doom uint8

const (
	NotDoomed Doom = iota
	OutOfFuel
	Exited      // os.Exit or log.Fatal in a rewritten package
	OutOfMemory // a make asks for Asked bytes, which are more than RoomMost
)

// Doomed is the value of the panic that ends a doomed execution.
type Doomed struct {
	Reason Doom
	Code   int // of os.Exit
}

// Package is what a rewritten package tells about itself when it is initialized.
type Package struct {
	Path         string
	FirstCounter uint32 // global number of Counters[0]
	Counters     []uint8
	FirstFunc    uint32 // global number of Slow[0]
	Slow         []bool // Slow[i]: run the mutable body of function FirstFunc+i
}

// Packages are the rewritten packages in initialization order.
var Packages []*Package

// Comparisons are the functions named by //fuzzmut:compare, each of type
// func(a, b T) bool.
var Comparisons []any

// Register is called from a rewritten package's initializer.
func Register(p *Package) bool {
	Packages = append(Packages, p)
	return true
}

// RegisterCompare is called from the initializer of a package with a
// //fuzzmut:compare function.
func RegisterCompare(fn any) bool {
	Comparisons = append(Comparisons, fn)
	return true
}

// Out is called when Fuel has dropped below zero. If the hook gives no more, it stays
// negative, so that every further tick comes here again: a target that recovers its own panics can
// swallow one of ours, but can't go on.
func Out() {
	if DoomHook == nil {
		if StaticMutant != 0 {
			panic(StartOutOfFuel)
		}
		Fuel = noLimit
		return
	}
	if DoomHook(OutOfFuel, 0) {
		return
	}
	panic(Doomed{Reason: OutOfFuel})
}

// Exit stands in for os.Exit in rewritten packages.
func Exit(exit func(int), code int) {
	if DoomHook == nil {
		exit(code)
	}
	doom(Exited, code)
}

// doom ends the execution in progress, for good.
//
//go:norace
func doom(reason Doom, code int) {
	DoomHook(reason, code)
	Fuel = -1
	panic(Doomed{Reason: reason, Code: code})
}

// Fatal stands in for log.Fatal and log.Fatalln.
func Fatal(fatal func(...any), args ...any) {
	if DoomHook == nil {
		fatal(args...)
	}
	Exit(nil, 1)
}

// Fatalf stands in for log.Fatalf.
func Fatalf(fatal func(string, ...any), format string, args ...any) {
	if DoomHook == nil {
		fatal(format, args...)
	}
	Exit(nil, 1)
}
