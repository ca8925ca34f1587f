package evaluate

import (
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Observed is what the original did on one input, with the golden texts of what was
// observed.
type Observed struct {
	wire.Recording
	Cause string // of the death that it ended with; "" if there was none
	// Blocked says that the clock ended it.
	Blocked bool
}

// Observe runs inputs on the original, in order and in its own process, and
// in another one after each input that ends it. The orders of maps, by input, are any
// numbers; nil stands for the one that mutants are run in.
func (e *Evaluator) Observe(ctx context.Context, inputs []*corpus.Input, orders []uint64) ([]Observed, error) {
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
		if e.UntilBlocked && list[len(list)-1].Blocked {
			break
		}
	}
	return list, nil
}

// observe is Observe up to the first input that ends the process.
func (e *Evaluator) observe(ctx context.Context, inputs []*corpus.Input, orders []uint64) (list []Observed, err error) {
	started := false
	err = e.procs.Again(func() error {
		list, started, err = e.observeOnce(ctx, inputs, orders)
		return err
	})
	var death *worker.Death
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !started || !errors.As(err, &death) || death.Internal:
		return list, err
	}
	e.procs.LogDeath(death)
	if len(list) < len(inputs) {
		o := e.procs.Outcome(death)
		list = append(list, Observed{Recording: wire.Recording{Kind: o.Kind, Message: o.Message}, Cause: death.Cause, Blocked: death.TimedOut})
	}
	return list, nil
}

// observeOnce runs the inputs in one process, and returns what was observed before its
// death, if it dies, and whether it was there.
func (e *Evaluator) observeOnce(ctx context.Context, inputs []*corpus.Input, orders []uint64) (list []Observed, started bool, err error) {
	p, _, err := e.procs.Launch(ctx, e.procs.Worker(), processes.Everything, nil)
	if err != nil {
		return nil, false, err
	}
	defer e.procs.Retire(p)
	items := make([]wire.ReplayItem, len(inputs))
	for i, input := range inputs {
		items[i].Input = input.Wire()
		if i < len(orders) {
			items[i].Order = orders[i]
		}
	}
	req := &wire.Replay{Items: items, Golden: true}
	if e.Weigh {
		req.Weigh = wire.WeighAll
	}
	_, err = p.Replay(ctx, req, worker.ReplayEvents{
		Recording: func(r *wire.Recording) { list = append(list, Observed{Recording: *r}) },
	})
	return list, true, err
}
