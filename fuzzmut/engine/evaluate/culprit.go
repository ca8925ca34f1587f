package evaluate

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Culprit runs the mutants that may have ended a worker, each alone with the
// input in progress and the one before, until one of them is killed. It returns the
// input that kills it, or nil.
func (e *Evaluator) Culprit(ctx context.Context, d *worker.Death) (input *corpus.Input, mutants []uint32, err error) {
	inputs := []*corpus.Input{d.State.Input}
	if d.State.Previous != nil {
		inputs = append(inputs, d.State.Previous)
	}
	s := newShare(e, &Query{Inputs: inputs}, 0, 1)
	for _, m := range processes.Suspects(d) {
		for i := range inputs {
			if _, _, err := s.apart(ctx, i, m); err != nil {
				return nil, nil, err
			}
			if len(s.kills) > 0 {
				return inputs[i], s.killedMutants(), nil
			}
		}
	}
	return nil, nil, nil
}

// Damage finds out who made a worker's original differ from itself: mutants that changed
// global state, or the target, which does not always do the same. The worker is gone. It
// returns the mutants that damage their process, and those that the input kills.
func (e *Evaluator) Damage(ctx context.Context, d *worker.Damaged) (damaging, killed []uint32, err error) {
	s := newShare(e, &Query{Inputs: []*corpus.Input{d.Input}, Select: wire.SelectAlive}, 0, 1)
	if err := s.isolate(ctx, 0, d); err != nil {
		return nil, nil, err
	}
	for _, d := range s.damaging {
		damaging = append(damaging, d.mutant)
	}
	return damaging, s.killedMutants(), nil
}

func (s *share) killedMutants() []uint32 {
	var list []uint32
	for _, k := range s.kills {
		list = append(list, k.Mutant)
	}
	return list
}
