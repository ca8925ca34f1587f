package campaign

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Fuzz runs every chosen fuzz test, one after the other. The report is not nil
// whenever there is something to report, also together with an error: what was
// found before Ctrl-C, or in the fuzz tests before the one that could not be run.
func Fuzz(ctx context.Context, opts Options) (*report.Report, error) {
	r, err := newRunner(ctx, config{opts: opts, writes: true})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer r.close()
	var how campaignOptions
	if opts.Engine == EngineNative {
		how.search = fuzzNative
	}
	return r.report(ctx, func(b *built, test instrument.FuzzTest) job { return newCampaign(r, b, test, nil, how) })
}
