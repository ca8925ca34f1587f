package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/report"
)

// score runs the corpus as it stands against all mutants.
func (t *tool) score(args []string) error {
	f := newFlags("score")
	f.addRun()
	return reportJob(t, f, args, func(ctx context.Context) (*report.Report, error) { return t.jobs.score(ctx, f.opts) })
}
