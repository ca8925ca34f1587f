package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/minimise"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
)

// corpusMinimize removes corpus entries that add nothing to the others.
func (t *tool) corpusMinimize(args []string) error {
	f := newFlags("corpus minimize")
	opts := f.addMinimize()
	return reportJob(t, f, args, func(ctx context.Context) (*report.Minimization, error) {
		opts.Options = f.opts
		return t.jobs.minimize(ctx, *opts)
	})
}

// addMinimize adds the flags of the subcommand that minimises corpora. The result is
// filled in, but for its Options, when they are parsed.
func (f *flags) addMinimize() *minimise.Options {
	opts := new(minimise.Options)
	f.addCorpus()
	f.addDryRun()
	f.addFollowLinks()
	f.addBy(&opts.By)
	f.set.BoolVar(&opts.Cache, "cache", false, "minimise Go's fuzz cache")
	f.set.BoolVar(&opts.Prune, "prune", false, "remove entries of no use")
	return opts
}

// addBy adds the flag of the subcommands that choose entries.
func (f *flags) addBy(by *matrix.Features) {
	f.set.Func("by", "`features` that entries are kept for", func(s string) (err error) {
		*by, err = selection.ParseFeatures(s)
		return err
	})
}
