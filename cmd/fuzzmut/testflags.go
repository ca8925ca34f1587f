package main

import (
	"errors"
	"io"
	"regexp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/test"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/restriction"
)

// addChosen adds the flags that choose the tests that judge.
func (f *flags) addChosen(run, skip *string, short *bool) {
	pattern := func(to *string) func(string) error {
		return func(s string) error {
			*to = s
			_, err := regexp.Compile(s)
			return err
		}
	}
	f.set.Func("run", "`regexp` of tests to run", pattern(run))
	f.set.Func("skip", "`regexp` of tests to leave out", pattern(skip))
	f.set.BoolVar(short, "short", false, "tell long tests to take less time")
}

// addTest adds the flags of the subcommand that runs tests.
func (f *flags) addTest() {
	f.addChosen(&f.test.Run, &f.test.Skip, &f.test.Short)
	f.set.BoolFunc("args", "pass the rest of the command line to the tests", func(string) error {
		return errors.New("takes no value: what follows it is passed to the tests")
	})
	f.set.StringVar(&f.list, "list", "", "list tests that match `regexp`, and run none")
	f.addCoverProfile(&f.test.CoverProfile, "tests cover")
	f.set.Func("cpuprofile", "`file` for a profile of the tests", func(s string) (err error) {
		f.test.CPUProfile, err = absolute(s)
		return err
	})
	f.set.BoolVar(&f.test.FailFast, "failfast", false, "end at the first survivor")
	f.set.BoolVar(&f.test.Isolate, "isolate", false, "run each mutant in a separate process")
	f.set.BoolVar(&f.test.Strict, "strict", false, "end with tests that do not pass without a mutant")
	f.addDiffBy()
	f.set.Func("shard", "`part` of the mutants", func(s string) (err error) {
		f.test.Shard, err = test.ParseShard(s)
		return err
	})
	f.set.BoolVar(&f.test.Resume, "resume", false, "resume the last run")
	f.set.BoolVar(&f.test.Fresh, "fresh", false, "reuse no verdicts of earlier runs")
	f.set.BoolVar(&f.opts.DryRun, "n", false, "build the tests, and judge no mutant")
	f.addShare()
	f.addLimits()
	f.addMinScore()
	f.addResult(format.Mutants)
}

// addDiff adds the flag of the subcommands that work on changed code.
func (f *flags) addDiff() {
	f.set.Func("diff", "`revision` since which code has changed, or - for a patch", func(s string) error {
		f.diff = s
		if s == "" {
			return errors.New("no revision; write HEAD, main..., or - for a patch")
		}
		return nil
	})
}

// addDiffBy adds -diff and the flag that says what it takes for changed.
func (f *flags) addDiffBy() {
	f.addDiff()
	f.set.Func("diff-by", "what counts as changed for -diff: `line` or function", func(s string) error {
		f.diffBy = change.Part(s)
		if f.diffBy != change.ByLine && f.diffBy != change.ByFunction {
			return errors.New("write line or function")
		}
		return nil
	})
}

// restriction returns the changed code that the flags restrict a run to.
func (t *tool) restriction(f *flags) (to restriction.Options) {
	to.Diff, to.Patch = t.changes(f)
	to.DiffBy = f.diffBy
	return to
}

// changes returns the revision since which code has changed, or the patch.
func (t *tool) changes(f *flags) (diff string, patch io.Reader) {
	if f.diff == "-" {
		return "", t.stdin
	}
	return f.diff, nil
}
