package bugs

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// waits divide the time of an execution, in turn: all inputs are run before any is waited
// for, and what does not end is run again with more time.
var waits = [...]time.Duration{64, 8, 1}

// split runs, without mutants, the inputs that are not known to fail, and finds out
// which ones do.
func (t *Sorting) split(ctx context.Context) error {
	list := t.unknown()
	t.trial.Phase("running %s", report.Plural(len(list), "input"))
	within, cancel := t.time.until(ctx, matrixShare)
	defer cancel()
	blocked := list
	for _, divisor := range waits {
		var err error
		if blocked, err = t.runWithin(within, blocked, divisor); err != nil {
			return err
		}
	}
	if err := t.findSlow(within, list); err != nil {
		return err
	}
	return t.runAgain(within)
}

// findSlow finds out which inputs that burn the fuel of a hang end with more: they pass.
func (t *Sorting) findSlow(ctx context.Context, list []int) error {
	list = slices.DeleteFunc(slices.Clone(list), func(at int) bool {
		f := &t.Inputs[at]
		return f.Status != "" || !trial.ByFuel(f.Result.Outcome)
	})
	var inputs []*corpus.Input
	var results []wire.Result
	for _, at := range list {
		inputs, results = append(inputs, t.Inputs[at].Entry.Input), append(results, t.Inputs[at].Result)
	}
	if err := t.trial.Slow(ctx, inputs, results); err != nil && !Stopped(ctx, err) {
		return err
	}
	for i, at := range list {
		if o := results[i].Outcome; o.Kind == wire.Slow {
			t.Inputs[at].enter(results[i])
			t.Inputs[at].Reason = o.Message
		}
	}
	return nil
}

// notePassing lists the inputs that a repair must not break.
func (t *Sorting) notePassing() {
	for i := range t.Inputs {
		if f := &t.Inputs[i]; f.Status == report.Passes && f.Result.Outcome.Kind == wire.Pass {
			t.Passing = append(t.Passing, f.Entry.Input)
			t.cost = max(t.cost, f.Result.Cost)
		}
	}
}

// unknown lists the inputs that are not known to fail, those first that were given as
// failing.
func (t *Sorting) unknown() (list []int) {
	for i := range t.Inputs {
		if f := &t.Inputs[i]; f.Status == "" && !f.Result.Outcome.Kind.Failed() {
			list = append(list, i)
		}
	}
	asked := func(i int) int {
		if t.Inputs[i].Asked {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(asked(a), asked(b)) })
	return list
}

// noLonger follows what is said of an input that was ended sooner than by the time of an execution.
const noLonger = ", and there was no time to wait longer: raise -triagetime"

// runWithin runs inputs, each for a part of the time of an execution at most. It returns
// those that did not end. What was run before, and is not run again for lack of time, has
// the result that it had.
func (t *Sorting) runWithin(ctx context.Context, list []int, divisor time.Duration) (blocked []int, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	var inputs []*corpus.Input
	for _, at := range list {
		inputs = append(inputs, t.Inputs[at].Entry.Input)
	}
	query := evaluate.Query{Inputs: inputs, Select: wire.SelectNone}
	if divisor > 1 {
		query.Limit = t.trial.Engine.Processes.Worker().Timeout / divisor
	}
	ev, err := t.trial.Engine.Exact.Evaluate(ctx, query)
	if err != nil && !Stopped(ctx, err) {
		return nil, t.trial.EngineError(err)
	}
	for i, at := range list {
		switch f := &t.Inputs[at]; {
		case i < ev.Done(0):
			f.enter(ev.Results[i])
		case f.Status == "" && !f.Result.Outcome.Kind.Failed():
			f.Status, f.Reason = report.NotRun, "out of time to run it"
		case divisor == 1 && repair.Blocks(f.Result.Outcome):
			f.Result.Outcome.Message += noLonger
		}
		if divisor > 1 && repair.Blocks(t.Inputs[at].Result.Outcome) {
			blocked = append(blocked, at)
		}
	}
	return blocked, nil
}

// enter takes in what became of an input without mutants.
func (f *Input) enter(r wire.Result) {
	f.Result, f.Status = r, report.Passes
	if r.Outcome.Kind.Failed() {
		f.Status = ""
	}
}
