package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus/layout"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// corpusExport writes corpora in the form that libFuzzer and AFL read, or OSS-Fuzz.
func (t *tool) corpusExport(f *flags) error {
	x := &f.export
	switch {
	case x.To == "" && x.OSSFuzz == "":
		return usageError("corpus export needs -to dir or -ossfuzz dir, where it writes: fuzzmut corpus export -to out ./parser")
	case x.To != "" && x.OSSFuzz != "":
		return usageError("-to writes raw files and -ossfuzz seed corpora; choose one")
	case x.OSSFuzz == "" && x.Layout != nil:
		return usageError("-layout is for -ossfuzz: -to writes raw files")
	}
	return reportJob(t, f, func(ctx context.Context) (*report.Export, error) {
		opts := f.export
		opts.Options = f.opts
		return t.jobs.export(ctx, opts)
	})
}

// addExport adds the flags of the subcommand that exports corpora.
func (f *flags) addExport() {
	f.addCorpus()
	f.set.StringVar(&f.export.To, "to", "", "`directory` to write to")
	f.set.StringVar(&f.export.OSSFuzz, "ossfuzz", "", "`directory` for seed corpora of OSS-Fuzz")
	f.addLayout(&f.export.Layout)
}

// addLayout adds the flag of the subcommands that read or write seed corpora.
func (f *flags) addLayout(to **layout.Layout) {
	f.set.Func("layout", "`name` of the layout of inputs for OSS-Fuzz", func(s string) (err error) {
		*to, err = layout.Parse(s)
		return err
	})
}
