package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// defaultCorpusSize is how many entries of fuzzmut's a run leaves in testdata: as many as a
// person may look through.
const defaultCorpusSize = 50

// addFuzz adds the flags of the subcommand that fuzzes.
func (f *flags) addFuzz() {
	f.addFuzzTime()
	f.set.Uint64Var(&f.opts.Seed, "seed", 0, "`number` that determines random choices")
	f.set.Func("engine", "`name` of the engine", func(s string) error {
		f.opts.Engine = s
		if s != project.EngineGuided && s != project.EngineNative {
			return fmt.Errorf("no such engine; the engines are %s and %s", project.EngineGuided, project.EngineNative)
		}
		return nil
	})
	f.set.Func("filter", "`name` of the mutant filter", func(s string) error {
		filter, err := project.ParseFilter(s)
		f.opts.Filter = filter.String()
		return err
	})
	f.set.StringVar(&f.log, "log", "", "write the run log to `file`")
	f.set.Func("dict", "`file` of tokens for new inputs", func(s string) error {
		tokens, err := dictionary.Read(s)
		f.opts.Dict = append(f.opts.Dict, tokens...)
		return err
	})
	f.set.Func("inputs", "how to make inputs that are `values`", func(s string) (err error) {
		if s == "" {
			return errors.New("no name; write default")
		}
		f.opts.Inputs, err = project.ParseInputs(s)
		return err
	})
	f.set.BoolVar(&f.opts.WriteTypes, "write-types", false, "write which types implement the interfaces in inputs")
	f.set.BoolFunc("study", "study the operands of comparisons", func(s string) error {
		study, err := strconv.ParseBool(s)
		f.opts.NoStudy = !study
		return err
	})
	f.set.BoolFunc("golden", "write golden values", func(s string) error {
		write, err := strconv.ParseBool(s)
		f.opts.NoGolden = !write
		return err
	})
	f.set.StringVar(&f.opts.Accepted, "baseline", "", "`file` of accepted surviving mutants")
	f.addKnown()
	f.set.BoolVar(&f.opts.WriteKnown, "write-known", false, "bring the list of known failures up to date")
	f.addDryRun()
	f.addFollowLinks()
}

// addCorpusSize adds the flag that bounds the entries of a fuzz test.
func (f *flags) addCorpusSize() {
	f.opts.CorpusSize = defaultCorpusSize
	f.set.Func("corpus-size", "`number` of entries to keep for each fuzz test", func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return errors.New("not a number of entries; 0 is for any number")
		}
		f.opts.CorpusSize = n
		return nil
	})
}

// addOracle adds the flag of the subcommands that can look at more than what differs.
func (f *flags) addOracle() {
	f.set.Func("oracle", "look at more, by `names`: cost, leak, overflow, race", func(s string) (err error) {
		f.opts.Oracles, err = project.ParseOracles(s)
		return err
	})
}

// addCost adds the flags of the search for inputs that cost too much.
func (f *flags) addCost() {
	f.opts.Cost = defaultCost
	f.set.Func("cost", "`part` of the work for inputs that may cost too much; 0 for none (default 2%)", func(s string) error {
		if s == "false" {
			s = "0"
		}
		part, err := parseScore(s)
		if err != nil || part > mostCost {
			return errors.New("not a part of the work up to a half; write 2%, or 0 for none")
		}
		f.opts.Cost, f.costAsked = part, true
		return nil
	})
	f.set.BoolVar(&f.opts.CostFails, "cost-fails", false, "end with exit code 1 if an input costs too much")
	f.set.BoolVar(&f.opts.WriteBench, "write-bench", false, "write a benchmark of each input that costs too much")
}

const (
	// defaultCost is that part where the user names none.
	defaultCost = 0.02
	// mostCost bounds it.
	mostCost = 0.5
)

// addTotal adds the flag that bounds the fuzzing of all fuzz tests together.
func (f *flags) addTotal() {
	f.set.Func("total", "`time` or number of executions for all fuzz tests together", func(s string) (err error) {
		f.opts.Total, err = project.ParseFuzzTime(s)
		return err
	})
}

// addDuration adds a flag with a duration above zero, as the example is one.
func (f *flags) addDuration(to *time.Duration, name, usage, example string) {
	f.set.Func(name, usage, func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return fmt.Errorf("not a duration above zero; write %s", example)
		}
		*to = d
		return nil
	})
}

// addEarly adds the flags that end fuzzing before -fuzztime.
func (f *flags) addEarly() {
	f.addTotal()
	f.set.Func("until", "end a fuzz test when nothing, or fewer than a number, was new for a `time` or number of executions", func(s string) (err error) {
		f.opts.Until, err = project.ParseUntil(s)
		return err
	})
}

// addPacked adds the flags of the subcommand that can run without the source.
func (f *flags) addPacked() {
	f.set.Func("pack", "`directory` for a file of each package, which -packed runs elsewhere", func(s string) (err error) {
		if s == "" {
			return errors.New("no name; write a directory")
		}
		f.opts.Pack, err = absolute(s)
		return err
	})
	f.set.Func("packed", "`file` that -pack has written, in place of packages", func(s string) (err error) {
		if s == "" {
			return errors.New("no name; write a file")
		}
		f.opts.Packed, err = absolute(s)
		return err
	})
}

// withPacked are the flags that a run of a packed test binary may have: others say what is built,
// are settings that come with it, or need its source.
var withPacked = map[string]bool{
	"packed": true, "share": true, "fuzz": true, "fuzztime": true, "seed": true, "parallel": true, "corpus": true, "corpus-size": true, "golden": true, "n": true,
	"q": true, "v": true, "json": true, "log": true,
}

// checkPacked says why flags don't go with -packed; nil: they do.
func (f *flags) checkPacked() error {
	if f.opts.Packed == "" {
		return nil
	}
	if len(f.opts.Packages) > 0 {
		return usageError("-packed is in place of packages; leave out %s", f.opts.Packages[0])
	}
	for _, name := range f.onLine {
		if !withPacked[name] {
			return usageError("-%s and -packed contradict each other: the test binary comes with its settings and without its source; leave out -%[1]s", name)
		}
	}
	if f.opts.Share == "" {
		return usageError("-packed needs -share with a directory for what is found")
	}
	return nil
}

// addFuzzTime adds the flag that bounds the fuzzing.
func (f *flags) addFuzzTime() { f.addFuzzTimeFor("fuzz test") }

// addFuzzTimeFor is addFuzzTime of a subcommand that has that time for something else.
func (f *flags) addFuzzTimeFor(what string) {
	f.set.Func("fuzztime", "`time` or number of executions for each "+what, func(s string) (err error) {
		f.opts.FuzzTime, err = project.ParseFuzzTime(s)
		return err
	})
}
