// Package exec runs the fuzz target: in process, over and over, with a mutant active or
// none, with fuel, with what is observed, and with whatever ends it taken in. It knows
// nothing of corpora and rounds.
//
// While it or its callers work, every mutant is switched off: they may call what the user
// has chosen to mutate.
package exec

import (
	"cmp"
	"runtime"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// An Execution is one run of the target.
type Execution struct {
	Kind    wire.OutcomeKind
	Burned  int64  // fuel
	Dearest int64  // fuel that a text of an observed value has burned, at most
	Message string // of failures, only when asked for
	Stack   []uintptr
	Turning *Turning      // of a hang; nil if nobody looked
	special *wire.Outcome // what it leaves, or what a number lost
}

// An Executor runs the target with everything around it: the shared mapping, the
// test's T, fuel, observation. It knows nothing of corpora and schedules.
type Executor struct {
	target *Target
	run    runner
	shared *wire.Shared
	Watch

	mutantFunc []int32
	slow       []*bool // by global function number

	HangFuel int64 // when an input of the original is a hang

	Spent int64 // fuel so far, with the overhead of executions, as if all were plain

	prefixes []string // import paths of code whose frames tell failures apart

	vals   []any // of the execution in progress
	doom   fuzzmutrt.Doom
	dooms  Dooms
	detail bool // the messages and stacks of failures are wanted
	window window
	ration ration
	litter garbage
	hot    *hot // samples the work of the execution; nil: nobody does
	allocs Allocs

	renderer  golden.Renderer
	siteViews map[uint32][]golden.View
	inner     map[uint32]bool // sites

	weighing bool   // the original is rationed, as mutants are
	order    uint64 // of maps: see SetOrder

	overflows bool // numbers that lose something are looked for

	leaks bool   // goroutines that outlive an execution are looked for
	text  []byte // of their stacks

	goroutines int // in a process where the target has left none running

	runs   uint64
	Inside time.Duration // the fuzz target, as far as a sample tells
}

// sampleEvery is how many executions one stands for, on average, whose time is taken. They are
// scattered: each 64th one would often be of the same kind, since a parent has about as many
// children.
const sampleEvery = 64

// sampled says whether the time of an execution is taken.
func sampled(run uint64) bool { return havoc.Mix(run)%sampleEvery == 0 }

func New(tg *Target, shared *wire.Shared, init *wire.Init) (*Executor, error) {
	x := &Executor{target: tg, shared: shared, mutantFunc: init.MutantFunc, prefixes: init.UserPackages, HangFuel: cmp.Or(init.HangFuel, HangFuel), leaks: init.Leaks, overflows: init.Overflows}
	x.goroutines = runtime.NumGoroutine()
	if !plain() {
		x.goroutines++ // the runner's coroutine
	}
	if len(init.CounterFunc) == init.Counters {
		x.window = window{places: init.Places, counterFunc: init.CounterFunc, loops: init.Loops, own: x.run.own, prefixes: init.UserPackages}
	}
	if err := x.Begin(init.Views); err != nil {
		return nil, err
	}
	x.renderer, x.siteViews = golden.Renderer{Views: init.Views, Guard: x.guard, Times: init.TextTimes}, init.SiteViews
	x.inner = make(map[uint32]bool, len(init.Inner))
	for _, site := range init.Inner {
		x.inner[site] = true
		x.Rec.Exclude(site, observe.WholeSite)
	}
	for _, v := range init.Excluded {
		x.Rec.Hide(v.Site, v.Value, v.Field)
	}
	slow, err := Switches(init)
	if err != nil {
		return nil, err
	}
	x.slow = slow
	words := len(init.MutantFunc)/64 + 1
	fuzzmutrt.Reached = make([]uint64, words)
	fuzzmutrt.Infected = make([]uint64, words)
	fuzzmutrt.DoomHook, fuzzmutrt.PlaceHook = x.onDoom, callers
	if init.MemLimit > 0 {
		// Half of it: with one copy the limit is reached, and lengths of 31 bits are below all of
		// the default.
		fuzzmutrt.RoomMost = min(fuzzmutrt.RoomMost, uint64(init.MemLimit)/2)
	}
	return x, nil
}

// Linger waits for goroutines that the target has left behind, no longer than most.
func (x *Executor) Linger(most time.Duration) {
	const look = time.Millisecond
	for ; most > 0 && runtime.NumGoroutine() > x.goroutines; most -= look {
		time.Sleep(look)
	}
}

// do runs the target on vals, which it may keep and change. The caller has set
// the mutant and what is observed. In a process with a mutant that is active from
// the start, that is the only one.
func (x *Executor) do(vals []any, mutant uint32, fuel int64) Execution {
	if fuzzmutrt.StaticMutant != 0 {
		mutant = fuzzmutrt.StaticMutant
	}
	tg := x.target
	tg.hooks.Reset(tg.t, tg.Proto, tg.Renew)
	newExecution(x.order)
	x.vals, x.doom, x.dooms = vals, fuzzmutrt.NotDoomed, Dooms{}
	x.run.wantStack = x.detail || mutant == 0
	*tg.hooks.Quiet = mutant == 0 && !x.detail
	x.runs++
	x.dearest = 0
	sampled := sampled(x.runs)
	var begin time.Time
	if sampled {
		begin = time.Now()
	}
	x.window.depths = x.detail && mutant == 0
	x.shared.Begin(mutant)
	fuzzmutrt.Active = mutant
	fuzzmutrt.Run++
	rationed := x.weighing || mutant != 0 && !x.detail
	x.litter.left, x.litter.out = 0, false
	switch {
	case x.hot != nil:
		x.window.reserve, x.window.open = 0, false
		fuzzmutrt.Fuel = x.hot.begin(fuel)
	case rationed:
		fuzzmutrt.Fuel = x.ration.begin(fuel)
	default:
		fuzzmutrt.Fuel, x.ration.hoards = x.litter.begin(x.window.begin(fuel)), false
	}
	if x.overflows {
		fuzzmutrt.BeginWidening(mutant == 0)
	}
	how := x.run.run(x.invoke)
	fuzzmutrt.Widening = false
	left := x.dooms.Left(fuzzmutrt.Fuel, fuel) + x.window.end()
	if x.hot != nil {
		left += x.hot.left
	} else if rationed {
		left += x.ration.end()
	} else {
		left += x.litter.left
	}
	left = min(left, fuel)
	if rationed && x.ration.hoards || x.litter.out {
		left = 0 // how far it came depends on when the collector ran, and on what is counted when
	}
	fuzzmutrt.Fuel = NoFuelLimit
	fuzzmutrt.Active = fuzzmutrt.StaticMutant
	if sampled {
		x.Inside += sampleEvery * time.Since(begin)
	}
	x.shared.End()
	*tg.hooks.Quiet = false

	failed, skipped, output := tg.hooks.Result(tg.t)
	ex := Execution{Kind: x.kindOf(how, failed, skipped), Burned: fuel - left, Dearest: x.dearest}
	x.Spent += ex.Burned + ExecutionFuel
	if (x.detail || ex.Kind == wire.Fuel) && ex.Kind.Failed() {
		ex.Message = x.message(ex.Kind, output)
		ex.Stack = x.run.stack
		if x.window.open {
			ex.Turning = x.window.turning(ex.Stack)
		}
	}
	x.window.open = false
	if x.overflows && mutant == 0 && !ex.Kind.Failed() {
		if o := x.overflow(); o != nil {
			ex.Kind, ex.special = wire.Overflow, o
		}
	}
	return ex
}

// kindOf says what has become of an execution: a doom counts first, since it may have been
// swallowed, and a panic before what the test says.
func (x *Executor) kindOf(how ending, failed, skipped bool) wire.OutcomeKind {
	switch {
	case x.doom == fuzzmutrt.OutOfFuel:
		return wire.Fuel
	case x.doom == fuzzmutrt.Exited:
		return wire.Exit
	case x.doom == fuzzmutrt.OutOfMemory:
		return wire.Memory
	case how == panicked:
		return wire.Panic
	case failed:
		return wire.Fail
	case skipped:
		return wire.Skip
	case how == exited:
		return wire.Exit
	}
	return wire.Pass
}

func (x *Executor) invoke() {
	defer x.target.hooks.Cleanup(x.target.t)
	x.target.Call(x.target.t, x.vals)
}
