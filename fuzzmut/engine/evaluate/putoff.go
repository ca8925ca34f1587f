package evaluate

import (
	"context"
	"slices"
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
		s.enter(k)
		s.killedAt[k.Mutant] = p.input
		s.dead[k.Mutant] = s.dead[k.Mutant] || t.dead[k.Mutant]
	}
	if p.mutants == nil {
		s.results[p.input] = t.results[0]
		s.counts.Add(&t.counts)
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
