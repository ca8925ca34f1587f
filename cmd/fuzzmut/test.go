package main

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// test runs packages' own tests against mutants.
func (t *tool) test(f *flags) error {
	if f.list != "" {
		return t.listTests(f)
	}
	return reportJob(t, f, func(ctx context.Context) (*report.TestReport, error) {
		opts := f.test
		opts.Options = f.opts
		opts.Diff, opts.Patch = t.changes(f)
		opts.DiffBy = f.diffBy
		return t.jobs.test(ctx, opts)
	})
}

// listTests lists tests, and runs none.
func (t *tool) listTests(f *flags) error {
	ctx, stop := t.interruptible(t.follow(f, t.stderr))
	defer stop()
	return t.jobs.list(ctx, f.opts, f.list, t.text)
}

// cutArgs cuts the arguments at -args: what follows is for the tests.
func cutArgs(args []string) (own, tests []string) {
	i := slices.IndexFunc(args, func(arg string) bool { return arg == "-args" || arg == "--args" })
	if i < 0 {
		return args, nil
	}
	return args[:i], args[i+1:]
}
