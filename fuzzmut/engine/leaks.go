package engine

import (
	"cmp"
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// leakInputs is how many inputs of a stack are run to see whether it leaks, the smallest first.
const leakInputs = 3

// ConfirmLeaks runs inputs of each stack that leaves goroutines waiting in fresh processes, one
// for each, and drops the stacks that do so in none. It returns how many.
func (e *Engine) ConfirmLeaks(ctx context.Context) (dropped int, err error) {
	for _, b := range e.Failures.Stacks() {
		if b.Outcome.Kind != wire.Leak {
			continue
		}
		leaks := len(b.Inputs) == 0
		for _, input := range b.Inputs[:min(leakInputs, len(b.Inputs))] {
			if leaks, err = e.leaks(ctx, input); leaks || err != nil {
				break
			}
		}
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return dropped, err
		}
		if !leaks {
			e.Failures.Drop(b.Key)
			dropped++
		}
	}
	return dropped, nil
}

// leaks reports whether an input leaves goroutines waiting in a process that has run nothing else.
func (e *Engine) leaks(ctx context.Context, input *corpus.Input) (leaks bool, err error) {
	p, err := e.Processes.Start(ctx, false, processes.Everything)
	if err != nil {
		return false, err
	}
	defer e.Processes.Retire(p)
	req := wire.Run{Items: []wire.Item{{Input: input.Wire(), Select: wire.SelectNone}}}
	_, err = p.Run(ctx, &req, worker.RunEvents{Result: func(r *wire.Result) { leaks = r.Outcome.Kind == wire.Leak }})
	var death *worker.Death
	if errors.As(err, &death) && !death.Internal {
		return false, nil
	}
	return leaks, err
}
