package main

import (
	"errors"
	"fmt"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// merge joins the results of several runs of test.
func (t *tool) merge(f *flags) error {
	files := f.opts.Packages // what stands there without a flag
	if len(files) == 0 {
		return usageError("fuzzmut merge needs files written by fuzzmut test -json")
	}
	out, err := t.textOutput(f)
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
	merged.MinScore = f.opts.MinScore
	return errors.Join(t.deliver(f, out, merged), exit.MergeVerdict(merged, f.opts.MinScore, f.allowMissing))
}

// newJoinFlags returns the flags of the subcommand that joins results.
func newJoinFlags(command string) *flags {
	f := newOutputFlags(command)
	f.files = true
	f.addMinScore()
	f.addResult(format.Mutants)
	f.set.BoolVar(&f.allowMissing, "allow-missing", false, "judge by the shards given")
	return f
}

// maxResult bounds a result that is read, in bytes: a mutant takes about 700.
const maxResult = 512 << 20

// readTests reads a result of fuzzmut test.
func readTests(name string) (*report.TestReport, error) {
	data, err := regular.Read(name, maxResult)
	if err != nil {
		return nil, err
	}
	r, err := format.ReadTests(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
