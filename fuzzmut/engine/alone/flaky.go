package alone

import (
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

const (
	// flakyRuns is how often an input is run without mutants to see it fail once more,
	// if that burns no more than flakyFuel: some seconds. flakyDeaths of them may end
	// the process.
	flakyRuns   = 5000
	flakyFuel   = 1_000_000_000
	flakyDeaths = 4
)

// Sometimes takes in a failure that is flaky, and looks for it where no mutant is
// run, as long as it is worthwhile. What fails there may be another stack than before.
func (r Runner) Sometimes(ctx context.Context, f worker.Flaky, cause string) error {
	look := r.Failures.Saw(f, cause)
	if look == nil {
		return nil
	}
	left := flakyRuns
	for range flakyDeaths {
		if left <= 0 || ctx.Err() != nil {
			return nil
		}
		res, death, err := r.repeat(ctx, look.Input, left)
		if err != nil {
			return err
		}
		left -= max(res.Runs, 1)
		cause := ""
		if death != nil {
			res.Outcome, cause = r.Processes.Outcome(death), death.Cause
		}
		r.Failures.Looked(look, &res, cause)
		if death == nil {
			return nil
		}
	}
	return nil
}

// LookAgain looks for a failure of the original on an input on which it ended in
// another way than before, and no mutant is known to be the reason. It reports whether there is one.
func (r Runner) LookAgain(ctx context.Context, input *corpus.Input) (failed bool, err error) {
	res, death, err := r.repeat(ctx, input, flakyRuns)
	if err != nil || res.Failed == 0 {
		return false, err
	}
	f := worker.Flaky{Input: input, Outcome: res.Outcome, Failed: 1, Runs: 2}
	cause := ""
	if death != nil {
		f.Outcome, cause = r.Processes.Outcome(death), death.Cause
	}
	f.Key = failure.Key(f.Outcome)
	r.Failures.SawAgain(f, cause, &res)
	return true, nil
}

// repeat runs the original on an input in its own process, at most n times, up to
// its death.
func (r Runner) repeat(ctx context.Context, input *corpus.Input, n int) (res wire.Result, death *worker.Death, err error) {
	p, err := r.Processes.Start(ctx, false, processes.Everything)
	if err != nil {
		return res, nil, err
	}
	defer r.Processes.Retire(p)
	item := wire.Item{Input: input.Wire(), Repeat: n, Burn: flakyFuel}
	req := &wire.Run{Items: []wire.Item{item}, Linger: Linger}
	_, err = p.Run(ctx, req, worker.RunEvents{Result: func(r *wire.Result) { res = *r }})
	if errors.As(err, &death) && !death.Internal {
		err = nil
		if res.Runs == 0 {
			res.Runs = int(death.State.Execs)
		}
		if death.Killed {
			r.Processes.FromOutside(death) // the input does not always do it
			return res, nil, nil
		}
		res.Failed++
	}
	return res, death, err
}
