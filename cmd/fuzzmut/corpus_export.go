package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/export"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// corpusExport writes corpora in the form that libFuzzer and AFL read.
func (t *tool) corpusExport(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*report.Export, error) {
		if len(f.opts.Packages) != 1 {
			return nil, usageError("fuzzmut corpus export needs one directory to write to")
		}
		opts := export.Options{To: f.opts.Packages[0]}
		f.opts.Packages = f.packages
		opts.Options = f.opts
		return t.jobs.export(ctx, opts)
	})
}

// addExport adds the flags of the subcommand that exports corpora.
func (f *flags) addExport() {
	f.addCorpus()
	f.addPackage()
}
