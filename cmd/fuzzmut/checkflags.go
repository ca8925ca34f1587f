package main

import (
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// checkTotal says why flags contradict -total and -until; nil: they don't.
func checkTotal(opts *project.Options) error {
	switch {
	case opts.Total.Duration > 0 && opts.FuzzTime.Execs > 0:
		return usageError("-total is a time, and -fuzztime %v is not; choose one", opts.FuzzTime)
	case opts.Total.Execs > 0 && opts.FuzzTime.Duration > 0:
		return usageError("-total %v is a number of executions, and -fuzztime is not; choose one", opts.Total)
	case opts.Total.Execs > 0 && opts.Engine == project.EngineNative:
		return usageError("-total %v is for the engine guided; go test -fuzz takes a time", opts.Total)
	case opts.Until != (project.Until{}) && opts.Engine == project.EngineNative:
		return usageError("-until is for the engine guided; go test -fuzz does not say what is new")
	}
	return nil
}

// check finds what only shows when all arguments are known.
func (f *flags) check() error {
	for _, p := range f.opts.Packages {
		if f.files {
			break
		}
		for _, c := range commands() {
			if p == c.name {
				return usageError("%q is a command: write it before the flags; for a package of that name write ./%s", p, p)
			}
		}
	}
	if err := f.checkPacked(); err != nil {
		return err
	}
	if f.diffBy != "" && f.diff == "" {
		return usageError("-diff-by says what counts as changed for -diff, which is missing: write -diff HEAD, -diff main..., or -diff - for a patch")
	}
	if f.verbose && f.quiet {
		return usageError("-v and -q contradict each other; choose one")
	}
	if f.score.Baseline == "" && (f.score.NewOnly || f.score.WriteBaseline) {
		return usageError("-new-only and -write-baseline need -baseline file, the list of accepted mutants")
	}
	if f.diff != "" && f.writeTest {
		return usageError("-diff is for a run that fuzzes, and -write-test does not fuzz; choose one")
	}
	if f.opts.CoverProfile != "" && f.writeTest {
		return usageError("-coverprofile is for a run that fuzzes, and -write-test does not fuzz; choose one")
	}
	if f.opts.Tyche != "" && f.writeTest {
		return usageError("-tyche is for a run that fuzzes, and -write-test does not fuzz; choose one")
	}
	if f.opts.WithTests && f.writeTest {
		return usageError("-with-tests is for a run that fuzzes, and -write-test does not fuzz; choose one")
	}
	for _, o := range f.asked() {
		if f.writeTest && o.For&format.Other == 0 {
			return usageError("-%s is for a run that fuzzes, and -write-test does not fuzz; choose one", o.Flag)
		}
	}
	costAsked := f.costAsked || f.opts.CostFails || f.opts.WriteBench
	if !costAsked && f.opts.FuzzTime.Execs+f.opts.Total.Execs > 0 {
		f.opts.Cost = 0 // no clock bounds what the search takes: half as much again where fuel does not see the work
	}
	if f.opts.CostFails && f.opts.Cost == 0 {
		return usageError("-cost-fails is about the inputs that -cost looks for: leave -cost 0 out")
	}
	if f.opts.WriteBench && f.opts.Cost == 0 {
		return usageError("-write-bench is about the inputs that -cost looks for: leave -cost 0 out")
	}
	if f.opts.WriteBench && f.opts.DryRun {
		return usageError("-write-bench and -n contradict each other; choose one")
	}
	if f.opts.WriteBench && f.writeTest {
		return usageError("-write-bench is for a run that fuzzes, and -write-test does not fuzz; choose one")
	}
	if f.opts.WriteKnown && f.opts.DryRun {
		return usageError("-write-known and -n contradict each other; choose one")
	}
	if f.opts.WriteTypes && f.opts.DryRun {
		return usageError("-write-types and -n contradict each other; choose one")
	}
	if f.opts.Engine == project.EngineNative {
		if f.opts.Dict != nil {
			return usageError("-dict needs the guided engine: Go's own uses no dictionary")
		}
		if f.opts.Inputs != "" {
			return usageError("-inputs needs the guided engine: for Go's own, inputs are bytes")
		}
		if !costAsked {
			f.opts.Cost = 0
		}
		if f.opts.Cost > 0 {
			return usageError("-cost needs the guided engine: Go's own does not count work")
		}
		if f.opts.Oracles != (project.Oracles{}) {
			return usageError("-oracle needs the guided engine: Go's own runs no mutants")
		}
		if f.log != "" {
			return usageError("-log needs the guided engine: Go's own does not report its progress")
		}
	}
	return nil
}
