package bugs

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Smaller minimizes an input within its bucket. Without time for it the input stays as it is.
func (t *Sorting) Smaller(ctx context.Context, f *Input) (*corpus.Input, error) {
	if f.Cost != nil {
		return f.Cost.Shown(), nil
	}
	if kind := f.Result.Outcome.Kind; kind == wire.Death || kind.Asked() || t.time.over() || ctx.Err() != nil {
		return f.Entry.Input, nil
	}
	ctx, cancel := t.time.until(ctx, 1)
	defer cancel()
	input, err := failures.Trim(ctx, t.trial.Engine.Processes, f.Entry.Input)
	switch {
	case Stopped(ctx, err):
		return f.Entry.Input, nil
	case err != nil:
		return nil, t.trial.EngineError(err)
	case input.Equal(f.Entry.Input):
		return input, nil
	}
	same := Input{Entry: corpus.Entry{Input: input}, Result: f.Result}
	query := repair.Failing{Input: input, Outcome: f.Result.Outcome, Cost: f.Result.Cost, Passing: t.cost}
	results, err := repair.All(ctx, t.trial.Engine.Processes, []repair.Failing{query}, func(m uint32) bool { return t.mutants[m] == nil })
	if err != nil {
		return nil, t.trial.EngineError(err)
	}
	same.Repairs = results[0]
	if !t.showsSame(f, &same) {
		return f.Entry.Input, nil
	}
	return input, nil
}

// showsSame reports whether a failing input that was minimized is known to be
// repaired as it was before: else it may show another bug.
func (t *Sorting) showsSame(f, small *Input) bool {
	return small.Repairs.Done && triage.Distance(t.CaseOf(f).Repaired, t.CaseOf(small).Repaired) <= triage.DefaultMerge
}
