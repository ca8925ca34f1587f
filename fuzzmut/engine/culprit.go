package engine

import (
	"context"
	"errors"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A process may end when what ended it is over: a goroutine that panics outlives
// the execution that started it, and memory is kept from one input to the next.
// So what was under way when a worker died is only the first suspect, and counts
// as guilty when it does the same in a process of its own.

// linger is how long such a process waits for goroutines left behind.
const linger = 100 * time.Millisecond

// suspects are the mutants that may have ended a process.
func suspects(d *worker.Death) []uint32 {
	var list []uint32
	for _, m := range []uint32{d.State.Last, d.State.Before} {
		if m != 0 {
			list = append(list, m)
		}
	}
	return list
}

// runAlone runs the original on one input, in a process of its own, and says how
// that ends. It passes if nothing but a kill from outside ends it, again and again.
func (e *Engine) runAlone(ctx context.Context, input []byte) (wire.Outcome, error) {
	for range launchTries {
		o, err := e.runAloneOnce(ctx, input)
		var d *worker.Death
		switch {
		case !errors.As(err, &d) || d.Internal:
			return o, err
		case !d.Killed:
			return e.deathOutcome(d), nil
		}
	}
	return wire.Outcome{}, nil
}

func (e *Engine) runAloneOnce(ctx context.Context, input []byte) (wire.Outcome, error) {
	p, err := e.start(ctx, false, everyMutant)
	if err != nil {
		return wire.Outcome{}, err
	}
	defer e.retire(p)
	var o wire.Outcome
	req := wire.Request{Run: &wire.Run{Items: []wire.Item{{Input: input}}, Linger: linger}}
	_, err = p.Call(ctx, req, func(r wire.Reply) {
		if r.Result != nil {
			o = r.Result.Outcome
		}
	})
	return o, err
}

// guiltyInput finds the input on which the original ends as a worker did, among
// the one under way and the one before. It returns nil if neither does.
func (e *Engine) guiltyInput(ctx context.Context, d *worker.Death) ([]byte, wire.Outcome, error) {
	for _, input := range [][]byte{d.State.Input, d.State.Previous} {
		if input == nil {
			continue
		}
		if o, err := e.runAlone(ctx, input); err != nil || o.Kind.Failed() {
			return input, o, err
		}
	}
	return nil, wire.Outcome{}, nil
}

// guiltyMutants runs the mutants that may have ended a worker, each alone with the
// input under way and the one before, until one of them is killed. It returns the
// input that kills it, or nil.
func (e *Engine) guiltyMutants(ctx context.Context, d *worker.Death) (input []byte, kills []Kill, err error) {
	inputs := [][]byte{d.State.Input}
	if d.State.Previous != nil {
		inputs = append(inputs, d.State.Previous)
	}
	s := newShare(e, &Query{Inputs: inputs}, 0, 1)
	for _, m := range suspects(d) {
		for i := range inputs {
			if _, _, err := s.apart(ctx, i, m); err != nil {
				return nil, nil, err
			}
			if len(s.kills) > 0 {
				return inputs[i], s.kills, nil
			}
		}
	}
	return nil, nil, nil
}
