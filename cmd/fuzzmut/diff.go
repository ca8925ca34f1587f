package main

import (
	"context"
	"errors"
	"go/build"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/diff"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// diff says what a change does. Unless a flag says with what the code is compared, the
// first argument does.
func (t *tool) diff(f *flags) error {
	opts := f.compare
	if err := checkTotal(&f.opts); err != nil {
		return err
	}
	switch {
	case opts.Keep != "" && !opts.WriteTest:
		return usageError("-keep is for -write-test: add it")
	case opts.CoverageOnly && f.opts.Filter != "" && f.opts.Filter != project.FilterNone:
		return usageError("-coverage-only runs no mutants, and -filter %s does; choose one", f.opts.Filter)
	case opts.Old != "" && len(opts.With) > 0:
		return usageError("-with and -old contradict each other; choose one")
	case opts.Old != "" || len(opts.With) > 0:
	case len(f.opts.Packages) == 0:
		return usageError("nothing to compare with: name a revision, as in fuzzmut diff main ./..., or use -with module@version or -old directory")
	case build.IsLocalImport(f.opts.Packages[0]): // no revision begins like that
		return usageError("nothing to compare with: name a revision before the packages, as in fuzzmut diff %s, or use -with module@version or -old directory", strings.Join(revisionFirst(f.opts.Packages), " "))
	default:
		opts.Revision, f.opts.Packages = f.opts.Packages[0], f.opts.Packages[1:]
	}
	return reportJob(t, f, func(ctx context.Context) (*behavior.Report, error) {
		opts.Options = f.opts // with what shows its progress
		return t.jobs.diff(ctx, opts)
	})
}

// revisionFirst puts what may be a revision before packages: the first argument that is no path, or else HEAD.
func revisionFirst(args []string) []string {
	at := slices.IndexFunc(args, func(arg string) bool { return !build.IsLocalImport(arg) && !path.IsAbs(arg) })
	if at < 0 {
		return append([]string{"HEAD"}, args...)
	}
	return slices.Concat(args[at:at+1], args[:at], args[at+1:])
}

// addCompare adds the flags of the subcommand that compares old and new code.
func (f *flags) addCompare() {
	f.addFuzzPattern()
	f.addResult(format.Changes)
	f.addFuzzTime()
	f.set.Uint64Var(&f.opts.Seed, "seed", 0, "`number` that determines random choices")
	f.set.Func("with", "compare with a dependency at another version, `module@version`", func(s string) error {
		if s == "" {
			return errors.New("no module; write golang.org/x/net@v0.55.0")
		}
		f.compare.With = append(f.compare.With, s)
		return nil
	})
	f.set.Func("old", "compare with the code in another `directory`", func(s string) (err error) {
		f.compare.Old, err = absolute(s)
		return err
	})
	f.addDuration(&f.opts.Total.Duration, "total", "`time` for all fuzz tests together", "10m")
	f.compare.Work = diff.WorkFactor
	f.set.Func("work", "`factor` by which the work on an input has to grow to be a difference; 0: work is not compared", func(s string) (err error) {
		f.compare.Work, err = strconv.ParseFloat(s, 64)
		if err != nil || f.compare.Work != 0 && !(f.compare.Work > 1) {
			return errors.New("write a number above 1, or 0")
		}
		return nil
	})
	f.set.BoolVar(&f.compare.WriteTest, "write-test", false, "write the differences as tests for go test alone")
	f.set.Func("keep", "the `side` whose values these tests want: new or old", func(s string) error {
		if f.compare.Keep = s; s != diff.KeepNew && s != diff.KeepOld {
			return errors.New("write new or old")
		}
		return nil
	})
	f.set.BoolVar(&f.compare.Accept, "accept", false, "record the differences that are found as meant")
	f.set.Func("input", "compare one input only: an argument as Go `source`, once for each argument", func(s string) error {
		f.compare.Input = append(f.compare.Input, s)
		return nil
	})
	f.set.Func("filter", "`name` of the mutant filter", func(s string) error {
		filter, err := project.ParseFilter(s)
		f.opts.Filter = filter.String()
		return err
	})
	f.set.BoolVar(&f.compare.CoverageOnly, "coverage-only", false, "let coverage alone lead the search")
	f.addLimits()
}
