package engine

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What can't be run because workers are killed from outside is put off until all else
// is done: whoever kills them may have stopped by then. What can't be run then either
// is not judged.

// putOff is an input that is to be run once more.
type putOff struct {
	input   int
	mutants []uint32 // with these; nil: with all
}

// putOffTries is how often that is tried.
const putOffTries = 3

func (s *share) putOff(input int, mutants []uint32) {
	s.put = append(s.put, putOff{input, mutants})
}

// takeUp runs what was put off.
func (s *share) takeUp(ctx context.Context) error {
	for try := 0; try < putOffTries && len(s.put) > 0; try++ {
		list := s.put
		s.put = nil
		for i, p := range list {
			if err := ctx.Err(); err != nil {
				s.put = append(s.put, list[i:]...)
				return err
			}
			if err := s.again(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// again runs an input that was put off.
func (s *share) again(ctx context.Context, p putOff) error {
	q := *s.q
	q.Inputs = q.Inputs[p.input : p.input+1]
	t := newShare(s.e, &q, s.part, s.parts)
	for m := range t.dead {
		t.dead[m] = t.dead[m] || s.dead[m] || p.mutants != nil && !slices.Contains(p.mutants, uint32(m))
	}
	err := t.runAll(ctx)
	for _, k := range t.kills {
		k.Input = p.input
		s.kills = append(s.kills, k)
		s.killedAt[k.Mutant] = p.input
		s.dead[k.Mutant] = s.dead[k.Mutant] || t.dead[k.Mutant]
	}
	if p.mutants == nil {
		s.results[p.input] = t.results[0]
		s.stats.add(&t.stats)
	}
	for _, more := range t.put {
		more.input = p.input
		if more.mutants == nil {
			more.mutants = p.mutants
		}
		s.put = append(s.put, more)
	}
	return err
}

// notRun adds the mutants that were not run on all inputs.
func (s *share) notRun(list map[uint32]bool) {
	for _, p := range s.put {
		for m := range s.dead {
			if m > 0 && !s.dead[m] && !s.killed(uint32(m)) && (p.mutants == nil || slices.Contains(p.mutants, uint32(m))) {
				list[uint32(m)] = true
			}
		}
	}
}

// comesAndGoes takes in that an input which ended a process did so in some of its runs
// alone, or in none although the death is known.
func (s *share) comesAndGoes(ctx context.Context, input int, a *alone, d *worker.Death) error {
	if a.failed > 0 {
		return s.e.sometimes(ctx, a.flaky(s.q.Inputs[input]), a.cause)
	}
	if d.Killed || d.Memory || d.Damaged {
		return nil
	}
	o := s.e.deathOutcome(d)
	return s.e.sometimes(ctx, wire.Flaky{Input: s.q.Inputs[input], Outcome: o, Key: failure.Key(o), Failed: 1, Runs: 1 + a.runs}, d.Cause)
}

// lookAgain looks for a failure of the original on an input on which it ended in
// another way than before, and no mutant is the reason.
func (s *share) lookAgain(ctx context.Context, d *wire.Damaged) error {
	res, death, err := s.e.repeat(ctx, d.Input, flakyRuns)
	if err != nil || res.Failed == 0 {
		return err
	}
	f := wire.Flaky{Input: d.Input, Outcome: res.Outcome, Failed: 1, Runs: 2}
	cause := ""
	if death != nil {
		f.Outcome, cause = s.e.deathOutcome(death), death.Cause
	}
	f.Key = failure.Key(f.Outcome)
	s.e.mu.Lock()
	defer s.e.mu.Unlock()
	have := s.e.noteFlaky(f, cause)
	have.Seen++
	have.Failed += int64(res.Failed)
	have.Runs += int64(res.Runs)
	return nil
}
