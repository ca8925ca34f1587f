package failures

import (
	"context"
	"errors"
	"slices"
	"time"

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
// end the process are left as they are: each attempt would cost a process. All have the same
// part of a time that bounds it, and cut is for how many that was over.
func (c *Collector) Trim(ctx context.Context, procs *processes.Set, within time.Duration) (cut int, err error) {
	end := time.Now().Add(within)
	list := slices.DeleteFunc(c.Stacks(), func(b *Stack) bool { return len(b.Inputs) == 0 || b.Outcome.Kind == wire.Death })
	for i, b := range list {
		rest := len(list) - i
		if ctx.Err() != nil || time.Until(end) <= 0 {
			return cut + rest, nil
		}
		part, cancel := context.WithTimeout(ctx, time.Until(end)/time.Duration(rest))
		smaller, err := Trim(part, procs, b.Inputs[0])
		over := part.Err() != nil
		cancel()
		if over {
			cut++
		}
		switch {
		case err != nil && over && errors.Is(err, part.Err()):
		case err != nil:
			return cut, err
		case !smaller.Equal(b.Inputs[0]):
			b.Inputs = slices.Insert(b.Inputs, 0, smaller)
		}
	}
	return cut, nil
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
