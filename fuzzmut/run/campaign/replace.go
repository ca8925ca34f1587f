package campaign

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// mayRemove says whether a run may remove what earlier ones have written: they may have had other mutants.
func mayRemove(ctx context.Context, t *trial.Trial) bool {
	opts := &t.Project.Options
	return ctx.Err() == nil && !t.Focused && !opts.DryRun && t.Project.Filter.RunsMutants() && !opts.Narrow(t.Package.Loaded)
}

// replace removes entries that earlier runs have written and that nothing needs
// any more, and returns what then stands and the names of the files. Only a whole
// run with mutants may judge that.
func replace(ctx context.Context, sel *selection.Selector, now *trial.Replay, know trial.Knowledge) (*trial.Replay, []string, error) {
	t := sel.Trial
	if !mayRemove(ctx, t) || !whole(now) {
		return now, nil, nil
	}
	ours := selection.Replaceable(t)
	if len(ours) == 0 {
		return now, nil, nil
	}
	t.Phase("looking for redundant entries of earlier runs")
	may := func(i int) bool { return ours[now.Entries[i].Path] }
	var least *trial.Replay
	var err error
	if sel.Thorough {
		least, err = sel.Shrink(ctx, now, may)
	} else {
		least, err = sel.ShrinkKnown(ctx, now, may, know)
	}
	if ctx.Err() != nil {
		return now, nil, nil
	}
	if err != nil {
		return now, nil, err
	}
	removed, err := selection.Remove(t, now.Without(least))
	return least, removed, err
}

// whole reports whether the mutants were run on all entries of a replay: what there was no
// time for may be what an entry is there for. Mutants in package initialization do not count:
// where they are many, there is never time for all.
func whole(now *trial.Replay) bool { return !now.Partial && len(now.Evaluation.Late) == 0 }
