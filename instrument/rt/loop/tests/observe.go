package tests

import (
	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

const (
	// mostReferences bounds the references in memory, each of up to observe.MaxEvents values.
	mostReferences = 64
	// mostValues is how many values a test may show: to look at more takes longer than the test.
	mostValues = 1 << 16
	// settles is how many values or fields that are different each time are looked for in a test.
	settles = 16
)

// observing is a request to observe being served.
type observing struct {
	*suite
	req *wire.Observe
}

func (s *suite) observeAll(req *wire.Observe) error {
	o := &observing{suite: s, req: req}
	for _, item := range req.Items {
		if s.conn.Shared.Stopping() {
			break
		}
		done := o.one(item)
		if err := s.conn.Reply(wire.Reply{Observed: &done}); err != nil {
			return err
		}
		if done.Spent {
			break
		}
	}
	return s.ran()
}

// one runs a mutant with its tests, in the order given, until a call returns something else.
func (o *observing) one(item wire.TryItem) wire.Observed {
	done := wire.Observed{Mutant: item.Mutant}
	for _, i := range item.Tests {
		if o.conn.Shared.Stopping() {
			break
		}
		if o.test(i, &done); done.Shown != nil || done.Spent {
			break
		}
	}
	return done
}

// test runs a mutant with one test. A difference counts if the original, run right after it,
// shows what it has always shown, and the mutant then shows a difference again.
func (o *observing) test(i int, done *wire.Observed) {
	cost := &o.req.Tests[i]
	ref := o.reference(cost)
	if ref == nil {
		return
	}
	o.watch.Rec.ResetAgainst(ref)
	if !o.mutant(cost, done) {
		return
	}
	diff, equal := o.watch.Rec.Compare(ref)
	if equal {
		return
	}
	o.watch.Rec.Reset()
	passes := !o.shown(cost, 0).kind.Failed()
	values := o.watch.Rec.Log()
	if _, same := o.watch.Rec.CompareLogs(ref, values); !passes || !same {
		done.Spent = true
		return
	}
	o.watch.Rec.Reset()
	if !o.mutant(cost, done) {
		return
	}
	diff, equal = o.watch.Rec.CompareLogs(values, o.watch.Rec.Log())
	if equal || diff.Late { // what nobody can name, no test can check
		return
	}
	done.Shown = &wire.Shown{Test: cost.Test, Site: diff.Site, Value: diff.Value, Text: diff.Text, Plain: diff.Plain, Weak: string(diff.Weak), Field: diff.Field}
}

// mutant runs the mutant. It reports whether the process is as it was.
func (o *observing) mutant(cost *wire.TestCost, done *wire.Observed) bool {
	r := o.shown(cost, done.Mutant)
	done.Runs++
	done.Spent = r.kind.Failed() || r.leaked > cost.Leaked // elsewhere, the test passes
	return !done.Spent
}

// reference is what the calls in a test return without a mutant, as hashes; nil if they are
// not the same each time, or there are none, or too many.
func (o *observing) reference(cost *wire.TestCost) *observe.Log {
	if ref, ok := o.references[cost.Test]; ok {
		return ref
	}
	ref := o.settle(cost)
	if len(o.references) >= mostReferences {
		clear(o.references)
	}
	o.references[cost.Test] = ref
	return ref
}

// settle runs the original until it is known which values are the same each time, whatever the order of maps is: a mutant
// is compared in one order, and may take another element of a map.
func (o *observing) settle(cost *wire.TestCost) *observe.Log {
	rec := o.watch.Rec
	passes := func(order uint64) bool {
		exec.SetOrder(order)
		defer exec.SetOrder(0)
		return !o.shown(cost, 0).kind.Failed()
	}
	for range settles {
		rec.ResetHashes()
		if !passes(0) {
			return nil
		}
		log := rec.Log()
		if len(log.Events) == 0 || log.More > mostValues {
			return nil
		}
		var diff observe.Difference
		order, equal := uint64(0), true
		for ; equal && order <= exec.Orders; order++ {
			rec.ResetAgainst(log)
			if !passes(order) {
				return nil
			}
			diff, equal = rec.Compare(log)
		}
		if equal {
			return log
		}
		// A hash does not tell the field.
		rec.Reset()
		if !passes(0) {
			return nil
		}
		log = rec.Log()
		rec.ResetAgainst(log)
		if !passes(order - 1) {
			return nil
		}
		if known, equal := rec.Compare(log); !equal {
			diff = known
		}
		rec.Hide(diff.Site, diff.Value, diff.Field)
	}
	return nil
}

// shown runs a test with a mutant, 0 for none, and has what its calls return observed.
func (o *observing) shown(cost *wire.TestCost, mutant uint32) testRun {
	fuzzmutrt.Observing = true
	defer func() { fuzzmutrt.Observing = false }()
	return o.with(mutant, cost, allowance{fuel: alone(cost).fuel}, 0)
}
