package main

import (
	"context"
	"regexp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// fuzzName is an argument that is a fuzz test and no package.
var fuzzName = regexp.MustCompile(`^Fuzz\w*$`)

// corpusShow lists the entries of corpora. The fuzz test may come before the packages.
func (t *tool) corpusShow(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*report.EntryList, error) {
		opts := f.opts
		if p := opts.Packages; len(p) > 0 && fuzzName.MatchString(p[0]) {
			opts.Fuzz, opts.Packages = "^"+p[0]+"$", p[1:]
		}
		return t.jobs.show(ctx, opts)
	})
}

// addShow adds the flags of the subcommand that lists entries.
func (f *flags) addShow() {
	f.addFuzzPattern()
	f.addLimits()
}
