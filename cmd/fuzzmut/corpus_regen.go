package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/regen"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// corpusRegen brings corpora up to date with changed code.
func (t *tool) corpusRegen(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*report.Report, error) {
		return f.logged(func() (*report.Report, error) {
			opts := regen.Options{Options: f.opts}
			opts.Diff, opts.Patch = t.changes(f)
			return t.jobs.regen(ctx, opts)
		})
	})
}
