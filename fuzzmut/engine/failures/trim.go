package failures

import (
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

const (
	trimExecs = 4_000         // executions per stack
	trimFuel  = 1_500_000_000 // fuel per stack: a few seconds
)

// Trim makes the representative of each stack smaller, within its stack. Inputs that
// end the process are left as they are: each attempt would cost a process.
func (c *Collector) Trim(ctx context.Context, procs *processes.Set) error {
	for _, b := range c.Stacks() {
		if len(b.Inputs) == 0 || b.Outcome.Kind == wire.Death || ctx.Err() != nil {
			continue
		}
		smaller, err := Trim(ctx, procs, b.Inputs[0])
		if err != nil {
			return err
		}
		if !smaller.Equal(b.Inputs[0]) {
			b.Inputs = slices.Insert(b.Inputs, 0, smaller)
		}
	}
	return nil
}

// Trim makes a failing input smaller that does not end the process, as long as it
// fails in the same way and place.
func Trim(ctx context.Context, procs *processes.Set, input *corpus.Input) (*corpus.Input, error) {
	p, err := procs.Start(ctx, false, processes.Everything)
	if err != nil {
		return nil, err
	}
	defer procs.Retire(p)
	trimmed, err := p.Trim(ctx, &wire.Trim{Input: input.Wire(), Execs: trimExecs, Fuel: trimFuel})
	var death *worker.Death
	if errors.As(err, &death) && !death.Internal {
		return input, nil // some part of the input is worse than the whole: leave it
	}
	if err != nil {
		return nil, err
	}
	return trimmed.Input, nil
}
