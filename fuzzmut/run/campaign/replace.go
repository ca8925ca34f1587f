package campaign

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// mayRemove says whether a run may remove what earlier ones have written.
func mayRemove(ctx context.Context, t *trial.Trial) bool {
	return ctx.Err() == nil && !t.Project.Options.DryRun && t.Project.Filter.RunsMutants()
}

// replace removes entries that earlier runs have written and that nothing needs
// any more, and returns what then stands and the names of the files. Only a whole
// run with mutants may judge that.
func replace(ctx context.Context, sel *selection.Selector, now *trial.Replay) (*trial.Replay, []string, error) {
	t := sel.Trial
	if !mayRemove(ctx, t) {
		return now, nil, nil
	}
	ours := selection.Replaceable(t)
	if len(ours) == 0 {
		return now, nil, nil
	}
	t.Phase("looking for redundant entries of earlier runs")
	least, err := sel.Shrink(ctx, now, func(i int) bool { return ours[now.Entries[i].Path] })
	if ctx.Err() != nil {
		return now, nil, nil
	}
	if err != nil {
		return now, nil, err
	}
	removed, err := selection.Remove(t, now.Without(least))
	return least, removed, err
}
