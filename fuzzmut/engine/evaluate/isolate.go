package evaluate

import (
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/alone"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// damaging is a mutant that damages the process it is run in.
type damaging struct {
	mutant uint32
	next   int // input to be run with it
	tries  int // processes started for it
}

// isolatedTries bounds the processes started for one mutant that damages state.
const isolatedTries = 8

// isolate finds out which of the suspects damaged the process, and what they do to
// the input in separate processes.
func (s *share) isolate(ctx context.Context, input int, d *worker.Damaged) error {
	guilty, err := s.search(ctx, input, d.Suspects)
	if err != nil || guilty {
		return err
	}
	if d.Value != nil { // nobody did it: the target itself does not always do the same
		if s.procs.Forgives() {
			s.leaveOut(input, d)
			return nil
		}
		s.procs.Exclude(wire.Unstable{Value: *d.Value, Text: d.Text})
		return nil
	}
	failed, err := s.alone.LookAgain(ctx, d.Input)
	if err != nil {
		return err
	}
	if !failed && len(d.Suspects) > 0 {
		// The original always passes: one of the suspects damages by chance.
		s.suspect(input, d.Suspects)
		return nil
	}
	s.procs.Exclude(wire.Unstable{Outcome: true, Text: d.Text})
	s.leaveOut(input, d)
	return nil
}

// leaveOut says nothing of an input.
func (s *share) leaveOut(input int, d *worker.Damaged) {
	s.finish(input, wire.Result{Outcome: wire.Outcome{Kind: wire.Skip, Message: d.Text}})
}

// suspect has mutants run on each further input in a process that is theirs.
func (s *share) suspect(input int, mutants []uint32) {
	for _, m := range mutants {
		if !s.dead[m] && !s.killed(m) {
			s.dead[m] = true
			s.damaging = append(s.damaging, &damaging{mutant: m, next: input + 1})
		}
	}
}

// search runs mutants in a fresh process and, if that is damaged, one half after the
// other, until each of the guilty has been alone. It reports whether there are any.
func (s *share) search(ctx context.Context, input int, ids []uint32) (guilty bool, err error) {
	if len(ids) == 0 {
		return false, nil // the original has changed with no mutant run
	}
	damaged, infected, err := s.apart(ctx, input, ids...)
	if err != nil {
		return false, err
	}
	if damaged && len(ids) > 1 {
		half := len(ids) / 2
		left, err := s.search(ctx, input, ids[:half])
		if err != nil {
			return left, err
		}
		right, err := s.search(ctx, input, ids[half:])
		return left || right, err
	}
	for _, m := range ids {
		switch {
		case damaged:
			if !s.killed(m) {
				s.counts.Run(m)
			}
			s.suspect(input, []uint32{m})
			s.dead[m] = true // killed, too: it would damage each process
		case slices.Contains(infected, m):
			s.counts.Executed[m]++
		}
	}
	s.skip[input] = append(s.skip[input], ids...)
	return damaged, nil
}

func (s *share) killed(m uint32) bool { return s.killedAt[m] != NoInput }

// apart runs mutants on one input in a fresh process, and reports whether they
// damage it, and which of them the input infects and does not kill. If it is one,
// there is no doubt who did it. If the process is killed from outside, it is done
// again, and put off in the end; one mutant that is killed each time does it itself.
func (s *share) apart(ctx context.Context, input int, ids ...uint32) (damaged bool, infected []uint32, err error) {
	own := 0
	for range alone.Tries {
		var killed *worker.Death
		damaged, infected, killed, err = s.apartOnce(ctx, input, ids)
		if err != nil || killed == nil {
			return damaged, infected, err
		}
		if len(ids) == 1 && killed.State.Running && killed.State.Mutant == ids[0] {
			own++
		} else {
			s.procs.FromOutside(killed)
		}
	}
	if own == alone.Tries {
		s.kill(input, wire.Kill{Mutant: ids[0], Kind: oracle.Exit, Detail: "killed by a signal each time"})
		return true, nil, nil
	}
	if len(ids) > 1 {
		return true, nil, nil
	}
	s.putOff(input, ids)
	return damaged, infected, nil
}

// apartOnce is apart in one process. It returns how that was killed from outside, if it
// was.
func (s *share) apartOnce(ctx context.Context, input int, ids []uint32) (damaged bool, infected []uint32, outside *worker.Death, err error) {
	p, err := s.procs.Start(ctx, s.q.Check, func(m uint32) bool { return !slices.Contains(ids, m) })
	if err != nil {
		return false, nil, nil, err
	}
	defer s.procs.Retire(p)
	item := wire.Item{Input: s.q.Inputs[input].Wire(), Select: wire.SelectListed, Mutants: ids, Explain: s.q.Explain}
	req := &wire.Run{Items: []wire.Item{item}, Linger: alone.Linger}
	killed := func(m uint32) bool { return s.killedAt[m] == input }
	_, err = p.Run(ctx, req, worker.RunEvents{
		Kill: func(k *wire.Kill) {
			if !killed(k.Mutant) {
				s.kill(input, *k)
			}
		},
		Damaged: func(d *worker.Damaged) {
			damaged = true
			if d.Kill != nil && len(ids) == 1 {
				s.kill(input, *d.Kill)
			}
		},
		Result: func(r *wire.Result) {
			for _, m := range ids {
				if !killed(m) && slices.Contains(r.Infected, m) {
					infected = append(infected, m)
				}
			}
		},
	})
	var death *worker.Death
	switch {
	case !errors.As(err, &death) || death.Internal:
		return damaged, infected, nil, err
	case death.Killed && !damaged:
		return false, nil, death, nil
	case len(ids) > 1:
		return true, nil, nil, nil
	}
	return damaged || s.diedOf(input, ids[0], death), infected, nil, nil
}

// diedOf reports whether the death of a process that ran one mutant is its doing, and
// notes the kill. The mutant may have ended. What the original does now
// and then is not its doing.
func (s *share) diedOf(input int, m uint32, d *worker.Death) bool {
	if s.killedAt[m] == input || d.State.Last != m || s.alone.Failures.IsFlaky(failure.Key(s.procs.Outcome(d))) {
		return false
	}
	s.kill(input, wire.Kill{Mutant: m, Kind: processes.KillKind(d), Detail: processes.KillDetail(d)})
	return true
}

// tryDamaging runs the mutants that damage state on the inputs up to where the
// others are, each in its own process, as far as patience goes.
func (s *share) tryDamaging(ctx context.Context) error {
	for _, d := range s.damaging {
		for ; d.next < s.done && d.tries < isolatedTries && !s.killed(d.mutant); d.next++ {
			if s.results[d.next].Outcome.Kind.Failed() {
				continue
			}
			d.tries++
			damaged, infected, err := s.apart(ctx, d.next, d.mutant)
			if err != nil {
				return err
			}
			if (damaged || len(infected) > 0) && !s.killed(d.mutant) {
				s.counts.Run(d.mutant)
			}
		}
	}
	return nil
}
