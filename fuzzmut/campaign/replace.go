package campaign

import (
	"context"
)

// replace removes entries that earlier runs have written and that nothing needs
// any more, and returns what then stands and the names of the files. Only a whole
// run with mutants may judge that.
func (s *campaign) replace(ctx context.Context, now *replay) (*replay, []string, error) {
	if ctx.Err() != nil || s.trial.runner.opts.DryRun || !s.trial.runner.filter.RunsMutants() {
		return now, nil, nil
	}
	ours := replaceable(s.trial)
	if len(ours) == 0 {
		return now, nil, nil
	}
	s.trial.phase("looking for entries of earlier runs that are not needed any more")
	least, err := s.sel.shrink(ctx, now, func(i int) bool { return ours[now.entries[i].Path] })
	if ctx.Err() != nil {
		return now, nil, nil
	}
	if err != nil {
		return now, nil, err
	}
	removed, err := removeEntries(s.trial, now.without(least))
	return least, removed, err
}
