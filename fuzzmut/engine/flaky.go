package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Flaky is a failure that comes and goes: on the same input the original fails in one
// run and passes in another. While it was seen first, mutants were run in the same
// process, and one of them may have left something behind. So the input is run again
// and again without any: Failed of Runs runs.
type Flaky struct {
	Key     string
	Outcome wire.Outcome
	Cause   string // of a death
	Input   []byte // with which it was seen first

	Seen   int64 // failures while mutants were run, too, on any input
	Passed int   // runs of Input there that passed, of Again
	Again  int
	Failed int64 // failures without mutants
	Runs   int64 // of Input without mutants

	asked int // how often Input was run without mutants
}

// Sure reports whether the failure is known to be the original's own: it was seen
// twice, at least once where no mutant had been run.
func (f *Flaky) Sure() bool { return f.Failed > 1 || f.Failed == 1 && f.Seen > 0 }

const (
	// flakyRuns is how often an input is run without mutants to see it fail once more,
	// if that burns no more than flakyFuel: some seconds. flakyDeaths of them may end
	// the process.
	flakyRuns   = 5000
	flakyFuel   = 1_000_000_000
	flakyDeaths = 4
	// flakyAsked is how often that is done for one failure, as long as it was not seen
	// there, and flakyMost for how many failures.
	flakyAsked = 3
	flakyMost  = 16
)

// Flaky returns the failures that come and go, those first that were seen most often.
func (e *Engine) Flaky() []Flaky {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []Flaky
	for _, f := range e.flaky {
		list = append(list, *f)
	}
	slices.SortStableFunc(list, func(a, b Flaky) int {
		return cmp.Or(cmp.Compare(b.Failed, a.Failed), cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.Key, b.Key))
	})
	return list
}

// comesAndGoes reports whether failures of a bucket are known to come and go.
func (e *Engine) comesAndGoes(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.flakyOf(key) != nil
}

// flakyOf returns what is known of a bucket. The caller holds the lock.
func (e *Engine) flakyOf(key string) *Flaky {
	i := slices.IndexFunc(e.flaky, func(f *Flaky) bool { return f.Key == key })
	if i < 0 {
		return nil
	}
	return e.flaky[i]
}

// sometimes takes in a failure that comes and goes, which was seen so often, and looks
// for it where no mutant is run.
func (e *Engine) sometimes(ctx context.Context, f wire.Flaky, cause string) error {
	e.mu.Lock()
	have := e.noteFlaky(f, cause)
	have.Seen++
	look := have.Failed == 0 && have.asked < flakyAsked && len(e.flaky) <= flakyMost
	if look {
		have.asked++
	}
	e.mu.Unlock()
	if !look {
		return nil
	}
	return e.runOften(ctx, have)
}

// noteFlaky returns what is known of a failure, which may be new. The caller holds the
// lock.
func (e *Engine) noteFlaky(f wire.Flaky, cause string) *Flaky {
	have := e.flakyOf(f.Key)
	if have == nil {
		have = &Flaky{Key: f.Key, Outcome: f.Outcome, Cause: cause, Input: f.Input}
		e.flaky = append(e.flaky, have)
	}
	if string(have.Input) == string(f.Input) {
		have.Again += f.Runs
		have.Passed += f.Runs - f.Failed
	}
	if have.Outcome.Message == "" {
		have.Outcome = f.Outcome
	}
	return have
}

// runOften runs the input of a failure that comes and goes without mutants. What fails
// there may be another bucket than before.
func (e *Engine) runOften(ctx context.Context, f *Flaky) error {
	left := flakyRuns
	for range flakyDeaths {
		if left <= 0 || ctx.Err() != nil {
			return nil
		}
		res, death, err := e.repeat(ctx, f.Input, left)
		if err != nil {
			return err
		}
		left -= max(res.Runs, 1)
		cause := ""
		if death != nil {
			res.Outcome, cause = e.deathOutcome(death), death.Cause
		}
		e.mu.Lock()
		at := f
		if res.Failed > 0 {
			// A failed assertion that nobody wanted to read had no text.
			if f.Outcome.Message == "" && f.Outcome.Kind == res.Outcome.Kind {
				f.Outcome, f.Key = res.Outcome, failure.Key(res.Outcome)
			}
			at = e.noteFlaky(wire.Flaky{Input: f.Input, Outcome: res.Outcome, Key: failure.Key(res.Outcome)}, cause)
		}
		at.Failed += int64(res.Failed)
		at.Runs += int64(res.Runs)
		e.mu.Unlock()
		if death == nil {
			return nil
		}
	}
	return nil
}

// repeat runs the original on an input in a process of its own, at most n times, up to
// its death.
func (e *Engine) repeat(ctx context.Context, input []byte, n int) (res wire.Result, death *worker.Death, err error) {
	p, err := e.start(ctx, false, everyMutant)
	if err != nil {
		return res, nil, err
	}
	defer e.retire(p)
	item := wire.Item{Input: input, Repeat: n, Burn: flakyFuel}
	req := &wire.Run{Items: []wire.Item{item}, Linger: linger}
	_, err = p.Run(ctx, req, worker.RunEvents{Result: func(r *wire.Result) { res = *r }})
	if errors.As(err, &death) && !death.Internal {
		err = nil
		if res.Runs == 0 {
			res.Runs = int(death.State.Execs)
		}
		if death.Killed && !death.State.Running {
			return res, nil, nil // somebody else's doing
		}
		res.Failed++
	}
	return res, death, err
}
