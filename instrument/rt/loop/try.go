package loop

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// trial is a Try being served.
type trial struct {
	*suite
	req           *wire.Try
	tried, killed []int // by index into req.Tests
}

func (s *suite) tryAll(req *wire.Try) error {
	t := &trial{suite: s, req: req, tried: req.Tried, killed: req.Killed}
	if t.tried == nil {
		t.tried, t.killed = make([]int, len(req.Tests)), make([]int, len(req.Tests))
	}
	for _, item := range req.Items {
		if s.shared.Stopping() {
			break
		}
		done := wire.Tried{Mutant: item.Mutant}
		stopped := false
		s.withMutant(item.Mutant, func() {
			if req.Alone {
				stopped = t.alone(item, &done)
			} else {
				stopped = t.try(item, &done)
			}
		})
		if stopped {
			break
		}
		if err := s.reply(wire.Reply{Tried: &done}); err != nil {
			return err
		}
		if done.Spent {
			break
		}
	}
	return s.ran()
}

// withMutant calls f while the function that holds the mutant runs its mutable
// body.
func (s *suite) withMutant(mutant uint32, f func()) {
	if mutant > 0 {
		if fn := s.mutantFunc[mutant-1]; fn >= 0 && mutant != fuzzmutrt.StaticMutant {
			*s.slow[fn] = true
			defer func() { *s.slow[fn] = false }()
		}
	}
	f()
}

// alone runs the item's tests in the order given until one fails. It reports
// whether it was stopped before it was done.
func (t *trial) alone(item wire.TryItem, done *wire.Tried) (stopped bool) {
	for _, i := range item.Tests {
		if t.shared.Stopping() {
			return true
		}
		cost := &t.req.Tests[i]
		done.Ran = append(done.Ran, i)
		done.Runs++
		r := t.do(cost.Test, item.Mutant, aloneFuel(cost), outputLines, cost.Limit)
		if r.kind.Failed() {
			done.Kill = testKill(cost, r)
			return false
		}
	}
	return false
}

// try runs the item's tests until one fails, and makes sure that it is the
// mutant that makes it fail.
func (t *trial) try(item wire.TryItem, done *wire.Tried) (stopped bool) {
	for _, i := range t.order(item.Tests) {
		if t.shared.Stopping() {
			return true
		}
		cost := &t.req.Tests[i]
		done.Ran = append(done.Ran, i)
		done.Runs++
		t.tried[i]++
		r := t.do(cost.Test, item.Mutant, firstFuel(cost), 0, cost.Limit)
		done.Spent = done.Spent || r.leaked > cost.Leaked
		if !r.kind.Failed() {
			continue
		}
		if t.confirm(item.Mutant, cost, r, done) {
			t.killed[i]++
			return false
		}
		if done.Doubt != "" {
			return false
		}
	}
	return false
}

// confirm decides whether a test fails because of the mutant: the original must
// pass in the state that the process is in now, and the mutant must fail again.
// If so, or if it can't be told, done says what there is to say. What was slow
// rather than endless is no failure, and no doubt either.
func (t *trial) confirm(mutant uint32, cost *wire.TestCost, first testRun, done *wire.Tried) (killed bool) {
	var original testRun
	t.withoutMutant(mutant, func() {
		original = t.do(cost.Test, 0, aloneFuel(cost), 0, cost.Limit)
	})
	if original.kind.Failed() {
		done.Doubt, done.Spent = "the test fails without the mutant too, once the mutant has run", true
		return false
	}
	done.Runs++
	again := t.do(cost.Test, mutant, aloneFuel(cost), outputLines, cost.Limit)
	done.Spent = done.Spent || again.leaked > cost.Leaked
	switch {
	case again.kind.Failed():
		done.Kill = testKill(cost, again)
		return true
	case first.kind != wire.Fuel:
		done.Doubt = "the test fails with the mutant only sometimes"
	}
	return false
}

// withoutMutant calls f while the function that holds the mutant runs its fast
// body.
func (s *suite) withoutMutant(mutant uint32, f func()) {
	fn := s.mutantFunc[mutant-1]
	*s.slow[fn] = false
	f()
	*s.slow[fn] = true
}

// firstFuel is what a mutant may burn in a test before it is looked at closer,
// aloneFuel what it may burn at all.
func firstFuel(c *wire.TestCost) int64 { return c.Fuel*mutantFuelFactor + mutantFuelExtra }

func aloneFuel(c *wire.TestCost) int64 { return 10 * firstFuel(c) }

func testKill(c *wire.TestCost, r testRun) *wire.TestKill {
	kill := &wire.TestKill{Test: c.Test, Kind: "assertion", Detail: r.detail}
	switch r.kind {
	case wire.Panic, wire.Exit:
		kill.Kind = r.kind.String()
	case wire.Fuel:
		kill.Kind = r.kind.String()
		kill.Detail = fmt.Sprintf("burned more than %d units, the original %d", aloneFuel(c), c.Fuel)
	}
	return kill
}

// testOverhead is about what running an empty test costs, in fuel.
const testOverhead = 4000

// order returns the tests in the order that is expected to kill soonest: by cost
// over the chance to kill, which is best for trials that know nothing of each
// other (Smith 1956). The chance is told from the mutants before, by Laplace's
// rule of succession. Costs are rounded, so that a test that burns a little more
// in one run than in another does not change its place.
func (t *trial) order(tests []int) []int {
	list := slices.Clone(tests)
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(t.rank(a), t.rank(b)) })
	return list
}

func (t *trial) rank(i int) float64 {
	cost := uint64(t.req.Tests[i].Fuel + testOverhead)
	rounded := float64(uint64(1) << bits.Len64(cost))
	return rounded * float64(t.tried[i]+2) / float64(t.killed[i]+1)
}
