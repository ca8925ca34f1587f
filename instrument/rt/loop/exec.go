package loop

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Fuel limits, in loop iterations and function calls (one to a few nanoseconds
// each). They are counts, never clocks, so that they mean the same anywhere.
const (
	noFuelLimit = 1<<63 - 1
	// hangFuel is when an input of the original is a hang.
	hangFuel = 400_000_000
	// suspectFuel is the limit where a round does not set one.
	suspectFuel = 4_000_000
	// A mutant may burn so many times what the original burns, and so much more,
	// before it is run again with ten times as much; if that does not do, it is
	// killed.
	mutantFuelFactor = 10
	mutantFuelExtra  = 10_000
	// swallowedDooms is how often a target may recover the panic that ends it
	// before the process is ended.
	swallowedDooms = 100_000
)

// execution is one run of the target.
type execution struct {
	kind    wire.OutcomeKind
	burned  int64
	message string // of failures, only when asked for
	stack   []uintptr
	turning []int32 // of a hang, the functions that went on to the end; nil if nobody looked
}

// executor runs the target with everything around it: the shared mapping, the
// test's T, fuel, observation. It knows nothing of corpora and schedules.
type executor struct {
	target *target
	run    runner
	shared *wire.Shared
	rec    *observe.Recorder
	show   func(site uint32, vals []any) // receives observed values

	mutantFunc []int32
	slow       []*bool // by global function number

	spent int64 // fuel so far, with what executions cost besides, as plain ones would

	vals   []any // of the execution under way
	doom   fuzzmutrt.Doom
	dooms  int
	detail bool // the messages and stacks of failures are wanted
	aside  aside
	window window
	ration ration

	weighing bool   // the original is rationed, as mutants are
	order    uint64 // of maps: see setOrder

	goroutines int // when the target has left none behind

	runs   uint64
	inside time.Duration // the fuzz target, as far as a sample tells
}

// sampleEvery is how many executions one stands for whose time is taken.
const sampleEvery = 64

// aside is the switchboard as the target left it when it was interrupted to have
// a value observed.
type aside struct {
	in      bool // a value is being observed
	calling bool // ... and one of its methods is being called
	active  uint32
	tracing bool
	fuel    int64
}

func newExecutor(tg *target, shared *wire.Shared, init *wire.Init) (*executor, error) {
	x := &executor{target: tg, shared: shared, mutantFunc: init.MutantFunc}
	x.goroutines = runtime.NumGoroutine() + 1 // the runner's coroutine
	if len(init.CounterFunc) == init.Counters {
		x.window = window{places: init.Places, counterFunc: init.CounterFunc}
	}
	compare, err := observe.CompareFuncs(fuzzmutrt.Comparisons)
	if err != nil {
		return nil, err
	}
	x.rec = observe.NewRecorder(observe.New(observe.Options{Compare: compare, Guard: x.guard}))
	x.show = x.rec.Record
	for _, v := range init.Excluded {
		x.rec.Exclude(v.Site, v.Value)
	}
	if x.slow, err = slowFlags(init); err != nil {
		return nil, err
	}
	words := len(init.MutantFunc)/64 + 1
	fuzzmutrt.Reached = make([]uint64, words)
	fuzzmutrt.Infected = make([]uint64, words)
	fuzzmutrt.ObserveHook = x.onObserve
	fuzzmutrt.DoomHook = x.onDoom
	return x, nil
}

// linger waits for goroutines that the target has left behind, no longer than most.
func (x *executor) linger(most time.Duration) {
	const look = time.Millisecond
	for ; most > 0 && runtime.NumGoroutine() > x.goroutines; most -= look {
		time.Sleep(look)
	}
}

// onDoom is called by the runtime, on whatever goroutine the target runs, when
// the execution has to end from inside.
func (x *executor) onDoom(reason fuzzmutrt.Doom, _ int) {
	if x.aside.calling {
		return // the panic that follows ends the method only
	}
	if reason == fuzzmutrt.OutOfFuel && (x.window.enter() || x.ration.enter()) {
		return
	}
	if x.doom == fuzzmutrt.NotDoomed {
		x.doom = reason
		x.shared.SetDoom(uint8(reason))
		if x.run.stack == nil {
			x.run.capture(2)
		}
	}
	if x.dooms++; x.dooms > swallowedDooms {
		os.Exit(wire.ExitDamaged) // the coordinator reads the doom from the mapping
	}
}

// onObserve records observed values. Package observe may itself use what is
// mutated (strconv, say), so every mutant is off while it works.
func (x *executor) onObserve(site uint32, vals []any) {
	if x.aside.in {
		return // a method called for an observation is not the target's doing
	}
	x.aside = aside{in: true, active: fuzzmutrt.Active, tracing: fuzzmutrt.Tracing, fuel: fuzzmutrt.Fuel}
	fuzzmutrt.Active, fuzzmutrt.Tracing, fuzzmutrt.Fuel = 0, false, noFuelLimit
	x.show(site, vals)
	fuzzmutrt.Active, fuzzmutrt.Tracing, fuzzmutrt.Fuel = x.aside.active, x.aside.tracing, x.aside.fuel
	x.aside = aside{}
}

// methodFuel is what an Error or Equal method of an observed value may burn.
const methodFuel = 1_000_000

// guard calls a method of an observed value, with fuel of its own. While the
// target runs, the method runs as the target would have run it, mutant and all:
// what an error says is part of what is observed.
func (x *executor) guard(call func()) (panicked any) {
	if x.aside.in {
		fuzzmutrt.Active, fuzzmutrt.Tracing = x.aside.active, x.aside.tracing
	}
	x.aside.calling = true
	fuzzmutrt.Fuel = methodFuel
	returned := false
	defer func() {
		if panicked = recover(); panicked == nil && !returned {
			panicked = panicText(nil)
		}
		x.aside.calling = false
		fuzzmutrt.Active, fuzzmutrt.Tracing, fuzzmutrt.Fuel = 0, false, noFuelLimit
	}()
	call()
	returned = true
	return nil
}

// do runs the target on vals, which it may keep and change. The caller has set
// the mutant and what is observed. In a process with a mutant that is active from
// the start, that is the only one.
func (x *executor) do(vals []any, mutant uint32, fuel int64) execution {
	if fuzzmutrt.StaticMutant != 0 {
		mutant = fuzzmutrt.StaticMutant
	}
	tg := x.target
	tg.hooks.Reset(tg.t, tg.proto, tg.renew)
	newExecution(x.order)
	x.vals, x.doom, x.dooms = vals, fuzzmutrt.NotDoomed, 0
	x.run.wantStack = x.detail || mutant == 0
	*tg.hooks.Quiet = mutant == 0 && !x.detail
	x.runs++
	sampled := x.runs%sampleEvery == 0
	var begin time.Time
	if sampled {
		begin = time.Now()
	}
	x.shared.Begin(mutant)
	fuzzmutrt.Active = mutant
	rationed := x.weighing || mutant != 0 && !x.detail
	if rationed {
		fuzzmutrt.Fuel = x.ration.begin(fuel)
	} else {
		fuzzmutrt.Fuel, x.ration.hoards = x.window.begin(fuel), false
	}
	how := x.run.run(x.invoke)
	left := fuzzmutrt.Fuel + x.window.end()
	if rationed {
		left += x.ration.end()
	}
	fuzzmutrt.Fuel = noFuelLimit
	fuzzmutrt.Active = fuzzmutrt.StaticMutant
	if sampled {
		x.inside += sampleEvery * time.Since(begin)
	}
	x.shared.End()
	*tg.hooks.Quiet = false

	failed, skipped, output := tg.hooks.Result(tg.t)
	ex := execution{burned: fuel - left}
	x.spent += ex.burned + executionFuel
	switch {
	case x.doom == fuzzmutrt.OutOfFuel:
		ex.kind = wire.Fuel
	case x.doom == fuzzmutrt.Exited:
		ex.kind = wire.Exit
	case how == panicked:
		ex.kind = wire.Panic
	case failed:
		ex.kind = wire.Fail
	case skipped:
		ex.kind = wire.Skip
	case how == exited:
		ex.kind = wire.Exit
	default:
		ex.kind = wire.Pass
	}
	if (x.detail || ex.kind == wire.Fuel) && ex.kind.Failed() {
		ex.message = x.message(ex.kind, output)
		ex.stack = x.run.stack
		if x.window.open {
			ex.turning = x.window.turning
		}
	}
	x.window.open = false
	return ex
}

func (x *executor) invoke() {
	defer x.target.hooks.Cleanup(x.target.t)
	x.target.call(x.target.t, x.vals)
}

// message says in the target's own words why it failed.
func (x *executor) message(kind wire.OutcomeKind, output []byte) string {
	const most = 2000
	var s string
	switch kind {
	case wire.Panic:
		s = panicText(x.run.value)
	case wire.Fail:
		s = strings.TrimSpace(string(output))
	case wire.Fuel:
		s = "does not end: out of fuel"
	case wire.Exit:
		s = "runtime.Goexit was called"
		if x.doom == fuzzmutrt.Exited {
			s = "the process would have ended: os.Exit or log.Fatal was called"
		}
	}
	if len(s) > most {
		s = s[:most] + "…"
	}
	return s
}

// panicText prints a panic's value as the runtime does, with the methods of the
// value that may themselves panic.
func panicText(v any) (s string) {
	defer func() {
		if recover() != nil {
			s = fmt.Sprintf("%T", v)
		}
	}()
	switch v := v.(type) {
	case nil: // only in modules whose go line is below 1.21
		return "panic(nil)"
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

// hoards reports whether the heap of the original grows beyond what a mutant's may.
func (x *executor) hoards(vals []any, fuel int64) bool {
	x.weighing = true
	x.do(vals, 0, fuel)
	x.weighing = false
	return x.ration.hoards
}

// original runs the unmutated program, at full speed.
func (x *executor) original(vals []any, fuel int64) execution {
	return x.do(vals, 0, fuel)
}

// trace runs the unmutated program through the mutable bodies of the functions
// that hold living mutants, observing results, and recording in
// fuzzmutrt.Reached and Infected what the mutants would have done. With values,
// the observed values themselves are kept, so that differences can be explained.
func (x *executor) trace(vals []any, bodies [][]bool, fuel int64, values bool) execution {
	clear(fuzzmutrt.Reached)
	clear(fuzzmutrt.Infected)
	for i, p := range fuzzmutrt.Packages {
		copy(p.Slow, bodies[i])
	}
	if values {
		x.rec.Reset()
	} else {
		x.rec.ResetHashes()
	}
	fuzzmutrt.Tracing = true
	fuzzmutrt.Observing = true
	ex := x.do(vals, 0, fuel)
	fuzzmutrt.Observing = false
	fuzzmutrt.Tracing = false
	x.spent += (traceFactor - 1) * (ex.burned + executionFuel)
	for _, p := range fuzzmutrt.Packages {
		clear(p.Slow)
	}
	return ex
}

// record runs the unmutated program through the mutable bodies of the functions,
// which hand the operands of their comparisons to fuzzmutrt.OperandsHook.
func (x *executor) record(vals []any, funcs []int32, fuel int64) execution {
	for _, f := range funcs {
		*x.slow[f] = true
	}
	fuzzmutrt.Tracing, fuzzmutrt.Recording = true, true
	ex := x.do(vals, 0, fuel)
	x.spent += (recordFactor - 1) * (ex.burned + executionFuel)
	fuzzmutrt.Tracing, fuzzmutrt.Recording = false, false
	for _, f := range funcs {
		*x.slow[f] = false
	}
	return ex
}

// again runs the unmutated program and compares what is observed with ref.
func (x *executor) again(vals []any, ref *observe.Log, fuel int64) execution {
	x.rec.ResetAgainst(ref)
	fuzzmutrt.Observing = true
	ex := x.do(vals, 0, fuel)
	fuzzmutrt.Observing = false
	return ex
}

// mutant runs one mutant and compares what is observed with ref.
func (x *executor) mutant(vals []any, m uint32, ref *observe.Log, fuel int64) execution {
	slow := x.slow[x.mutantFunc[m-1]]
	*slow = true
	x.rec.ResetAgainst(ref)
	fuzzmutrt.Observing = true
	ex := x.do(vals, m, fuel)
	fuzzmutrt.Observing = false
	x.spent += ex.burned + executionFuel // and as much for what is observed
	*slow = false
	return ex
}

// frames turns a stack into lines "pkg.Func file:line", innermost first, of the
// user's code: the packages under one of the prefixes, or, when there are none
// of these, whatever is not the machinery.
func frames(stack []uintptr, prefixes []string) []string {
	var user, other []string
	it := runtime.CallersFrames(stack)
	for {
		f, more := it.Next()
		line := fmt.Sprintf("%s %s:%d", f.Function, f.File, f.Line)
		switch {
		case f.Function == "" || isMachinery(f.Function):
		case failure.InPackages(f.Function, prefixes):
			user = append(user, line)
		default:
			other = append(other, line)
		}
		if !more {
			break
		}
	}
	if len(user) == 0 {
		return other
	}
	return user
}

func isMachinery(function string) bool {
	for _, p := range []string{"runtime.", "runtime/", "testing.", "reflect.", "iter.", "fuzzmutrt.", "fuzzmutrt/", "internal/runtime/"} {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}
