package fuzzing

import (
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// An input may fail in one run and pass in the next: for the order of maps, for the
// time, for goroutines, or for what the target draws at random. Nobody who is shown
// the input sees it fail, so it is distinguished from those that always do.

const (
	// certainRuns is how often an input that has failed twice must fail again to count
	// as one that always fails.
	certainRuns = 3
	// flakyRuns is how often one that has passed since is run, to say how often it fails.
	flakyRuns = 8
)

// inputsPerStack bounds what a worker sends of one stack. Inputs that are smaller
// than any before are sent in addition.
const inputsPerStack = 4

// failures are the inputs on which the original fails, by stack. They are kept for the
// life of the worker.
type failures struct {
	conn   *conn.Conn
	target *exec.Target
	x      *exec.Executor
	muts   *mutants.Mutants

	stacks map[string]*stack
	keys   []string          // of stacks, in order of appearance
	left   int64             // inputs that seemed to leave goroutines waiting
	hangs  map[string]string // by where inputs run out of a round's fuel, the stack of one that hangs
	ended  map[string]ended  // by where they run out of a round's fuel, those that do end, or were not looked at
	looked int64             // fuel of the looks at inputs that do end
}

// stack is what this worker has seen of one stack.
type stack struct {
	reported int   // inputs sent
	smallest int   // encoded length of the smallest sent
	unsent   int64 // executions not yet reported
	last     wire.Failure
}

// take takes in that the input in progress fails: it runs it once more with details, in
// doubt with all the fuel there is, and puts it into its stack. The execution had maps
// in an order, and was to burn no more than limit.
func (f *failures) take(ex exec.Execution, order uint64, limit int64) error {
	if ex.Kind == wire.Fuel {
		return f.takeHang(ex)
	}
	vals, err := current(f.conn, f.target)
	if err != nil {
		return err
	}
	first := f.x.LastFailure(ex)
	o := f.detailed(vals, order, limit)
	if !o.Kind.Failed() {
		return f.sometimes(vals, first, 1, 2)
	}
	if known := f.stacks[failure.Key(o)]; known == nil || known.reported < inputsPerStack {
		if n := f.failsAgain(vals, certainRuns); n < certainRuns {
			return f.sometimes(vals, o, 2+n, 2+certainRuns)
		}
	}
	return f.add(vals, o, ex.Burned)
}

// Of leaks the first are looked at, and then one in some: each takes a part of a second.
const (
	leaksFirst = 16
	leaksEvery = 64
)

// takeLeak takes in that the input in progress seems to leave goroutines waiting. It reports
// whether it does.
func (f *failures) takeLeak(order uint64, limit, burned int64) (leaks bool, err error) {
	if f.left++; f.left > leaksFirst && f.left%leaksEvery != 0 {
		return false, nil
	}
	vals, err := current(f.conn, f.target)
	if err != nil {
		return false, err
	}
	var o wire.Outcome
	f.x.Aside(func() { o = f.detailed(vals, order, limit) })
	if o.Kind != wire.Leak {
		return false, nil
	}
	if known := f.stacks[failure.Key(o)]; known == nil || known.reported < inputsPerStack {
		if n := f.failsAgain(vals, certainRuns); n < certainRuns {
			return true, f.sometimes(vals, o, 2+n, 2+certainRuns)
		}
	}
	return true, f.add(vals, o, burned)
}

// takeHang takes in that the input in progress runs out of a round's fuel. It counts as a hang once it has burned
// all the fuel there is: others that stop at the same place may end, and may be the smaller ones.
func (f *failures) takeHang(ex exec.Execution) error {
	o := f.x.Outcome(ex)
	key := failure.Key(o)
	if known := f.stacks[f.hangs[key]]; known != nil && known.reported >= inputsPerStack {
		known.unsent++
		return nil
	}
	place := f.ended[key]
	if !place.due(f.looked, max(f.x.Spent, f.x.HangFuel)) {
		place.inputs++
		f.ended[key] = place
		return nil
	}
	vals, err := current(f.conn, f.target)
	if err != nil {
		return err
	}
	spent := f.x.Spent
	if o = f.detailed(vals, 0, f.x.HangFuel); !o.Kind.Failed() {
		f.looked += f.x.Spent - spent
		f.ended[key] = ended{inputs: place.inputs + 1, next: max(2*place.inputs, 1)}
		return nil
	}
	f.hangs[key] = failure.Key(o)
	return f.add(vals, o, ex.Burned)
}

// ended are the inputs that run out of a round's fuel at one place, as far as they do end with more, or were not looked at.
type ended struct {
	inputs int // so far
	next   int // the number of them after which one is looked at again
}

// lookShare is the part of all fuel, as one in this number, that looks at such inputs may burn, and the same of what one
// that hangs burns: where a number in the input is the size of something, as with make([]T, n), each may take seconds.
const lookShare = 4

// due reports whether the next input is run with all the fuel: of many ever fewer are, but one that hangs may come
// after any number of them. The first always is. Looks have burned looked so far, of what was spent.
func (e ended) due(looked, spent int64) bool {
	return e.inputs == 0 || e.inputs >= e.next && looked <= spent/lookShare
}

// detailed runs the original with maps in an order and tells all about how it ended.
func (f *failures) detailed(vals []any, order uint64, fuel int64) wire.Outcome {
	ex := f.x.Ordered(order, func() exec.Execution { return f.x.Whole(exec.Clone(vals), fuel) })
	f.muts.CountExec()
	return f.x.Outcome(ex)
}

// failsAgain runs the original n times, with maps in another order each time, and
// returns how often it fails.
func (f *failures) failsAgain(vals []any, n int) (failed int) {
	for i := range n {
		if f.detailed(vals, uint64(i), f.x.HangFuel).Kind.Failed() {
			failed++
		}
	}
	return failed
}

// sometimes reports an input that has failed in some of its runs.
func (f *failures) sometimes(vals []any, o wire.Outcome, failed, runs int) error {
	failed += f.failsAgain(vals, flakyRuns)
	return f.conn.Reply(wire.Reply{Flaky: &wire.Flaky{
		Input: wire.Encode(vals), Outcome: o, Key: failure.Key(o), Failed: failed, Runs: runs + flakyRuns,
	}})
}

// add puts an input into its stack, and reports it as long as there are few, or none
// that is smaller.
func (f *failures) add(vals []any, o wire.Outcome, burned int64) error {
	key := failure.Key(o)
	b := f.stacks[key]
	if b == nil {
		b = &stack{}
		f.stacks[key] = b
		f.keys = append(f.keys, key)
	}
	b.unsent++
	input := wire.Encode(vals)
	b.last = wire.Failure{Outcome: o, Key: key, Cost: burned}
	if b.reported >= inputsPerStack && len(input) >= b.smallest {
		return nil
	}
	if b.reported == 0 || len(input) < b.smallest {
		b.smallest = len(input)
	}
	b.reported++
	report := b.last
	report.Input, report.Count, b.unsent = input, b.unsent, 0
	return f.conn.Reply(wire.Reply{Failure: &report})
}

// flush reports the executions of known stacks that were only counted.
func (f *failures) flush() {
	for _, key := range f.keys {
		b := f.stacks[key]
		if b.unsent == 0 {
			continue
		}
		report := b.last
		report.Count, b.unsent = b.unsent, 0
		f.conn.Reply(wire.Reply{Failure: &report}) //nolint:errcheck // the round's own reply will meet the same error
	}
}
