package main

import (
	"errors"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share/bucket"
)

// addRun adds the flags of the subcommands that run fuzz tests and give a score.
func (f *flags) addRun() {
	f.addCorpus()
	f.addMinScore()
	f.addResult(format.Mutants)
	f.addCoverProfile(&f.opts.CoverProfile, "resulting corpus covers")
	f.set.Func("tyche", "`file` for what became of the entries of the resulting corpus", func(s string) (err error) {
		f.opts.Tyche, err = absolute(s)
		return err
	})
}

// addCoverProfile adds the flag of the subcommands that write a coverage profile.
func (f *flags) addCoverProfile(to *string, what string) {
	f.set.Func("coverprofile", "`file` for a profile of what the "+what, func(s string) (err error) {
		*to, err = absolute(s)
		return err
	})
}

// addCorpus adds the flags of the subcommands that run corpora.
func (f *flags) addCorpus() {
	f.addFuzzPattern()
	f.set.StringVar(&f.opts.CorpusDir, "corpus", "", "`directory` of the corpus")
	f.addLimits()
}

// addFuzzPattern adds the flag that chooses fuzz tests.
func (f *flags) addFuzzPattern() {
	f.set.Func("fuzz", "`regexp` of fuzz tests to run", func(s string) error {
		f.opts.Fuzz = s
		_, err := regexp.Compile(s)
		return err
	})
}

// addShare adds the flag of the subcommands that take part in a shared directory.
func (f *flags) addShare() {
	f.set.Func("share", "`directory` or URL of a bucket of what other processes found, and of what this one finds", func(s string) (err error) {
		if s == "" {
			return errors.New("no name; write a directory")
		}
		if bucket.IsURL(s) {
			f.opts.Share = s
			return nil
		}
		f.opts.Share, err = filepath.Abs(s)
		return err
	})
}

// addDryRun adds the flag of the subcommands that write.
func (f *flags) addDryRun() { f.set.BoolVar(&f.opts.DryRun, "n", false, "write nothing") }

// addFollowLinks adds the flag of the subcommands that write into testdata.
func (f *flags) addFollowLinks() {
	f.set.BoolVar(&f.opts.FollowLinks, "follow-links", false, "write through symbolic links that lead out of the module")
}

// addVerify adds the flags of the subcommand that verifies golden values.
func (f *flags) addVerify() {
	f.addFuzzPattern()
	f.addFollowLinks()
	f.addResult(format.Golden)
	f.set.BoolVar(&f.verify.Update, "update", false, "accept what is observed")
	f.set.BoolVar(&f.verify.WriteTest, "write-test", false, "write a test that compares golden values")
	f.addKnown()
	f.addLimits()
}

// addLimits adds the flags that bound what the test binary takes.
func (f *flags) addLimits() {
	f.set.Func("parallel", "`number` of processes", func(s string) error {
		n, err := strconv.ParseUint(s, 10, 16)
		if err != nil || n == 0 {
			return errors.New("not a number of processes; write 1 or more")
		}
		f.opts.Parallel = int(n)
		return nil
	})
	f.addDuration(&f.opts.Timeout, "timeout", "longest `duration` of one execution or test", "10s")
	f.set.Func("memlimit", "most memory of each process, in `bytes`", func(s string) (err error) {
		f.opts.MemLimit, err = parseBytes(s)
		return err
	})
}

// addMinScore adds the flag of the subcommands that have a score.
func (f *flags) addMinScore() {
	f.set.Func("min-score", "lowest mutation `score` that passes", func(s string) (err error) {
		f.opts.MinScore, err = parseScore(s)
		return err
	})
}

// addBaseline adds the flags of the subcommand that scores a corpus.
func (f *flags) addBaseline() {
	f.set.StringVar(&f.score.Baseline, "baseline", "", "`file` of accepted surviving mutants")
	f.set.BoolVar(&f.score.NewOnly, "new-only", false, "show and count only mutants that are not in -baseline")
	f.set.BoolVar(&f.score.WriteBaseline, "write-baseline", false, "update the file of -baseline")
}

// addWithTests adds the flag of the subcommands that show survivors of fuzz tests.
func (f *flags) addWithTests() {
	f.set.BoolVar(&f.opts.WithTests, "with-tests", false, "show survivors first that no unit test notices either")
}

// addKnown adds the flag of the subcommands that tell known failures from others.
func (f *flags) addKnown() {
	f.set.StringVar(&f.opts.Known, "known", "", "`file` of known failures")
}

// addWriteTest adds the flag that has derived fuzz tests written.
func (f *flags) addWriteTest() {
	f.set.BoolVar(&f.writeTest, "write-test", false, "write the derived fuzz tests into their packages")
}

// addMutants adds the flags of the subcommand that lists mutants.
func (f *flags) addMutants() {
	f.set.StringVar(&f.show, "show", "", "print the mutant with this `ID` as a diff")
}
