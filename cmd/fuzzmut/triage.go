package main

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/campaign"
	"github.com/fuzzmut/fuzzmut/fuzzmut/report"
)

// triage sorts failing inputs by the bugs that they show.
func (t *tool) triage(args []string) error {
	f := newFlags("triage")
	f.addTriage()
	return reportJob(t, f, args, func(ctx context.Context) (*report.TriageReport, error) {
		opts := f.triage
		opts.Options = f.opts
		return t.jobs.triage(ctx, opts)
	})
}

// addTriage adds the flags of the subcommand that sorts failing inputs.
func (f *flags) addTriage() {
	f.addCorpus()
	f.set.Func("crashers", "`directory` of failing inputs", func(s string) error {
		f.triage.Crashers = append(f.triage.Crashers, s)
		return nil
	})
	f.set.StringVar(&f.triage.First, "first", "", "`name` of the input to rank first")
	f.set.Func("triagetime", "`duration` for each fuzz test at the most", func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return errors.New("not a duration above zero; write 60s")
		}
		f.triage.Time = d
		return nil
	})
	f.set.BoolFunc("tests", "run the package's own tests with repairs", func(s string) error {
		run, err := strconv.ParseBool(s)
		f.triage.NoTests = !run
		return err
	})
	f.set.BoolVar(&f.triage.Write, "write", false, "write one input of each bucket to testdata/fuzz")
	f.set.Func("labels", "`file` of the bugs that inputs show", func(s string) (err error) {
		f.triage.Labels, err = campaign.ReadLabels(s)
		return err
	})
}
