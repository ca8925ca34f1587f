package campaign

import (
	"context"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"

	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// smaller minimises an input within its bucket.
func (t *sorting) smaller(ctx context.Context, f *failing) ([]byte, error) {
	if f.result.Outcome.Kind == wire.Death || time.Now().After(t.deadline) || ctx.Err() != nil {
		return f.input, nil
	}
	ctx, cancel := t.until(ctx, 1)
	defer cancel()
	input, err := failures.Trim(ctx, t.trial.eng.Processes, f.input)
	if err != nil {
		return nil, t.trial.engineError(err)
	}
	if string(input) == string(f.input) {
		return input, nil
	}
	same := failing{input: input, result: f.result}
	query := repair.Failing{Input: input, Outcome: f.result.Outcome, Cost: f.result.Cost, Passing: t.cost}
	results, err := repair.All(ctx, t.trial.eng.Processes, []repair.Failing{query}, func(m uint32) bool { return t.mutants[m] == nil })
	if err != nil {
		return nil, t.trial.engineError(err)
	}
	same.repairs = results[0]
	if !t.showsSame(f, &same) {
		return f.input, nil
	}
	return input, nil
}

// showsSame reports whether a failing input that was made smaller is known to be
// repaired as it was before: else it may show another bug.
func (t *sorting) showsSame(f, small *failing) bool {
	return small.repairs.Done && triage.Distance(t.caseOf(f).Repaired, t.caseOf(small).Repaired) <= triage.DefaultMerge
}
