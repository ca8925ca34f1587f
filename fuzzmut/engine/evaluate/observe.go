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
	o := e.NewObserver()
	defer o.Close()
	return o.Observe(ctx, inputs, orders)
}

// Observed returns how many inputs Observe has run so far in all. It may be called at any time.
func (e *Evaluator) Observed() int64 { return e.observed.Load() }

// Observer observes one list of inputs after the other in the same process, as long as that
// lives: a process of a large program takes long to start. It is used by one goroutine.
type Observer struct {
	e *Evaluator
	p *worker.Process // nil: there is none
	// Elsewhere, if it is not zero, has its processes run as on a machine in another time zone, from a binary of that: one
	// for each number.
	Elsewhere int
}

// NewObserver makes an observer without a process. It is to be closed.
func (e *Evaluator) NewObserver() *Observer { return &Observer{e: e} }

// Close ends the process.
func (o *Observer) Close() {
	if o.p != nil {
		o.e.procs.Retire(o.p)
		o.p = nil
	}
}

// Observe is Evaluator.Observe in the process of the observer.
func (o *Observer) Observe(ctx context.Context, inputs []*corpus.Input, orders []uint64) ([]Observed, error) {
	var list []Observed
	for len(list) < len(inputs) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := len(list)
		more, err := o.upToDeath(ctx, inputs[n:], orders[min(n, len(orders)):])
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
		if o.e.UntilBlocked && list[len(list)-1].Blocked {
			break
		}
	}
	return list, nil
}

// upToDeath is Observe up to the first input that ends the process.
func (o *Observer) upToDeath(ctx context.Context, inputs []*corpus.Input, orders []uint64) (list []Observed, err error) {
	started := false
	err = o.e.procs.Again(func() error {
		list, started, err = o.once(ctx, inputs, orders)
		return err
	})
	var death *worker.Death
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !started || !errors.As(err, &death) || death.Internal:
		return list, err
	}
	o.e.procs.LogDeath(death)
	if len(list) < len(inputs) {
		out := o.e.procs.Outcome(death)
		list = append(list, Observed{Recording: wire.Recording{Kind: out.Kind, Message: out.Message}, Cause: death.Cause, Blocked: death.TimedOut})
	}
	return list, nil
}

// once runs the inputs in one process, and returns what was observed before its
// death, if it dies, and whether it was there.
func (o *Observer) once(ctx context.Context, inputs []*corpus.Input, orders []uint64) (list []Observed, started bool, err error) {
	if o.p == nil {
		cfg := o.e.procs.Worker()
		cfg.Elsewhere = o.Elsewhere
		if o.p, _, err = o.e.procs.Launch(ctx, cfg, processes.Everything, nil); err != nil {
			o.p = nil
			return nil, false, err
		}
	}
	items := make([]wire.ReplayItem, len(inputs))
	for i, input := range inputs {
		items[i].Input = input.Wire()
		if i < len(orders) {
			items[i].Order = orders[i]
		}
	}
	req := &wire.Replay{Items: items, Golden: true}
	if o.e.Weigh {
		req.Weigh = wire.WeighAll
	}
	_, err = o.p.Replay(ctx, req, worker.ReplayEvents{
		Recording: func(r *wire.Recording) {
			o.e.observed.Add(1)
			list = append(list, Observed{Recording: *r})
		},
	})
	if err != nil || len(list) < len(inputs) {
		o.Close()
	}
	return list, true, err
}
