package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/triage"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/plot"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// triage sorts failing inputs by the bugs that they show.
func (t *tool) triage(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*report.TriageReport, error) {
		opts := f.triage
		opts.Options = f.opts
		if f.curve == "" {
			return t.jobs.triage(ctx, opts)
		}
		if opts.Labels == nil {
			return nil, usageError("-curve draws how soon the bugs of -labels are found: give both")
		}
		if err := report.CheckSave(f.curve); err != nil {
			return nil, usageError("-curve: %w", err)
		}
		rep, err := t.jobs.triage(ctx, opts)
		return rep, errors.Join(drawDiscovery(f.curve, rep), err)
	})
}

// drawDiscovery draws how soon the bugs come.
func drawDiscovery(path string, rep *report.TriageReport) error {
	if rep == nil {
		return nil
	}
	var list []plot.Discovery
	for i := range rep.Tests {
		list = append(list, plot.Discovery{Label: rep.Tests[i].Name, Seen: rep.Tests[i].Discovery})
	}
	var picture bytes.Buffer
	err := plot.DrawDiscovery(&picture, list)
	if err == nil {
		err = report.Save(path, func(w io.Writer) error {
			_, err := w.Write(picture.Bytes())
			return err
		})
	}
	if err != nil {
		return usageError("-curve: %w", err)
	}
	return nil
}

// addTriage adds the flags of the subcommand that sorts failing inputs.
func (f *flags) addTriage() {
	f.addCorpus()
	f.addResult(format.Failing)
	f.addFollowLinks()
	f.set.Func("crashers", "`directory` of failing inputs", func(s string) error {
		f.triage.Crashers = append(f.triage.Crashers, s)
		return nil
	})
	f.set.StringVar(&f.triage.First, "first", "", "`name` of the input to rank first")
	f.addDuration(&f.triage.Time, "triagetime", "processor time for each fuzz test, a `duration`", "60s")
	f.set.Func("cells", "`part` of the mutants to run failing inputs with, for others", func(s string) (err error) {
		f.triage.Cells, err = triage.ParseCells(s)
		return err
	})
	f.set.BoolFunc("tests", "run the package's own tests with repairs", func(s string) error {
		run, err := strconv.ParseBool(s)
		f.triage.NoTests = !run
		return err
	})
	f.set.Func("oracle", "sort inputs that show more than a failure, by `names`: leak, overflow, race", func(s string) (err error) {
		if f.opts.Oracles, err = project.ParseOracles(s); err == nil && f.opts.Oracles.Cost {
			err = errors.New("costly inputs are sorted in any case, and no mutant is killed here; choose of leak, overflow and race")
		}
		return err
	})
	f.set.BoolVar(&f.triage.Write, "write", false, "write one input of each bucket to testdata/fuzz")
	f.set.Func("since", "`revision` at which to run failing inputs as well", func(s string) error {
		f.triage.Since = s
		if s == "" || strings.HasPrefix(s, "-") {
			return errors.New("no revision; write v1.2.0, or HEAD~20")
		}
		return nil
	})
	f.set.StringVar(&f.curve, "curve", "", "draw to `file` how soon the bugs are found")
	f.set.Func("labels", "`file` of the bugs that inputs show", func(s string) (err error) {
		f.triage.Labels, err = triage.ReadLabels(s)
		return err
	})
}
