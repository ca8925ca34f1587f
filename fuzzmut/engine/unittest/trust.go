package unittest

import (
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A mutant that survives in a shared process needs no separate process if nothing there can
// have hidden it. It does not show before the first test, so a process in which it is
// active from the start is no different. Its tests are steady: they do the same work in a
// used process as in a new one, down to the last call, so there is no cache that keeps them
// from reaching the mutant. And no earlier mutant has left state that could do so: the
// process is audited, which means that all steady tests run once more without a mutant, and
// must burn the same fuel as at first. If an audit fails, all mutants that have survived
// since the last one run in separate processes.
//
// This is checked by sampling: one in sampleShare of these survivors has its own process
// nonetheless. If one of them is killed there, all of them have.

const (
	auditShare  = 20 // an audit is due when this many times its cost is at stake
	sampleShare = 16

	// Costs in fuel, roughly.
	runCost     = 4000       // of running an empty test
	processCost = 10_000_000 // of a process
)

// trust holds the survivors that shared processes are believed.
type trust struct{ queue }

// steady says that the mutant can't be hidden by what is in the process from the start.
func (it *item) steady() bool {
	return !it.early && !slices.ContainsFunc(it.shared, func(t *test) bool { return !t.steady })
}

// audited are the tests that an audit runs.
func (s *suite) audited() []*test {
	return slices.DeleteFunc(judging(s.tests), func(t *test) bool { return !t.steady || t.long() })
}

// auditCost is what an audit costs, in fuel.
func (s *suite) auditCost() (sum int64) {
	for _, t := range s.audited() {
		sum += t.cost() + runCost
	}
	return sum
}

// auditDue says that the survivors since the last audit are worth one: otherwise they might
// all need separate processes.
func (s *sharer) auditDue() bool {
	return s.spent+int64(len(s.unchecked))*processCost >= auditShare*s.suite.auditCost()
}

// audit looks at the state of the process, and trusts the survivors since the last time if
// it is as it was.
func (s *sharer) audit() error {
	if len(s.unchecked) == 0 || s.proc == nil {
		return nil
	}
	tests := s.suite.audited()
	req := wire.Tests{}
	for _, t := range tests {
		req.List = append(req.List, t.index)
		b := s.suite.launch.aloneBounds(t)
		req.Bounds.Limit, req.Bounds.Idle = max(req.Bounds.Limit, b.Limit), max(req.Bounds.Idle, b.Idle)
	}
	same := true
	err := s.proc.original(&req, func(ran *wire.TestRan) {
		same = same && !ran.Outcome.Kind.Failed() && !ran.Working && ran.Fuel == s.suite.tests[ran.Test].Fuel
	})
	if s.suite.launch.ctx.Err() != nil {
		return nil
	}
	if err != nil {
		if _, fatal := deathOf(err); fatal != nil {
			return fatal
		}
		same = false
	}
	if !same {
		s.close()
		return nil
	}
	for _, it := range s.unchecked {
		s.trust.put(it)
	}
	s.unchecked, s.spent = nil, 0
	return nil
}

// confirmTrusted confirms one in share of the survivors, and decides on the others if it can.
// The rest, and those that have tests which can't share a process, are returned.
func (c *confirmer) confirmTrusted(list []*item, share int, where string) (rest []*item, err error) {
	byMutant(list)
	var sample []*item
	for i, it := range list {
		if it.trusted = i%share != 0; !it.trusted {
			sample = append(sample, it)
		}
	}
	if err := c.each(sample, c.suite.launch.o.working()); err != nil {
		return nil, err
	}
	if c.suite.launch.ctx.Err() != nil {
		return nil, nil
	}
	hidden := slices.ContainsFunc(sample, func(it *item) bool { return it.hidden })
	if len(list) > 0 {
		c.suite.tell("survive "+where, len(sample), len(list), hidden)
	}
	for _, it := range list {
		it.postpone()
		switch {
		case !it.trusted:
			// decided, as part of the sample, or it will be
		case !hidden && len(it.stages()) == 0:
			c.settle(it, trial{})
		default:
			it.trusted = it.trusted && !hidden
			rest = append(rest, it)
		}
	}
	return rest, nil
}

// isFar says that a test is far from the mutant: a long one that computes no different
// value while it runs, of a mutant that does so before the first test. Only in what it finds
// then could the mutant show, and all other tests have found nothing. So it is run with a
// sample of those that survive in each function, and with all of them if it kills one.
func (it *item) isFar(t *test) bool {
	return it.early && !it.static && it.doubtful == nil && (t.long() || t.works) && !t.infected.Has(int(it.verdict.Mutant))
}

func (it *item) hasFar() bool {
	return slices.ContainsFunc(judging(it.infected), func(t *test) bool { return it.isFar(t) && !it.passedBefore(t) })
}

// confirmFar decides on the mutants that have survived all tests but those that are far.
func (c *confirmer) confirmFar() error {
	list := c.far.take()
	byMutant(list)
	byFunc := make(map[int][]*item)
	var sample, rest []*item
	for _, it := range list {
		if len(byFunc[c.function(it)])%sampleShare == 0 {
			sample = append(sample, it)
		}
		byFunc[c.function(it)] = append(byFunc[c.function(it)], it)
	}
	if err := c.goFar(sample); err != nil || c.suite.launch.ctx.Err() != nil {
		return err
	}
	for _, it := range list {
		switch {
		case it.far:
		case slices.ContainsFunc(byFunc[c.function(it)], func(s *item) bool { return s.far && !s.unpaid && s.verdict.Status != StatusSurvived }):
			rest = append(rest, it)
		case slices.ContainsFunc(byFunc[c.function(it)], func(s *item) bool { return s.unpaid }):
			c.leave(it, LongOverBudget) // nothing is known of the sample
		default:
			it.verdict.Reason = LongTestsLeftOut
			c.enter(it, trial{})
		}
	}
	if len(list) > 0 {
		c.suite.tell("survive all but long tests in which they compute no different value", len(sample), len(list), len(rest) > 0)
	}
	return c.goFar(rest)
}

// goFar runs mutants with the tests that are far from them.
func (c *confirmer) goFar(items []*item) error {
	for _, it := range items {
		it.far = true
	}
	if err := c.each(items, c.suite.launch.o.working()); err != nil {
		return err
	}
	return c.confirmLate()
}

// tell writes what has been sampled to the log.
func (s *suite) tell(what string, sample, all int, killed bool) {
	end := "none of these is killed"
	if killed {
		end = "one of these is killed, and so others run, too"
	}
	fmt.Fprintf(s.launch.o.Log, "%d mutants %s; a sample of %d is run further: %s\n", all, what, sample, end)
}
