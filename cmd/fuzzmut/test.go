package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// test runs packages' own tests against mutants.
func (t *tool) test(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*report.TestReport, error) {
		opts := f.test
		opts.Options = f.opts
		opts.Diff, opts.Patch = t.changes(f)
		return t.jobs.test(ctx, opts)
	})
}
