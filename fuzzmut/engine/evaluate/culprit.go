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
// input that kills it, with its kills, or nil.
func (e *Evaluator) Culprit(ctx context.Context, d *worker.Death) (input *corpus.Input, kills []wire.Kill, err error) {
	inputs := []*corpus.Input{d.State.Input}
	if d.State.Previous != nil {
		inputs = append(inputs, d.State.Previous)
	}
	s := newShare(e, &Query{Inputs: inputs}, 0, 1)
	for _, m := range processes.Suspects(d) {
		for i := range inputs {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if _, _, err := s.apart(ctx, i, m); err != nil {
				return nil, nil, err
			}
			if len(s.kills) > 0 {
				return inputs[i], s.killsOnly(), nil
			}
		}
	}
	return nil, nil, nil
}

// Damage finds out who made a worker's original differ from itself: mutants that changed
// global state, or the target, which does not always do the same. The worker is gone. It
// returns the mutants that damage their process, and the kills of the input.
func (e *Evaluator) Damage(ctx context.Context, d *worker.Damaged) (damaging []uint32, kills []wire.Kill, err error) {
	s := newShare(e, &Query{Inputs: []*corpus.Input{d.Input}, Select: wire.SelectAlive}, 0, 1)
	if err := s.isolate(ctx, 0, d); err != nil {
		return nil, nil, err
	}
	for _, d := range s.damaging {
		damaging = append(damaging, d.mutant)
	}
	return damaging, s.killsOnly(), nil
}

// killsOnly lists the kills without their inputs.
func (s *share) killsOnly() []wire.Kill {
	var list []wire.Kill
	for _, k := range s.kills {
		list = append(list, k.Kill)
	}
	return list
}
