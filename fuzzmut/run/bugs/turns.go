package bugs

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

const (
	// hangsShare is when hangs have their turn at the latest. Where inputs that end fail,
	// too, these come first: with a hang, each mutant takes as long as it may.
	hangsShare = 0.75 * matrixShare
	// leastSlice is the least processor time that an input has in its turn.
	leastSlice = 100 * time.Millisecond
)

// tryMutants runs some of the inputs with mutants.
func (t *Sorting) tryMutants(ctx context.Context, order []int, queries []repair.Failing) error {
	if len(queries) == 0 {
		return nil
	}
	t.trial.Phase("running %s with the mutants they infect", report.Plural(len(queries), "failing input"))
	begin := t.trial.Engine.Processes.CPU()
	hangs := func(i int) bool { return queries[i].Outcome.Kind == wire.Fuel }
	var ending, endless []int
	for i := range queries {
		if hangs(i) {
			endless = append(endless, i)
		} else {
			ending = append(ending, i)
		}
	}
	slices.SortStableFunc(endless, func(a, b int) int { return cmp.Compare(blocked(&queries[a]), blocked(&queries[b])) })
	results := make([]repair.Result, len(queries))
	share := matrixShare
	if len(endless) > 0 && len(ending) > 0 {
		share = hangsShare
	}
	err := cmp.Or(t.takeTurns(ctx, queries, results, ending, share), t.takeTurns(ctx, queries, results, endless, matrixShare))
	t.Matrix = t.trial.Engine.Processes.CPU() - begin
	for i, at := range order {
		t.Inputs[at].Repairs = results[i]
	}
	if err != nil {
		return t.trial.EngineError(err)
	}
	return nil
}

// blocked is 1 of what the clock has ended, which comes last.
func blocked(f *repair.Failing) int {
	if repair.Blocks(f.Outcome) {
		return 1
	}
	return 0
}

// takeTurns runs some of the failing inputs with mutants until a share of the time is spent.
// In each turn half of what is left is dealt out equally to those that are not done: what
// takes long waits for the others, and gets what they leave.
func (t *Sorting) takeTurns(ctx context.Context, queries []repair.Failing, results []repair.Result, list []int, share float64) error {
	ctx, cancel := t.time.until(ctx, share)
	defer cancel()
	slice := leastSlice
	for len(list) > 0 && ctx.Err() == nil {
		fair := t.time.left(share) * time.Duration(t.time.parallel) / time.Duration(2*len(list))
		slice = max(slice, fair)
		var q []repair.Failing
		var r []*repair.Result
		for _, i := range list {
			q, r = append(q, queries[i]), append(r, &results[i])
		}
		if err := repair.Continue(ctx, t.trial.Engine.Processes, q, r, slice, t.excluded); err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(i int) bool { return results[i].Over() })
		slice *= 2 // more than the last time, or nothing may come of it again
	}
	return nil
}
