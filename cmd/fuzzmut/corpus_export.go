package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/export"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// corpusExport writes corpora in the form that libFuzzer and AFL read.
func (t *tool) corpusExport(f *flags) error {
	if f.exportTo == "" {
		return usageError("corpus export needs -to dir, where it writes: fuzzmut corpus export -to out ./parser")
	}
	return reportJob(t, f, func(ctx context.Context) (*report.Export, error) {
		return t.jobs.export(ctx, export.Options{Options: f.opts, To: f.exportTo})
	})
}

// addExport adds the flags of the subcommand that exports corpora.
func (f *flags) addExport() {
	f.addCorpus()
	f.set.StringVar(&f.exportTo, "to", "", "`directory` to write to")
}
