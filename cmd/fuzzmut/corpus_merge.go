package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// corpusMerge adds inputs of other corpora.
func (t *tool) corpusMerge(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*report.Report, error) {
		opts := f.merge
		opts.From, f.opts.Packages = f.opts.Packages, f.packages
		opts.Options = f.opts
		return t.jobs.combine(ctx, opts)
	})
}

// addMerge adds the flags of the subcommand that merges corpora.
func (f *flags) addMerge() {
	f.addRun()
	f.addDryRun()
	f.addFollowLinks()
	f.addBy(&f.merge.By)
	f.addPackage()
}

// addPackage adds the flag of subcommands whose arguments are files.
func (f *flags) addPackage() {
	f.files = true
	f.set.Func("package", "`pattern` of the packages", func(s string) error {
		f.packages = append(f.packages, s)
		return nil
	})
}
