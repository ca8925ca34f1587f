// Package diff is the job that says what a change does: it runs old and new code on the
// same inputs, looks for those on which they differ, and finds the part of the change that
// is the cause.
package diff

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

// Options are those of a comparison. Exactly one of Revision, With and Old is set.
type Options struct {
	project.Options
	Revision string   // what the work tree, or another revision, is compared with
	With     []string // versions of modules, as "path@version"
	Old      string   // another tree
	// Grace is how long differences are still explained after an interrupt; 0: 20 s.
	Grace time.Duration
	// Work is the factor by which the work on an input has to grow to be a difference; 0:
	// work is not compared.
	Work float64
	// Input is the one input to compare, its arguments as Go source; nil: search.
	Input []string
	// Accept records the differences that are found as meant.
	Accept bool
	// WriteTest writes the differences as tests that need no fuzzmut, with the values of
	// the code that Keep names: KeepNew, or KeepOld; "" is KeepNew.
	WriteTest bool
	Keep      string
	// CoverageOnly lets coverage alone lead the search: to measure what the rest is worth.
	CoverageOnly bool
}

// question is how a user asks the same again.
func (o *Options) question() string {
	switch {
	case o.Old != "":
		return "-old " + shell.Quote(o.Old)
	case len(o.With) > 0:
		var list []string
		for _, with := range o.With {
			list = append(list, "-with "+shell.Quote(with))
		}
		return strings.Join(list, " ")
	}
	return shell.Quote(o.Revision)
}

// command is how a user has the whole comparison again.
func (o *Options) command() string {
	words := []string{"fuzzmut", "diff"}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, shell.Quote(value))
		}
	}
	if o.FuzzTime != (project.FuzzTime{}) {
		add("-fuzztime", o.FuzzTime.String())
	}
	if o.Input == nil {
		add("-seed", strconv.FormatUint(o.Seed, 10))
	}
	if o.Parallel != 0 {
		add("-parallel", strconv.Itoa(o.Parallel))
	}
	if o.Total != (project.FuzzTime{}) {
		add("-total", o.Total.String())
	}
	add("-fuzz", o.Fuzz)
	add("-mutate", strings.Join(o.Mutate, ","))
	if o.Work != WorkFactor {
		add("-work", strconv.FormatFloat(o.Work, 'g', -1, 64))
	}
	for _, arg := range o.Input {
		add("-input", arg)
	}
	if o.CoverageOnly {
		words = append(words, "-coverage-only")
	} else {
		add("-filter", o.Filter)
	}
	for _, flag := range o.BuildFlags {
		words = append(words, shell.Quote(flag))
	}
	words = append(words, o.question())
	for _, p := range o.Packages {
		words = append(words, shell.Quote(p))
	}
	return strings.Join(words, " ")
}

// Run compares the two sides. The report is not nil whenever there is something to report,
// also together with an error. Differences are an error of code exit.Failing.
func Run(ctx context.Context, opts Options) (*behavior.Report, error) {
	if opts.CoverageOnly {
		opts.Filter = project.FilterNone
	}
	workDir, remove, err := tempdir.Make("")
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "can't create temporary files: %w; set TMPDIR to a writable directory", err)
	}
	defer remove()
	pair, err := versions.Find(ctx, versions.Question{
		Dir: opts.Dir, WorkDir: workDir, Env: opts.Env, BuildFlags: opts.BuildFlags,
		Revision: opts.Revision, With: opts.With, Old: opts.Old,
	})
	if err != nil {
		return nil, err
	}
	if err := opts.checkTree(pair.New.Dir, pair.New.Name, workDir); err != nil {
		return nil, err
	}
	j := &job{opts: opts, pair: pair, report: newReport(pair), buildFlags: opts.BuildFlags}
	if len(pair.Files) == 0 {
		j.report.Nothing = nothing(pair)
		return j.report, nil
	}
	asked := opts
	opts.Options.Dir, opts.Options.BuildFlags, opts.Options.Env = pair.New.Dir, pair.New.BuildFlags, pair.New.Env
	if j.project, err = project.Open(ctx, project.Config{Options: opts.Options, AnyTests: true, Writes: opts.writes()}); err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer j.project.Close()
	j.opts.Options = j.project.Options
	asked.Seed = j.project.Options.Seed
	j.report.Command = asked.command()
	j.project.Phase("", "%s against %s: %s", pair.New.Name, pair.Old.Name, describe(pair))
	var errs []error
	for i, pkg := range j.project.Packages {
		if ctx.Err() != nil {
			break
		}
		j.later = len(j.project.Packages) - 1 - i
		if err := j.compare(ctx, pkg); err != nil {
			errs = append(errs, exit.AsInterrupted(ctx, err))
			if exit.CodeOf(err) == exit.Internal {
				break
			}
		}
	}
	if len(errs) == 0 && ctx.Err() != nil {
		errs = append(errs, exit.Errorf(exit.Interrupted, "interrupted; the result so far is shown"))
	}
	if len(j.report.Tests) == 0 {
		if len(errs) == 0 && j.unneeded == len(j.project.Packages) {
			j.report.Nothing = j.unneededWhy()
			return j.report, nil
		}
		if len(errs) == 0 {
			errs = append(errs, j.unreached())
		}
		return nil, errors.Join(errs...)
	}
	j.finish()
	j.tellRaised()
	j.markAccepted()
	if opts.WriteTest && len(errs) == 0 {
		if err := j.writeTests(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	if opts.Accept && len(errs) > 0 {
		errs = append(errs, exit.Errorf(exit.Usage, "-accept: nothing was accepted, since the comparison did not end"))
	} else if opts.Accept {
		err := j.keepEntries(ctx)
		if err == nil {
			err = j.accept()
		}
		errs = append(errs, exit.AsInterrupted(ctx, err))
	}
	return j.report, errors.Join(append(errs, verdict(j.report))...)
}

// verdict is the error that a report amounts to.
func verdict(r *behavior.Report) error {
	if r.Differences() > 0 {
		return exit.Errorf(exit.Failing, "behavior has changed: check that this is intended, and record it with -accept")
	}
	return nil
}

// nothing says why there is nothing to compare.
func nothing(p *versions.Pair) string {
	switch {
	case len(p.TestFiles) > 0:
		return fmt.Sprintf("%s and %s differ in tests only (%s)", p.Old.Name, p.New.Name, strings.Join(first(p.TestFiles, 3), ", "))
	case len(p.Other) > 0:
		return fmt.Sprintf("%s and %s have the same Go code; %s differ", p.Old.Name, p.New.Name, strings.Join(first(p.Other, 3), ", "))
	}
	return fmt.Sprintf("%s and %s have the same Go code, but for comments", p.Old.Name, p.New.Name)
}

// first returns the first n of a list, and how many more there are.
func first(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(slices.Clone(list[:n]), fmt.Sprintf("%d more", len(list)-n))
}

// describe counts what differs.
func describe(p *versions.Pair) string {
	hunks := 0
	for i := range p.Files {
		hunks += len(p.Files[i].Hunks)
	}
	return report.Plural(hunks, "change") + " in " + report.Plural(len(p.Files), "file")
}

// newReport is a report that says what differs, and nothing else yet.
func newReport(p *versions.Pair) *behavior.Report {
	r := &behavior.Report{Version: behavior.FormatVersion, Old: p.Old.Name, New: p.New.Name}
	for i := range p.Files {
		f := &p.Files[i]
		r.Changes = append(r.Changes, behavior.File{Name: f.Name, Hunks: revert.Describe(f)})
	}
	return r
}

// job is one comparison.
type job struct {
	opts    Options
	pair    *versions.Pair
	project *project.Project
	report  *behavior.Report
	targets map[string][]load.Target // functions to derive fuzz tests for, by package
	// buildFlags are those that the user gave: the sides are built with others.
	buildFlags []string
	// tests says which test files of a package are used.
	tests    map[string]testFiles
	meant    map[string]*meant // differences that are accepted, by package
	kept     []kept            // what of corpora belongs to them
	written  []cases           // differences to be written as tests
	needed   map[int]bool      // files of the pair that some package needs
	unneeded int               // packages that need none, or that have nothing to compare
	// forTests are directories of dependencies that only tests of some package need, by side.
	forTests [2]map[string]bool
	// fresh are functions that only new code has, and that nothing which both sides have leads
	// to, by import path and name.
	fresh    map[string]bool
	unfit    bool // functions that both sides have can't be compared
	oneSided bool // only one side has what is changed of some package

	spent    time.Duration // searching
	reverted time.Duration // reverting parts of the change
	later    int           // packages that are still to be compared
}

// warn enters a warning into the report, and says it at once.
func (j *job) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	j.report.Warnings = append(j.report.Warnings, text)
	j.project.Warn("%s", text)
}

// unneededWhy says why no package has anything to compare.
func (j *job) unneededWhy() string {
	if !j.oneSided {
		tests, dirs := j.onlyForTests(), j.unneededDirs()
		forTests := "only tests need " + strings.Join(first(tests, 5), ", ")
		need := "the packages and their tests need none of the changed code, which is in " + dirs + ": name packages there, or ./..."
		switch {
		case len(tests) == 0:
			return need
		case dirs == "":
			return forTests
		}
		return need + "; " + forTests
	}
	var list []string
	for _, n := range j.report.NotCompared {
		list = append(list, n.What+": "+n.Reason)
	}
	return strings.Join(first(list, 5), "; ")
}

// onlyForTests lists the dependencies that were not compared at all, since only tests need them,
// with both versions.
func (j *job) onlyForTests() (list []string) {
	if len(j.forTests[before])+len(j.forTests[after]) == 0 {
		return nil
	}
	needed := make(map[string]bool)
	for i := range j.pair.Files {
		f := &j.pair.Files[i]
		needed[f.Dependency] = needed[f.Dependency] || j.needed[i]
	}
	for i := range j.pair.Files {
		f := &j.pair.Files[i]
		left := j.forTests[before][filepath.Dir(f.OldPath)] || j.forTests[after][filepath.Dir(f.Path)]
		if left && !needed[f.Dependency] && !slices.Contains(list, f.Dependency) {
			list = append(list, f.Dependency)
		}
	}
	return list
}

// unneededDirs names the directories of changed files that no package needs, but for those of
// dependencies that only tests need.
func (j *job) unneededDirs() string {
	var dirs []string
	tests := j.onlyForTests()
	for i, f := range j.pair.Files {
		if dir := path.Dir(f.Name); !j.needed[i] && !slices.Contains(dirs, dir) && !slices.Contains(tests, f.Dependency) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return strings.Join(first(dirs, 5), ", ")
}

// unreached says that no fuzz test has anything to do with the change.
func (j *job) unreached() error {
	var why []string
	for _, n := range j.report.NotCompared {
		why = append(why, n.What+": "+n.Reason)
	}
	if len(why) == 0 {
		why = append(why, "no package has a fuzz test")
	}
	return exit.Errorf(exit.Usage, "nothing was compared: %s", strings.Join(first(why, 5), "; "))
}

// tellRaised says which dependencies have other versions, where the lines of a cause are not known: it
// may be there. The result has it next, so that it need not be said at once.
func (j *job) tellRaised() {
	unplaced := func(c behavior.Cause) bool { return c.Attributed != behavior.ByRepair && c.Dependency == "" }
	tests := j.onlyForTests()
	list := slices.DeleteFunc(slices.Clone(j.pair.Raised), func(m string) bool { return slices.Contains(tests, m) })
	if len(list) == 0 || !slices.ContainsFunc(j.report.Causes, unplaced) {
		return
	}
	j.report.Warnings = append(j.report.Warnings, "go.mod has other versions, and a cause whose lines are not known may be there: "+strings.Join(first(list, 5), ", "))
}

// finish brings the report into its order.
func (j *job) finish() {
	var files []behavior.File
	tests, n := j.onlyForTests(), 0
	for i, f := range j.report.Changes {
		if j.needed[i] {
			files = append(files, f)
		} else if !slices.Contains(tests, j.pair.Files[i].Dependency) {
			n++
		}
	}
	for _, name := range tests {
		j.leaveOut(name, "only tests need it")
	}
	if n > 0 {
		j.leaveOut(report.Plural(n, "changed file")+" in "+j.unneededDirs(), "no package that was compared needs "+map[bool]string{true: "it", false: "them"}[n == 1])
	}
	j.report.Changes = files
	j.report.Causes = merge(j.report.Causes)
	slices.SortStableFunc(j.report.Causes, func(a, b behavior.Cause) int { return byWeight(&a, &b) })
}
