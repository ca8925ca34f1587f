package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// merge joins the results of several runs of test.
func (t *tool) merge(args []string) error {
	f := newOutputFlags("merge")
	allowMissing := f.addJoin()
	if err := f.parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return t.help([]string{"flags"})
		}
		return err
	}
	files := f.opts.Packages // what stands there without a flag
	if len(files) == 0 {
		return usageError("fuzzmut merge needs files that fuzzmut test -json has written")
	}
	out, err := t.outputs(f)
	if err != nil {
		return err
	}
	var reports []*report.TestReport
	for _, name := range files {
		r, err := readTests(name)
		if err != nil {
			return usageError("%w", err)
		}
		reports = append(reports, r)
	}
	merged, err := report.MergeTests(reports)
	if err != nil {
		return usageError("%w", err)
	}
	text := func(w io.Writer) error {
		return merged.WriteText(w, report.TextOptions{Verbose: f.verbose, Quiet: f.quiet})
	}
	return errors.Join(t.deliver(f, out, text, merged.WriteJSON), exit.MergeVerdict(merged, f.opts.MinScore, *allowMissing))
}

// addJoin adds the flags of the subcommand that joins results. The result is filled in
// when they are parsed.
func (f *flags) addJoin() (allowMissing *bool) {
	f.addMinScore()
	return f.set.Bool("allow-missing", false, "go by a part of the shards")
}

// maxResult bounds a result that is read, in bytes: a mutant takes about 700.
const maxResult = 512 << 20

// readTests reads a result of fuzzmut test.
func readTests(name string) (*report.TestReport, error) {
	data, err := regular.Read(name, maxResult)
	if err != nil {
		return nil, err
	}
	r, err := report.ReadTests(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
