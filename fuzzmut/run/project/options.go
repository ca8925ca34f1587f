package project

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/search"
)

// Defaults of the zero values of [Options].
const (
	DefaultFuzzTime = 60 * time.Second
	DefaultTimeout  = 10 * time.Second
	DefaultMemLimit = 2 << 30
)

// DefaultOperators is what the zero value of Options.Operators stands for.
const DefaultOperators = "default"

// Names of engines, for [Options.Engine].
const (
	EngineGuided = "guided"
	EngineNative = "native"
)

// Options say what to run and how. The zero value of every field is usable and
// stands for the default that its comment names.
type Options struct {
	// Dir is the directory that Packages, Mutate and CorpusDir are relative to,
	// and in which the go command runs; "" is the current one.
	Dir string
	// Env is the environment of the go command and of the test binaries; nil is
	// that of this process.
	Env []string
	// Packages are the go command's package patterns of the packages whose fuzz
	// tests are run; nil means ".".
	Packages []string

	// Fuzz is a regular expression that the names of the fuzz tests to run
	// match; "" matches all.
	Fuzz string
	// FuzzTime bounds the fuzzing of each fuzz test; the zero value means
	// DefaultFuzzTime.
	FuzzTime FuzzTime
	// Total bounds the fuzzing of all fuzz tests together; the zero value: only FuzzTime does.
	Total FuzzTime
	// Until ends the fuzzing of a fuzz test sooner, once little was new; the zero value never
	// does.
	Until Until
	// Parallel is the number of worker processes; 0 means one for each
	// processor that this process may use.
	Parallel int
	// Seed determines the engine's random choices; 0 means that one is drawn,
	// and printed. With one worker and a FuzzTime of executions, it determines
	// the whole run.
	Seed uint64

	// NoDerive leaves functions marked //fuzzmut:target without a fuzz test if there is
	// none.
	NoDerive bool

	// Engine is EngineGuided or EngineNative; "" means EngineGuided.
	Engine string
	// Filter decides which mutants an input is run with, in the form that
	// ParseFilter reads; "" means "adaptive".
	Filter string
	// Dict are tokens for the input mutator, in addition to those in the code and
	// in the corpus; see Read.
	Dict [][]byte
	// Inputs says how inputs that are values of a Go type are bred, in the form that
	// ParseInputs reads; "" means "default". Other inputs are bred as always.
	Inputs string
	// WriteTypes writes the implementations of interfaces in the types of inputs to a
	// test file, before anything else.
	WriteTypes bool
	// Cost is the part of the work, from 0 to 1, that goes to inputs that may cost too much
	// for their length; 0 is none.
	Cost float64
	// CostFails has such inputs count as failing ones: the result is an error then.
	CostFails bool
	// WriteBench writes a benchmark of each beside its fuzz test.
	WriteBench bool
	// Oracles are looked at beside those that always are.
	Oracles Oracles
	// NoStudy leaves the operands of comparisons alone.
	NoStudy bool
	// Mutate are the package patterns of the packages to mutate; nil means the
	// package under test alone.
	Mutate []string
	// Generated has the generated files of those packages mutated, too.
	Generated bool
	// Operators are the names of mutation operators or of groups of them,
	// separated by commas; "" means "default".
	Operators string
	// MutateOnce and OperatorsOnce say that Mutate and Operators are those of this run, and not
	// those of the project: see Narrow.
	MutateOnce, OperatorsOnce bool
	// Arid are functions that do nothing but log, as "pkg.Func" or "pkg.Type.Method", apart
	// from those that are known: what only they depend on has no mutants.
	Arid []string

	// CorpusDir is where the resulting entries go: those of a fuzz test to
	// CorpusDir itself when it is the only one, else to a directory of its name
	// below. "" means testdata/fuzz/<name> in the package's directory.
	CorpusDir string
	// CorpusSize bounds the entries of fuzzmut's own that a run leaves where its entries
	// go, for each fuzz test: the best stay. 0 is no bound.
	CorpusSize int
	// Share is a directory in which processes leave what they found, for each other; "" is
	// none. DryRun leaves nothing there.
	Share string
	// NoGolden writes no golden values beside the entries. There are none either for
	// entries that go to CorpusDir.
	NoGolden bool
	// DryRun keeps the run from writing anything outside its temporary
	// directory.
	DryRun bool
	// FollowLinks lets a run write through testdata, or directories in it, that lead out
	// of the module by symbolic links.
	FollowLinks bool

	// Pack is a directory for a file of each package with all that a run needs of it, for Packed;
	// "" is none.
	Pack string
	// Packed is such a file, which stands for the packages, and for how they are built; "" is
	// none. The settings of the run that has packed it stand for those here.
	Packed string

	// BuildFlags go to every go command that loads or builds, before anything
	// else, in the form "-tags=x".
	BuildFlags []string

	// Timeout bounds one execution of the fuzz target by the clock, after the
	// fuel that bounds it deterministically; 0 means DefaultTimeout.
	Timeout time.Duration
	// Timeouts has the same for some of the fuzz tests. It goes before Timeout.
	Timeouts Timeouts
	// MemLimit bounds the memory of each worker, in bytes; 0 means
	// DefaultMemLimit, and a negative value means no limit.
	MemLimit int64

	// Accepted is the file with the list of accepted mutants, which do not keep a run from
	// ending early; "" is none.
	Accepted string
	// Known is the file with the list of known failures; "" is testdata/fuzz-known.txt of
	// each package, which need not exist.
	Known string
	// WriteKnown adds the failures that a run finds to that list, and removes those that
	// are fixed.
	WriteKnown bool

	// WithTests has the unit tests say which survivors of the fuzz tests they notice.
	WithTests bool

	// MinScore is the mutation score, from 0 to 1, below which the result is an
	// error of code exit.Score; 0 asks for none.
	MinScore float64

	// CoverProfile is the file for a profile of what the resulting corpora cover; "" is none.
	CoverProfile string
	// Covered has the result say what they cover, as that profile would.
	Covered bool

	// Tyche is the file for what became of the inputs of the resulting corpora, in the format of
	// package tyche; "" is none.
	Tyche string

	// RunLog receives the log of the run, line by line, in the format of package
	// runlog; nil discards it. EngineNative has none.
	RunLog io.Writer
	// Log receives details for people, in whole lines; nil discards them.
	Log io.Writer
	// Events receives what happens, one call at a time; nil discards it. The
	// run waits for it to return.
	Events func(Event)
}

// Oracles are those that are looked at only if asked for.
type Oracles struct {
	Cost     bool // mutants that differ in nothing but what they cost are killed
	Leak     bool // an input fails that leaves goroutines waiting
	Race     bool // entries are replayed under the race detector
	Overflow bool // an input fails with which a number that lost something sizes or bounds something
}

// oracles has the name of each, and where it is.
func (o *Oracles) oracles() map[string]*bool {
	return map[string]*bool{"cost": &o.Cost, "leak": &o.Leak, "overflow": &o.Overflow, "race": &o.Race}
}

// ParseOracles reads a list of names, separated by commas.
func ParseOracles(list string) (o Oracles, err error) {
	all := o.oracles()
	for name := range strings.SplitSeq(list, ",") {
		on := all[strings.TrimSpace(name)]
		if on == nil {
			return o, fmt.Errorf("no oracle %q; those that can be asked for are %s", name, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
		}
		*on = true
	}
	return o, nil
}

// String has the names, as ParseOracles reads them; "" for none.
func (o Oracles) String() string {
	var names []string
	for name, on := range o.oracles() {
		if *on {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

// FuzzTime bounds fuzzing by time or by executions. At most one field is set.
type FuzzTime struct {
	Duration time.Duration
	Execs    int64 // executions of the original program
}

// ParseFuzzTime reads "30s", any duration of package time above zero, or
// "20000x", a number of executions above zero.
func ParseFuzzTime(s string) (FuzzTime, error) {
	if n, ok := strings.CutSuffix(s, "x"); ok {
		execs, err := strconv.ParseInt(n, 10, 64)
		if err != nil || execs <= 0 {
			return FuzzTime{}, fmt.Errorf("%q is not a number of executions; write 20000x", s)
		}
		return FuzzTime{Execs: execs}, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return FuzzTime{}, fmt.Errorf("%q is neither a duration nor a number of executions; write 30s or 20000x", s)
	}
	return FuzzTime{Duration: d}, nil
}

// Until bounds fuzzing by what is new: fewer kills, blocks and failures than News in the last
// time, or number of executions.
type Until struct {
	FuzzTime
	News int // 0: 1
}

// ParseUntil reads "5/1m" or "5/100000x", fewer than 5 in the last minute or the last 100,000
// executions, or what ParseFuzzTime reads, for nothing in the last.
func ParseUntil(s string) (Until, error) {
	news, last := 1, s
	if n, rest, ok := strings.Cut(s, "/"); ok {
		var err error
		if news, err = strconv.Atoi(n); err != nil || news <= 0 {
			return Until{}, fmt.Errorf("%q does not begin with a number above zero; write 5/1m or 5/100000x", s)
		}
		last = rest
	}
	t, err := ParseFuzzTime(last)
	if err != nil {
		return Until{}, fmt.Errorf("%q is neither a duration nor a number of executions; write 30s, 20000x, 5/1m or 5/100000x", last)
	}
	return Until{FuzzTime: t, News: news}, nil
}

// String returns what ParseUntil reads.
func (u Until) String() string {
	if u.News <= 1 {
		return u.FuzzTime.String()
	}
	return strconv.Itoa(u.News) + "/" + u.FuzzTime.String()
}

// Part returns the time of a fuzz test where time is left for it and for those that follow,
// the same part for each. A number of executions stays as it is.
func (t FuzzTime) Part(left time.Duration, follow int) FuzzTime {
	if t.Execs == 0 {
		t.Duration = min(t.Duration, max(left/time.Duration(follow+1), leastPart))
	}
	return t
}

// leastPart is what a fuzz test has when others have used up more than their parts.
const leastPart = time.Second

// String returns what ParseFuzzTime reads.
func (t FuzzTime) String() string {
	if t.Execs > 0 {
		return strconv.FormatInt(t.Execs, 10) + "x"
	}
	return t.Duration.String()
}

// ParseInputs checks the name of a way to breed inputs that are values: "bytes", or a
// strategy of package search, with variants or without; "" is "default".
func ParseInputs(s string) (string, error) {
	if s == "" {
		return "default", nil
	}
	return s, search.Check(s)
}

// InputNames returns what ParseInputs reads, without variants.
func InputNames() []string { return search.Names() }

// CostShare is n where one part in n of the work goes to inputs that may cost too much; 0: none
// does.
func (o *Options) CostShare() int {
	if o.Cost <= 0 {
		return 0
	}
	return max(int(1/o.Cost+0.5), 1)
}
