package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// score runs the corpus as it stands against all mutants.
func (t *tool) score(args []string) error {
	f := newFlags("score")
	f.addRun()
	f.addBaseline()
	return reportJob(t, f, args, func(ctx context.Context) (*report.Report, error) {
		opts := f.score
		opts.Options = f.opts
		return t.jobs.score(ctx, opts)
	})
}
