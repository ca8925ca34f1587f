package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// verify compares what corpora make of the code with their golden values.
func (t *tool) verify(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*report.Verification, error) {
		opts := f.verify
		opts.Options, opts.Blame = f.opts, !f.quiet
		return t.jobs.verify(ctx, opts)
	})
}
