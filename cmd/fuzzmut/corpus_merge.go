package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/merge"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// corpusMerge adds inputs of other corpora.
func (t *tool) corpusMerge(args []string) error {
	f := newFlags("corpus merge")
	opts := f.addMerge()
	return reportJob(t, f, args, func(ctx context.Context) (*report.Report, error) {
		opts.From, f.opts.Packages = f.opts.Packages, f.packages
		opts.Options = f.opts
		return t.jobs.combine(ctx, *opts)
	})
}

// addMerge adds the flags of the subcommand that merges corpora. The result is
// filled in, but for what stands without a flag, when they are parsed.
func (f *flags) addMerge() *merge.Options {
	opts := new(merge.Options)
	f.addRun()
	f.addDryRun()
	f.addFollowLinks()
	f.addBy(&opts.By)
	f.addPackage()
	return opts
}

// addPackage adds the flag of subcommands whose arguments are files.
func (f *flags) addPackage() {
	f.files = true
	f.set.Func("package", "`pattern` of the packages", func(s string) error {
		f.packages = append(f.packages, s)
		return nil
	})
}
