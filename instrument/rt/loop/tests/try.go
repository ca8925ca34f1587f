package tests

import (
	"cmp"
	"math/bits"
	"slices"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// trial is a Try being served.
type trial struct {
	*suite
	req           *wire.Try
	tried, killed []int // by index into req.Tests

	// pending are kills by one test, of consecutive mutants, in a process that has
	// run nothing but that test since the first of them. They count once the
	// original has passed the test again.
	pending []wire.Tried
	by      int // index into req.Tests
}

func (s *suite) tryAll(req *wire.Try) error {
	t := &trial{suite: s, req: req, tried: req.Tried, killed: req.Killed}
	if t.tried == nil {
		t.tried, t.killed = make([]int, len(req.Tests)), make([]int, len(req.Tests))
	}
	for _, item := range req.Items {
		fit, err := t.one(item)
		if err != nil {
			return err
		}
		if !fit || s.conn.Shared.Stopping() {
			break
		}
	}
	if _, err := t.settle(); err != nil {
		return err
	}
	return s.ran()
}

// one tries one mutant. It reports whether the process is fit for another.
func (t *trial) one(item wire.TryItem) (fit bool, err error) {
	if t.req.Alone {
		done := t.alone(item)
		return false, t.conn.Reply(wire.Reply{Tried: &done})
	}
	done := wire.Tried{Mutant: item.Mutant}
	for n, i := range t.order(item.Tests) {
		if t.conn.Shared.Stopping() {
			return false, nil
		}
		if n > 0 || i != t.by {
			if fit, err = t.settle(); !fit || err != nil {
				return false, err
			}
		}
		t.tried[i]++
		if t.test(i, &done); done.Kill != nil {
			t.killed[i]++
			t.pending, t.by = append(t.pending, done), i
			if done.Spent {
				_, err = t.settle()
			}
			return !done.Spent, err
		}
		if done.Doubt != "" {
			break
		}
	}
	if fit, err = t.settle(); !fit || err != nil {
		return false, err // the mutant will be tried again, in another process
	}
	t.check(&done)
	return !done.Spent, t.conn.Reply(wire.Reply{Tried: &done})
}

// test runs a mutant with a test, and once more if the test fails: what fails
// because of what mutants before have left behind is likely to pass then. What does not end is not
// run again, since that takes longer than many other mutants.
func (t *trial) test(i int, done *wire.Tried) {
	cost := &t.req.Tests[i]
	done.Ran = append(done.Ran, i)
	once := t.with(done.Mutant, cost, alone(cost), 0)
	done.Runs++
	done.Spent = done.Spent || once.leaked > cost.Leaked
	switch {
	case !once.kind.Failed():
		return
	case once.kind == wire.Fuel:
		done.Kill = testKill(cost, once)
		return
	}
	again := t.with(done.Mutant, cost, alone(cost), outputLines)
	done.Runs++
	done.Spent = done.Spent || again.leaked > cost.Leaked
	if again.kind.Failed() {
		done.Kill = testKill(cost, again)
	} else {
		done.Doubt = "the test fails with the mutant only sometimes"
	}
}

// check runs the original after a mutant that has survived, with the test that was
// run first: it may have damaged what the original needs.
func (t *trial) check(done *wire.Tried) {
	if done.Doubt != "" || len(done.Ran) == 0 {
		return
	}
	if t.original(done.Ran[0]).kind.Failed() {
		done.Doubt, done.Spent = damaged, true
	}
}

const damaged = "the test fails without the mutant too, once the mutant has run"

// original runs the test without a mutant.
func (t *trial) original(i int) testRun {
	cost := &t.req.Tests[i]
	return t.do(cost.Test, 0, allowance{fuel: alone(cost).fuel}, 0, cost.Bounds)
}

// settle runs the original with the test that pending mutants were killed by, and
// tells what has become of them. It reports whether the process is fit to go on.
func (t *trial) settle() (fit bool, err error) {
	if len(t.pending) == 0 {
		return true, nil
	}
	fit = !t.original(t.by).kind.Failed()
	for i := range t.pending {
		done := &t.pending[i]
		if !fit {
			done.Kill, done.Doubt, done.Spent = nil, damaged, true
		}
		if err := t.conn.Reply(wire.Reply{Tried: done}); err != nil {
			return false, err
		}
		fit = fit && !done.Spent
	}
	t.pending = t.pending[:0]
	return fit, nil
}

// alone runs the item's tests in the order given until one fails.
func (t *trial) alone(item wire.TryItem) wire.Tried {
	done := wire.Tried{Mutant: item.Mutant}
	run, allow := t.with, alone
	if len(item.With) > 0 {
		defer t.group(item)()
		run, allow = t.many, first // a group that fails is looked at closer in any case
	}
	for _, i := range item.Tests {
		if t.conn.Shared.Stopping() {
			break
		}
		cost := &t.req.Tests[i]
		done.Ran = append(done.Ran, i)
		done.Runs++
		r := run(item.Mutant, cost, allow(cost), outputLines)
		if len(item.With) > 0 {
			done.Fired, done.Times = bitBytes(fuzzmutrt.Fired), timesOf(item)
		}
		if r.kind.Failed() {
			done.Kill = testKill(cost, r)
			break
		}
	}
	return done
}

// timesOf are the counts of the mutants of an item.
func timesOf(item wire.TryItem) []uint32 {
	times := []uint32{fuzzmutrt.Times[item.Mutant]}
	for _, id := range item.With {
		times = append(times, fuzzmutrt.Times[id])
	}
	return times
}

// group prepares several mutants to be on together, and returns what ends that. Those that
// are active from the start are on in any case.
func (t *trial) group(item wire.TryItem) (over func()) {
	if fuzzmutrt.StaticMutant == fuzzmutrt.Many {
		return func() {}
	}
	ids := append([]uint32{item.Mutant}, item.With...)
	fuzzmutrt.SwitchOn(ids, len(t.mutantFunc)+1)
	for _, id := range ids {
		*t.slow[t.mutantFunc[id-1]] = true
	}
	return func() {
		fuzzmutrt.SwitchOn(nil, 0)
		t.setSlow(false)
	}
}

// many runs a test with the mutants of the group. It is the first of them that the
// coordinator sees in progress.
func (t *trial) many(first uint32, cost *wire.TestCost, a allowance, lines int) testRun {
	clear(fuzzmutrt.Fired)
	resetTimes(64 * len(fuzzmutrt.Group))
	return t.doActive(cost.Test, first, fuzzmutrt.Many, a, lines, cost.Bounds)
}

// with runs a test with a mutant, 0 for none, through the mutable body of the function that
// holds it.
func (s *suite) with(mutant uint32, cost *wire.TestCost, a allowance, lines int) testRun {
	if mutant > 0 && mutant != fuzzmutrt.StaticMutant {
		slow := s.slow[s.mutantFunc[mutant-1]]
		*slow = true
		defer func() { *slow = false }()
	}
	return s.do(cost.Test, mutant, a, lines, cost.Bounds)
}

func testKill(c *wire.TestCost, r testRun) *wire.TestKill {
	kill := &wire.TestKill{Test: c.Test, Kind: oracle.Assertion, Detail: r.detail}
	switch r.kind {
	case wire.Panic:
		kill.Kind = oracle.Panic
	case wire.Exit:
		kill.Kind = oracle.Exit
	case wire.Fuel:
		kill.Kind, kill.Detail = oracle.Fuel, alone(c).text(c, r.churns)
	}
	return kill
}

// testOverhead is about what running an empty test costs, in fuel.
const testOverhead = 4000

// order returns the tests in the order that is expected to kill soonest: by cost
// over the chance to kill, which is best for trials that know nothing of each
// other (Smith 1956). The chance is estimated from the mutants before, by
// Laplace's rule of succession. Costs are rounded, so that a test that costs a
// little more in one run than in another does not change its place.
func (t *trial) order(tests []int) []int {
	list := slices.Clone(tests)
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(t.rank(a), t.rank(b)) })
	return list
}

func (t *trial) rank(i int) float64 {
	cost := uint64(t.req.Tests[i].Cost + testOverhead)
	rounded := float64(uint64(1) << bits.Len64(cost))
	return rounded * float64(t.tried[i]+2) / float64(t.killed[i]+1)
}
