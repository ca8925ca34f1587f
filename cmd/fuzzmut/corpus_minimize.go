package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
)

// corpusMinimize removes corpus entries that add nothing to the others.
func (t *tool) corpusMinimize(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*report.Minimization, error) {
		opts := f.minimize
		opts.Options = f.opts
		return t.jobs.minimize(ctx, opts)
	})
}

// addMinimize adds the flags of the subcommand that minimizes corpora.
func (f *flags) addMinimize() {
	f.addCorpus()
	f.addDryRun()
	f.addFollowLinks()
	f.addBy(&f.minimize.By)
	f.set.BoolVar(&f.minimize.Cache, "cache", false, "minimize Go's fuzz cache")
	f.set.BoolVar(&f.minimize.Prune, "prune", false, "remove unusable entries")
}

// addBy adds the flag of the subcommands that choose entries.
func (f *flags) addBy(by *matrix.Features) {
	f.set.Func("by", "`features` that entries are kept for", func(s string) (err error) {
		*by, err = selection.ParseFeatures(s)
		return err
	})
}
