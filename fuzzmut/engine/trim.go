package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/worker"
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
	p, err := e.start(ctx, false, func(uint32) bool { return true })
	if err != nil {
		return err
	}
	defer e.retire(p)
	req := wire.Request{Trim: &wire.Trim{Input: b.Inputs[0], Execs: trimExecs, Fuel: trimFuel}}
	r, err := p.Call(ctx, req, func(wire.Reply) {})
	var death *worker.Death
	if errors.As(err, &death) && !death.Internal {
		return nil // some part of the input is worse than the whole: leave it
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(r.Trimmed.Input, b.Inputs[0]) {
		b.Inputs = slices.Insert(b.Inputs, 0, r.Trimmed.Input)
	}
	return nil
}
