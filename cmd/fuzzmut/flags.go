package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut/settings"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/diff"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/export"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/merge"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/minimise"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/score"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/suggest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/test"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/triage"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/verify"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/plot"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/restriction"
)

// flags are the flags of a subcommand, and what was read from them.
type flags struct {
	set      *flag.FlagSet
	opts     project.Options
	test     test.Options     // but for its Options
	score    score.Options    // likewise
	minimize minimise.Options // likewise
	merge    merge.Options    // likewise
	export   export.Options   // likewise
	verify   verify.Options   // likewise
	triage   triage.Options   // likewise
	compare  diff.Options     // likewise
	suggest  suggest.Options  // likewise
	limits   share.Limits     // of a shared directory
	curve    string           // file for the curve of discovery; "" none
	diff     string           // as -diff takes it
	diffBy   change.Part      // as -diff-by takes it
	outputs  []*output        // formats of the result
	log      string           // file for the run log; "" none
	list     string           // pattern of the tests to list
	show     string           // ID of the mutant to print
	// writeTest has derived fuzz tests written, in place of fuzzing.
	writeTest    bool
	regen        bool          // of the hook
	message      bool          // likewise, -diff
	budget       time.Duration // likewise
	allowMissing bool          // of merge
	picture      string        // file that plot writes; "" stdout
	over         plot.X        // what plot draws over
	verbose      bool
	lines        bool   // the result is written for editors
	annotations  string // of a service; "" prints none
	quiet        bool
	builds       bool // there are build flags, too
	// goHelp returns what the go command used in dir tells of its build flags.
	goHelp func(dir string) (string, error)
	man    bool     // of help
	raw    bool     // the arguments are those of another command, which reads them
	files  bool     // what stands without a flag are files, not packages
	args   []string // as they were given
	given  []string // the flags of args, with their values
	onLine []string // names of the flags of args
	// file is fuzzmut.toml, and configured what it has set; nil: there is none.
	file       *settings.File
	configured []configured
}

// newArguments returns the flags of a subcommand that has none: what it takes stands
// without a flag.
func newArguments(command string) *flags {
	f := &flags{set: flag.NewFlagSet("fuzzmut "+command, flag.ContinueOnError), files: true}
	f.set.SetOutput(io.Discard) // errors are printed once, by complain
	return f
}

// newOutputFlags returns the flags that every subcommand with a result has.
func newOutputFlags(command string) *flags {
	f := newArguments(command)
	f.files = false
	f.addOutputs(format.Other)
	f.set.BoolVar(&f.verbose, "v", false, "show everything")
	f.set.BoolVar(&f.quiet, "q", false, "show errors and the last line of the result")
	return f
}

// newFlags returns the flags that every subcommand that works on packages has.
// The build flags are added when the others are known, by parse.
func newFlags(command string) *flags {
	f := newOutputFlags(command)
	f.builds, f.goHelp = true, goHelp
	f.addDirectory()
	f.set.Func("mutate", "`patterns` of packages to mutate, separated by commas", func(s string) error {
		for pattern := range strings.SplitSeq(s, ",") {
			if pattern = strings.TrimSpace(pattern); pattern == "" {
				return errors.New("empty pattern; write patterns separated by commas")
			}
			f.opts.Mutate = append(f.opts.Mutate, pattern)
		}
		return nil
	})
	f.set.BoolVar(&f.opts.Generated, "generated", false, "also mutate generated files")
	f.set.Func("operators", "`names` of mutation operators, or default, strong, all or guards", func(s string) error {
		f.opts.Operators = s
		return checkOperators(s)
	})
	f.set.Func("arid", "`functions` that do nothing but log, separated by commas", func(s string) error {
		for name := range strings.SplitSeq(s, ",") {
			if name = strings.TrimSpace(name); !functionName.MatchString(name) {
				return fmt.Errorf("%q is no function; write pkg.Func or pkg.Type.Method, as log/slog.Info or zap.Logger.Warn", name)
			}
			f.opts.Arid = append(f.opts.Arid, name)
		}
		return nil
	})
	return f
}

// addDirectory adds the flag of the directory to run in.
func (f *flags) addDirectory() {
	f.set.Func("C", "`directory` to run in", func(s string) error {
		dir, err := filepath.Abs(s)
		if err != nil {
			return err
		}
		f.opts.Dir = dir
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return errors.New("no such directory")
		}
		return nil
	})
}

// functionName is a function of a package, or a method of a type: pkg.Func, pkg.Type.Method,
// with the import path of the package or its last element.
var functionName = regexp.MustCompile(`^([^\s"*()/]+/)*[^\s"*()/.][^\s"*()/]*\.[\p{L}_][\p{L}\p{Nd}_]*$`)

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
	f.set.Func("share", "`directory` of what other processes found, and of what this one finds", func(s string) (err error) {
		if s == "" {
			return errors.New("no name; write a directory")
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

// addTest adds the flags of the subcommand that runs tests.
func (f *flags) addTest() {
	f.set.Func("run", "`regexp` of tests to run", func(s string) error {
		f.test.Run = s
		_, err := regexp.Compile(s)
		return err
	})
	f.set.Func("skip", "`regexp` of tests to leave out", func(s string) error {
		f.test.Skip = s
		_, err := regexp.Compile(s)
		return err
	})
	f.set.BoolVar(&f.test.Short, "short", false, "tell long tests to take less time")
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
	f.addShare()
	f.addLimits()
	f.addMinScore()
	f.addResult(format.Mutants)
}

// absolute returns the path of a file that is not relative to -C.
func absolute(name string) (string, error) {
	if name == "" {
		return "", errors.New("no file; write its name")
	}
	return filepath.Abs(name)
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

// addCost adds the flags of the search for inputs that cost too much.
func (f *flags) addCost() {
	f.set.Func("cost", "`part` of the work for inputs that may cost too much, as 2%", func(s string) error {
		if s == "false" {
			s = "0"
		}
		part, err := parseScore(s)
		if err != nil || part > mostCost {
			return errors.New("not a part of the work up to a half; write 2%, or 0 for none")
		}
		f.opts.Cost = part
		return nil
	})
	f.set.BoolVar(&f.opts.CostFails, "cost-fails", false, "end with exit code 1 if an input costs too much")
}

// mostCost bounds that part.
const mostCost = 0.5

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

// addTotal adds the flag that bounds the fuzzing of all fuzz tests together.
func (f *flags) addTotal() {
	f.addDuration(&f.opts.Total, "total", "`time` for all fuzz tests together", "10m")
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
	f.set.Func("until", "end a fuzz test when nothing was new for a `time` or number of executions", func(s string) (err error) {
		f.opts.Until, err = project.ParseFuzzTime(s)
		return err
	})
}

// checkTotal says why flags contradict -total and -until; nil: they don't.
func checkTotal(opts *project.Options) error {
	switch {
	case opts.Total > 0 && opts.FuzzTime.Execs > 0:
		return usageError("-total is a time, and -fuzztime %v is not; choose one", opts.FuzzTime)
	case opts.Until != (project.FuzzTime{}) && opts.Engine == project.EngineNative:
		return usageError("-until is for the engine guided; go test -fuzz does not say what is new")
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

// addMutants adds the flags of the subcommand that lists mutants.
func (f *flags) addMutants() {
	f.set.StringVar(&f.show, "show", "", "print the mutant with this `ID` as a diff")
}

// parse reads args: flags and packages, in any order. "--" ends the flags. The
// result is flag.ErrHelp, unwrapped, if help was asked for.
func (f *flags) parse(args []string) error {
	f.args = args
	if f.raw {
		if len(args) > 0 && isHelp(args[0]) {
			return flag.ErrHelp
		}
		return nil
	}
	if f.set.Lookup("args") != nil {
		args, f.test.Args = cutArgs(args)
	}
	pass := func(arg string) { f.opts.BuildFlags = append(f.opts.BuildFlags, arg) }
	if f.builds {
		addBuildFlags(f.set, buildFlags, pass)
	}
	for len(args) > 0 {
		if err := f.set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return err
			}
			if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: "); ok {
				if f.laterFlag(strings.TrimLeft(name, "-"), pass) {
					args = args[len(args)-len(f.set.Args())-1:]
					continue
				}
				return f.unknownFlag(name)
			}
			return usageError("%w", err)
		}
		rest := f.set.Args()
		n := len(args) - len(rest)
		if n > 0 && args[n-1] == "--" {
			f.given = append(f.given, args[:n-1]...)
			f.opts.Packages = append(f.opts.Packages, rest...)
			break
		}
		f.given = append(f.given, args[:n]...)
		if args = rest; len(rest) > 0 {
			f.opts.Packages = append(f.opts.Packages, rest[0])
			args = rest[1:]
		}
	}
	if err := f.configure(); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return errors.Join(err, f.origins(err))
	}
	// The page alone shows what is covered.
	f.opts.Covered = slices.ContainsFunc(f.asked(), func(o *output) bool { return o.Flag == "html" })
	return nil
}

// laterFlag adds the build flag of that name, which fuzzmut does not know, if the go
// command has it, as a later one may.
func (f *flags) laterFlag(name string, pass func(arg string)) bool {
	if !f.builds {
		return false
	}
	text, err := f.goHelp(f.opts.Dir)
	if err != nil {
		return false // the run itself reports it
	}
	for _, b := range helpFlags(text) {
		if b.name == name {
			return addBuildFlags(f.set, []buildFlag{b}, pass)
		}
	}
	return false
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
	if f.opts.CostFails && f.opts.Cost == 0 {
		return usageError("-cost-fails is about the inputs that -cost looks for: write -cost 2%%, too")
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
		if f.opts.Cost > 0 {
			return usageError("-cost needs the guided engine: Go's own does not count work")
		}
		if f.log != "" {
			return usageError("-log needs the guided engine: Go's own does not report its progress")
		}
	}
	return nil
}

func usageError(format string, args ...any) error {
	return exit.Errorf(exit.Usage, format, args...)
}

// byteUnits are the suffixes of a number of bytes.
var byteUnits = []struct {
	suffix string
	factor int64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"KB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"B", 1},
}

// parseBytes reads a number of bytes, as 512MiB, or "off", which is -1.
func parseBytes(s string) (int64, error) {
	if s == "off" {
		return -1, nil
	}
	number, factor := s, int64(1)
	for _, u := range byteUnits {
		if rest, ok := strings.CutSuffix(s, u.suffix); ok {
			number, factor = rest, u.factor
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/factor {
		return 0, errors.New("not a number of bytes above zero; write 512MiB, or off")
	}
	return n * factor, nil
}

// parseScore reads a fraction from 0 to 1, or a percentage as 80%.
func parseScore(s string) (float64, error) {
	number, isPercent := strings.CutSuffix(s, "%")
	score, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if isPercent {
		score /= 100
	}
	if err != nil || !(score >= 0 && score <= 1) {
		return 0, errors.New("not a score from 0 to 1; write 0.8 or 80%")
	}
	return score, nil
}
