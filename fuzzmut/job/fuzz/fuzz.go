// Package fuzz is the main job: it fuzzes each chosen fuzz test, with the guided engine or
// with Go's own, and writes fuzz tests that were derived.
package fuzz

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/campaign"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Run runs every chosen fuzz test, one after the other. The report is not nil
// whenever there is something to report, also together with an error: what was
// found before Ctrl-C, or in the fuzz tests before the one that could not be run.
func Run(ctx context.Context, opts project.Options) (*report.Report, error) {
	p, err := project.Open(ctx, project.Config{Options: opts, Writes: true})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	var how campaign.Options
	if opts.Engine == project.EngineNative {
		how.Search = fuzzNative
	}
	return p.Report(ctx, func(pkg *project.Package, test instrument.FuzzTest) project.Job {
		return campaign.New(p, pkg, test, nil, how)
	})
}
