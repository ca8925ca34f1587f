package evaluate

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/alone"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// unexplainedMost bounds the processes that may end at one input, nobody knows why.
const unexplainedMost = 3

// died attributes a death to the original, or to the mutant it is a kill of. What
// blocks is what was in progress; of the rest those are guilty that do it alone.
func (s *share) died(ctx context.Context, input int, d *worker.Death) error {
	s.procs.LogDeath(d)
	m := d.State.Mutant
	switch {
	case d.TimedOut && m == 0:
		if blocks, err := s.blocks(ctx, input, d); blocks || err != nil {
			return err
		}
	case d.TimedOut:
		s.kill(input, wire.Kill{Mutant: m, Kind: processes.KillKind(d), Detail: processes.KillDetail(d)})
		return nil
	case m == 0:
		a, err := s.alone.Run(ctx, s.q.Inputs[input], d.Killed && d.State.Running)
		if err != nil {
			return err
		}
		if a.Always() {
			s.finish(input, wire.Result{Outcome: a.Outcome})
			return nil
		}
		if err := s.comesAndGoes(ctx, input, &a, d); err != nil {
			return err
		}
	}
	guilty, err := s.trySuspects(ctx, input, d)
	if err != nil {
		return err
	}
	if s.unexplained++; !guilty {
		s.giveUp(input, d)
	}
	return nil
}

// blocks takes in that the original blocked on an input, and reports whether that comes from the
// input. A mutant that was run before may have left what it waits for, as a lock.
func (s *share) blocks(ctx context.Context, input int, d *worker.Death) (bool, error) {
	o := s.procs.Outcome(d)
	if len(processes.Suspects(d)) > 0 {
		a, err := s.alone.Run(ctx, s.q.Inputs[input], false)
		if err != nil || !a.Always() {
			return false, err
		}
		o = a.Outcome
	}
	s.finish(input, wire.Result{Outcome: o})
	return true, nil
}

// trySuspects runs the mutants that may have ended the process, each alone, and reports
// whether one of them is killed. The others are not run on the input again, so that this ends.
func (s *share) trySuspects(ctx context.Context, input int, d *worker.Death) (guilty bool, err error) {
	for _, m := range processes.Suspects(d) {
		if s.dead[m] {
			continue
		}
		_, infected, err := s.apart(ctx, input, m)
		if err != nil {
			return false, err
		}
		if s.killedAt[m] == input { // by another input it may have been killed before
			guilty = true
			continue
		}
		if len(infected) > 0 && !slices.Contains(s.skip[input], m) {
			s.counts.Executed[m]++
		}
		s.skip[input] = append(s.skip[input], m)
	}
	return guilty, nil
}

// giveUp leaves an input for later at which too many processes have ended, nobody knows
// why.
func (s *share) giveUp(input int, d *worker.Death) {
	most := unexplainedMost
	if d.Killed {
		most *= processes.LaunchTries // whoever does it may be at it for a while
	}
	if s.unexplained <= most {
		return
	}
	s.putOff(input, nil)
	if d.Killed {
		s.procs.FromOutside(d)
	} else {
		s.procs.Warn("workers die on %s (%s), which passes when run alone", processes.Describe(s.q.Inputs[input]), d.Cause)
	}
	s.finish(input, wire.Result{Outcome: wire.Outcome{Kind: wire.Skip, Message: d.Cause}})
}

// comesAndGoes takes in that an input which ended a process did so in some of its runs
// alone, or in none although the death is known.
func (s *share) comesAndGoes(ctx context.Context, input int, a *alone.Runs, d *worker.Death) error {
	if a.Failed > 0 {
		return s.alone.Sometimes(ctx, a.Flaky(s.q.Inputs[input]), a.Cause)
	}
	if d.Killed || d.Memory || d.Damaged {
		return nil
	}
	o := s.procs.Outcome(d)
	return s.alone.Sometimes(ctx, worker.Flaky{Input: s.q.Inputs[input], Outcome: o, Key: failure.Key(o), Failed: 1, Runs: 1 + a.Runs}, d.Cause)
}
