package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// score runs the corpus as it stands against all mutants.
func (t *tool) score(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*report.Report, error) {
		opts := f.score
		opts.Options, opts.Change = f.opts, t.restriction(f)
		return t.jobs.score(ctx, opts)
	})
}
