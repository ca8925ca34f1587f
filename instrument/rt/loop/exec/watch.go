package exec

import (
	"cmp"
	"reflect"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
)

// A Watch takes in what the program under test shows of its results. There is one in a
// process.
type Watch struct {
	Rec   *observe.Recorder
	show  func(site uint32, vals []any) // receives observed values
	aside aside
	bytes Allocs
	// MethodMost is what a text of an observed value may burn; 0: methodFuel.
	MethodMost int64
	dearest    int64 // the most that one has burned in this execution
}

// aside is the switchboard as the program left it when it was interrupted to have
// a value observed.
type aside struct {
	in      bool // a value is being observed
	calling bool // ... and one of its methods is being called
	active  uint32
	tracing bool
	fuel    int64
	left    int64  // of the method's fuel
	base    uint64 // bytes that the process had allocated when the first part of it was burned; 0: it was not
}

// Begin has w take in all that is shown from now on, and record it in Rec. The views say
// which types do not count, as [golden.Renderer] has them.
func (w *Watch) Begin(views map[string]golden.View) error {
	compare, err := observe.CompareFuncs(fuzzmutrt.Comparisons)
	if err != nil {
		return err
	}
	opts := observe.Options{Compare: compare, Guard: w.guard, GuardCompare: w.guardCompare}
	if len(views) > 0 {
		opts.Ignored = func(t reflect.Type) bool { return views[golden.TypeKey(t)] == golden.ViewNone }
	}
	w.Rec = observe.NewRecorder(observe.New(opts))
	w.show = w.Rec.Record
	fuzzmutrt.ObserveHook = w.onObserve
	return nil
}

// Calling reports whether a method of an observed value runs: what it does is not the
// program's doing.
func (w *Watch) Calling() bool { return w.aside.calling }

// onObserve records observed values. Package observe may itself use what is
// mutated (strconv, say), so every mutant is off while it works.
func (w *Watch) onObserve(site uint32, vals []any) {
	if w.aside.in {
		return // a method called for an observation is not the target's doing
	}
	w.aside = aside{in: true, active: fuzzmutrt.Active, tracing: fuzzmutrt.Tracing, fuel: fuzzmutrt.Fuel}
	fuzzmutrt.Active, fuzzmutrt.Tracing, fuzzmutrt.Fuel = 0, false, NoFuelLimit
	w.show(site, vals)
	fuzzmutrt.Active, fuzzmutrt.Tracing, fuzzmutrt.Fuel = w.aside.active, w.aside.tracing, w.aside.fuel
	w.aside = aside{}
}

const (
	// methodFuel is what an Error or Equal method of an observed value may burn while the original runs.
	methodFuel = 1_000_000
	// methodPart is the part of it that is handed out at once: a method that calls itself without end
	// fills the stack with less than all, and one that puts a text together again takes gigabytes.
	methodPart = 4_000
)

// MethodFuel is what a text of an observed value may burn with a mutant, where none of the original's burned more
// than dearest. A text that is much longer than the original's is as much a difference as one that never ends, and
// takes a hundred times as long as a whole execution that does not end.
func MethodFuel(dearest int64) int64 { return min(10*MutantFuel(dearest), methodFuel) }

// Refuel hands out more of the fuel of the method that runs, if there is some, and it has neither filled a
// stack nor allocated too much. It reports whether there was more.
func (w *Watch) Refuel() bool {
	bytes := w.bytes.Read()
	if w.aside.base == 0 {
		w.aside.base = bytes
	}
	if bytes-w.aside.base > mutantGarbage || fuzzmutrt.StackSize != nil && fuzzmutrt.StackSize() > mutantStack {
		w.aside.left = 0
	}
	part := min(w.aside.left, methodPart+max(0, -1-fuzzmutrt.Fuel)) // a call may burn much at once
	w.aside.left -= part
	return Give(part)
}

// guard calls a method of an observed value, with separate fuel. While the target
// runs, the method runs as the target would have run it, mutant and all: what an
// error says is part of what is observed.
func (w *Watch) guard(call func()) (panicked any) {
	burned, panicked := w.guarded(call, cmp.Or(w.MethodMost, methodFuel))
	w.dearest = max(w.dearest, burned)
	return panicked
}

// guardCompare is guard for what compares two values: it says only whether they are alike, and what cuts it short makes
// a difference of them.
func (w *Watch) guardCompare(call func()) (panicked any) {
	_, panicked = w.guarded(call, methodFuel)
	return panicked
}

// guarded calls a method with the most fuel that it may burn.
func (w *Watch) guarded(call func(), most int64) (burned int64, panicked any) {
	if w.aside.in {
		fuzzmutrt.Active, fuzzmutrt.Tracing = w.aside.active, w.aside.tracing
	}
	w.aside.calling, w.aside.left, w.aside.base = true, most-methodPart, 0
	fuzzmutrt.Fuel = methodPart
	returned := false
	defer func() {
		if panicked = recover(); panicked == nil && !returned {
			panicked = PanicText(nil)
		}
		burned = most - w.aside.left - fuzzmutrt.Fuel
		w.aside.calling = false
		fuzzmutrt.Active, fuzzmutrt.Tracing, fuzzmutrt.Fuel = 0, false, NoFuelLimit
	}()
	call()
	returned = true
	return 0, nil // the deferred function says what was burned
}
