package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

const (
	trimExecs = 4_000         // executions per bucket
	trimFuel  = 1_500_000_000 // fuel per bucket: a few seconds
)

// TrimFailures makes the representative of each bucket smaller, within its
// bucket. Inputs that end the process are left as they are: each attempt would
// cost a process.
func (e *Engine) TrimFailures(ctx context.Context) error {
	for _, b := range e.buckets {
		if len(b.Inputs) == 0 || b.Outcome.Kind == wire.Death || ctx.Err() != nil {
			continue
		}
		if err := e.trimBucket(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) trimBucket(ctx context.Context, b *Bucket) error {
	smaller, err := e.Trim(ctx, b.Inputs[0])
	if err == nil && !bytes.Equal(smaller, b.Inputs[0]) {
		b.Inputs = slices.Insert(b.Inputs, 0, smaller)
	}
	return err
}

// Trim makes a failing input smaller that does not end the process, as long as it
// fails in the same way and place.
func (e *Engine) Trim(ctx context.Context, input []byte) ([]byte, error) {
	p, err := e.start(ctx, false, everyMutant)
	if err != nil {
		return nil, err
	}
	defer e.retire(p)
	trimmed, err := p.Trim(ctx, &wire.Trim{Input: input, Execs: trimExecs, Fuel: trimFuel})
	var death *worker.Death
	if errors.As(err, &death) && !death.Internal {
		return input, nil // some part of the input is worse than the whole: leave it
	}
	if err != nil {
		return nil, err
	}
	return trimmed.Input, nil
}
