package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
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

// aloneRuns is how often an input that has ended a process is run by itself.
const aloneRuns = 5

// alone is what runs of the original on one input, each in a process of its own, came
// to.
type alone struct {
	outcome wire.Outcome // of the first that failed
	cause   string       // of its death
	killed  bool         // it was killed
	failed  int
	runs    int
}

// always reports whether every run failed.
func (a *alone) always() bool { return a.failed > 0 && a.failed == a.runs }

// runAlone runs the original on one input, each time in a process of its own. If the
// first run passes, that is all, unless a process was killed on it: the one who kills
// may be the input itself, or the system for the memory that it takes. What is killed
// while it does not run the input is somebody else's doing.
func (e *Engine) runAlone(ctx context.Context, input []byte, wasKilled bool) (a alone, err error) {
	for a.runs < aloneRuns && ctx.Err() == nil {
		a.runs++
		o, err := e.runAloneOnce(ctx, input)
		var d *worker.Death
		cause := ""
		switch {
		case errors.As(err, &d) && !d.Internal && d.Killed && !d.State.Running:
			e.fromOutside(d)
		case errors.As(err, &d) && !d.Internal:
			o, cause = e.deathOutcome(d), d.Cause
		case err != nil:
			return a, err
		}
		if o.Kind.Failed() {
			if a.failed++; a.failed == 1 {
				a.outcome, a.cause, a.killed = o, cause, d != nil && d.Killed
			}
			if d == nil || d.TimedOut {
				return a, nil // it always takes long, or a round says whether it always fails
			}
		} else if a.failed == 0 && (!wasKilled || a.runs > 1) {
			return a, nil
		}
	}
	if a.always() && a.killed {
		a.outcome.Message = fmt.Sprintf("%s in %d of %d runs by itself: it kills the process, or takes more memory than the system has", a.cause, a.failed, a.runs)
	}
	return a, ctx.Err()
}

func (e *Engine) runAloneOnce(ctx context.Context, input []byte) (wire.Outcome, error) {
	p, err := e.start(ctx, false, everyMutant)
	if err != nil {
		return wire.Outcome{}, err
	}
	defer e.retire(p)
	var o wire.Outcome
	req := &wire.Run{Items: []wire.Item{{Input: input}}, Linger: linger}
	_, err = p.Run(ctx, req, worker.RunEvents{Result: func(r *wire.Result) { o = r.Outcome }})
	return o, err
}

// guiltyInput finds the input on which the original ends as a worker did, among
// the one under way and the one before. It returns nil if neither does.
func (e *Engine) guiltyInput(ctx context.Context, d *worker.Death) ([]byte, alone, error) {
	for _, input := range [][]byte{d.State.Input, d.State.Previous} {
		if input == nil {
			continue
		}
		a, err := e.runAlone(ctx, input, d.Killed && d.State.Running)
		if err != nil || a.failed > 0 {
			return input, a, err
		}
	}
	return nil, alone{}, nil
}

// flaky describes a failure of some of the runs of an input by itself.
func (a *alone) flaky(input []byte) wire.Flaky {
	return wire.Flaky{Input: input, Outcome: a.outcome, Key: failure.Key(a.outcome), Failed: a.failed, Runs: a.runs}
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
