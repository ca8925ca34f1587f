package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
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
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
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
	costAsked    bool // -cost is given
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

// absolute returns the path of a file that is not relative to -C.
func absolute(name string) (string, error) {
	if name == "" {
		return "", errors.New("no file; write its name")
	}
	return filepath.Abs(name)
}

func usageError(format string, args ...any) error {
	return exit.Errorf(exit.Usage, format, args...)
}
