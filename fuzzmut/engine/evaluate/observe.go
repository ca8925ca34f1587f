package evaluate

import (
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Observed is what the original did on one input, with the golden texts of what was
// observed.
type Observed struct {
	wire.Recording
	Cause string // of the death that it ended with, if its Kind is wire.Death
}

// Observe runs inputs on the original, in order and in a process of its own, and
// in another one after each input that ends it. The orders of maps, by input, are any
// numbers; nil stands for the one that mutants are run in.
func (e *Evaluator) Observe(ctx context.Context, inputs [][]byte, orders []uint64) ([]Observed, error) {
	var list []Observed
	for len(list) < len(inputs) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := len(list)
		more, err := e.observe(ctx, inputs[n:], orders[min(n, len(orders)):])
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// observe is Observe up to the first input that ends the process.
func (e *Evaluator) observe(ctx context.Context, inputs [][]byte, orders []uint64) ([]Observed, error) {
	p, _, err := e.procs.Launch(ctx, e.procs.Worker(), processes.Everything, nil)
	if err != nil {
		return nil, err
	}
	defer e.procs.Retire(p)
	items := make([]wire.ReplayItem, len(inputs))
	for i, input := range inputs {
		items[i].Input = input
		if i < len(orders) {
			items[i].Order = orders[i]
		}
	}
	var list []Observed
	_, err = p.Replay(ctx, &wire.Replay{Items: items, Golden: true}, worker.ReplayEvents{
		Recording: func(r *wire.Recording) { list = append(list, Observed{Recording: *r}) },
	})
	var death *worker.Death
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &death) && !death.Internal && len(list) < len(inputs):
		e.procs.LogDeath(death)
		return append(list, Observed{Recording: wire.Recording{Kind: wire.Death}, Cause: death.Cause}), nil
	}
	return list, err
}
