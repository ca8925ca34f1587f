package unittest

import (
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// runShared runs the chunks in processes that switch from mutant to mutant. Only
// kills that are beyond doubt are final; all else goes to the queue.
func runShared(s *suite, p *plan) error {
	next := dealer(len(p.chunks))
	return s.launch.inParallel(s.launch.o.working(), func(stop func() bool) error {
		sh := &sharer{suite: s, alone: &p.alone}
		if !s.launch.o.FailFast { // survivors show in separate processes, one by one
			sh.trust = &p.trust
		}
		defer sh.close()
		for {
			i, ok := next()
			if !ok {
				return sh.audit()
			}
			if stop() || s.launch.ledger.stopped() {
				return nil
			}
			if err := sh.chunk(p.chunks[i]); err != nil {
				return err
			}
			if s.launch.o.FailFast {
				c := &confirmer{suite: s}
				if err := c.each(p.alone.take(), crew{size: 1}); err != nil {
					return err
				}
				if err := c.confirmLong(); err != nil {
					return err
				}
				for _, it := range c.outside.take() {
					p.alone.put(it)
				}
			}
		}
	})
}

// sharer runs chunks in one process at a time.
type sharer struct {
	suite *suite
	alone *queue   // of mutants that its own process has to decide on
	proc  *process // nil when there is none
	trust *trust   // nil when nothing is trusted

	// Since the state of the process was looked at last.
	unchecked []*item // that survived, with steady tests only
	spent     int64   // cost of the runs
}

func (s *sharer) close() {
	if s.proc != nil {
		s.proc.Close()
		s.proc = nil
	}
	for _, it := range s.unchecked {
		s.alone.put(it)
	}
	s.unchecked, s.spent = nil, 0
}

// chunk runs the mutants of a chunk. Where a process dies, the mutant in progress is
// put aside, and another process goes on after it.
func (s *sharer) chunk(c *chunk) error {
	for rest := c.items; len(rest) > 0; {
		if s.proc == nil {
			p, err := s.suite.launch.start()
			if s.suite.launch.ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return s.suite.launch.startError(err)
			}
			s.proc = p
		}
		done := 0
		spent := false
		err := s.proc.mutants(s.suite.request(c, rest), func(t *wire.Tried) {
			s.tried(c, rest[done], t)
			done++
			spent = t.Spent
		})
		rest = rest[done:]
		if s.suite.launch.ctx.Err() != nil {
			return nil
		}
		if err != nil {
			d, fatal := deathOf(err)
			if fatal != nil {
				return fatal
			}
			rest = s.blame(rest, d)
			spent = true
		}
		if spent {
			s.close()
		}
	}
	if s.auditDue() {
		return s.audit()
	}
	return nil
}

// blame puts aside the mutant that was in progress when the process died, and
// returns the others. Kills that the original had yet to confirm are lost, and
// tried again. If it was the original that died, it was confirming the first.
func (s *sharer) blame(rest []*item, d *worker.Death) []*item {
	i := max(0, slices.IndexFunc(rest, func(it *item) bool { return it.verdict.Mutant == d.State.Mutant }))
	if i < len(rest) {
		fmt.Fprintf(s.suite.launch.o.Log, "mutant %d ended the process: %s\n", rest[i].verdict.Mutant, d.Cause)
		rest[i].blocked = d.TimedOut
		s.alone.put(rest[i])
		rest = slices.Concat(rest[:i], rest[i+1:])
	}
	return rest
}

// request asks for the items of the chunk that are left.
func (s *suite) request(c *chunk, rest []*item) *wire.Try {
	req := &wire.Try{Tests: s.costs(c.tests, (*test).sharedBounds), Tried: c.tried, Killed: c.killed}
	at := make(map[*test]int)
	for i, t := range c.tests {
		at[t] = i
	}
	for _, it := range rest {
		w := wire.TryItem{Mutant: it.verdict.Mutant}
		for _, t := range it.shared {
			w.Tests = append(w.Tests, at[t])
		}
		req.Items = append(req.Items, w)
	}
	return req
}

// tried takes in what the tests say of a mutant.
func (s *sharer) tried(c *chunk, it *item, t *wire.Tried) {
	for _, i := range t.Ran {
		c.tried[i]++
		s.spent += c.tests[i].cost() + runCost
	}
	switch {
	case t.Kill != nil:
		c.killed[t.Ran[len(t.Ran)-1]]++
		it.verdict.Status = StatusKilled
		it.verdict.Kind, it.verdict.Test, it.verdict.Detail = t.Kill.Kind, s.suite.tests[t.Kill.Test].Name, t.Kill.Detail
		s.suite.launch.ledger.decide(it.verdict)
		return
	case t.Doubt != "":
		fmt.Fprintf(s.suite.launch.o.Log, "mutant %d: %s\n", t.Mutant, t.Doubt)
		it.infected = s.suite.tests // it may show in tests that have nothing to do with it but its traces
		if n := len(t.Ran); n > 0 {
			it.doubtful = c.tests[t.Ran[n-1]]
		}
	default:
		it.survived = true
		if s.trust != nil && it.steady() {
			s.unchecked = append(s.unchecked, it)
			return
		}
	}
	s.alone.put(it)
}
