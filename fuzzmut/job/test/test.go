// Package test is the job that runs the unit tests of packages against their mutants, and
// reuses the verdicts of earlier runs.
package test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// Run runs the tests of packages against their mutants: a mutant that the tests of any of
// them kill is killed. The report is not nil whenever there is something to report, also
// together with an error: what was found before Ctrl-C, or by the packages whose tests could
// be run.
func Run(ctx context.Context, opts Options) (*report.TestReport, error) {
	return run(ctx, opts, unittest.Run)
}

// runTests is unittest.Run, or what takes its place in a test.
type runTests func(context.Context, unittest.Options) (*unittest.Result, error)

// tester is one call of Run.
type tester struct {
	project  *project.Project
	opts     Options
	runTests runTests
	changed  *change.Set // nil: everything counts as changed
	report   *report.TestReport
	memory   memory.Keeper
	slots    *unittest.Slots
	stopped  atomic.Bool // at a survivor, by Options.FailFast
}

func run(ctx context.Context, opts Options, run runTests) (*report.TestReport, error) {
	p, err := project.Open(ctx, project.Config{Options: opts.Options, AnyTests: true})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	t := &tester{
		project: p, opts: opts, runTests: run, slots: unittest.NewSlots(p.Options.Parallel),
		report: &report.TestReport{Version: report.FormatVersion, Shard: opts.Shard.String(), MinScore: opts.MinScore},
	}
	t.report.Diff, t.report.DiffBy = change.Named(opts.Diff, opts.Patch, opts.DiffBy)
	t.memory = memory.Keeper{Project: p, Options: memory.Options{
		Run: opts.Run, Skip: opts.Skip, Short: opts.Short, Args: opts.Args, Timeout: opts.Timeout, MemLimit: opts.MemLimit,
		Part: opts.part(t.report), Resume: opts.Resume, Fresh: opts.Fresh || opts.Isolate,
	}}
	if t.changed, err = change.Find(ctx, p.Options.Dir, p.Options.Env, opts.Diff, opts.Patch); err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	if err := t.profile(ctx); err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	left := p.Watch(ctx)
	lanes, err := t.runLanes(ctx)
	if text := left("tests ran with mutants"); text != "" {
		p.Warn("%s", text)
		t.report.Warnings = append(t.report.Warnings, text)
	}
	return t.conclude(ctx, lanes, err)
}

// conclude puts together what was found on all packages, in their order. An error in one of
// them does not keep the others out, unless it is our own.
func (t *tester) conclude(ctx context.Context, lanes []*lane, fault error) (*report.TestReport, error) {
	var errs, nothing []error
	sheets := make(map[*sheet]bool)
	for _, l := range lanes {
		t.take(l, sheets)
		if l.nothing != nil {
			nothing = append(nothing, l.nothing)
		}
		// A fault in a package that several of them need is reported once.
		if l.err != nil && !slices.ContainsFunc(errs, func(e error) bool { return e.Error() == l.err.Error() }) {
			errs = append(errs, l.err)
		}
		if exit.CodeOf(l.err) == exit.Internal {
			break
		}
	}
	if fault != nil {
		errs = append(errs, fault)
	}
	if len(nothing) == len(t.project.Packages) {
		errs = append(errs, nothing...)
	}
	t.report.Interrupted = t.report.Interrupted || ctx.Err() != nil
	report.Classify(t.report.Mutants)
	t.report.Score = report.Summarise(t.report.Mutants)
	if t.report.Score.Survived > 0 && t.report.Shard == "" && !t.report.Stopped && !t.report.Interrupted {
		t.report.Next = []string{t.project.Command("suggest", slices.Concat(t.scope(), t.project.Options.Packages)...)}
	}
	if t.report.Untested() && len(t.opts.Mutate) == 0 && t.report.Shard == "" && !t.report.Interrupted {
		t.report.Next = t.toTest(ctx, lanes)
	}
	err := errors.Join(errs...)
	switch {
	case t.report.Interrupted && len(t.report.Packages) == 0:
		return nil, cmp.Or(err, exit.Errorf(exit.Interrupted, "interrupted before any mutant was run"))
	case t.report.Interrupted:
		return t.report, errors.Join(err, exit.Errorf(exit.Interrupted, "interrupted; the verdicts so far are kept, and -resume continues from there"))
	case len(t.report.Packages) == 0 && err != nil:
		return nil, err
	}
	return t.report, errors.Join(err, exit.ScoreVerdict(t.report, t.opts.MinScore))
}

// scope are the flags that restrict another command to the same mutants. A patch has to be piped to it again.
func (t *tester) scope() (flags []string) {
	if t.report.Diff != "" {
		flags = []string{"-diff", t.report.Diff}
	}
	if t.report.DiffBy == string(change.ByFunction) {
		flags = append(flags, "-diff-by", t.report.DiffBy)
	}
	return flags
}

// take enters what was found on one package into the report.
func (t *tester) take(l *lane, sheets map[*sheet]bool) {
	for _, w := range l.warnings {
		if !slices.Contains(t.report.Warnings, w) {
			t.report.Warnings = append(t.report.Warnings, w)
		}
	}
	if !sheets[l.sheet] {
		sheets[l.sheet] = true
		t.report.Mutants = append(t.report.Mutants, l.sheet.mutants...)
	}
	if l.run != nil {
		t.report.Packages = append(t.report.Packages, *l.run)
		t.report.Stopped = t.report.Stopped || t.stopped.Load()
		t.report.Interrupted = t.report.Interrupted || l.run.Interrupted
	}
}
