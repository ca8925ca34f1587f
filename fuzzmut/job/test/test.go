// Package test is the job that runs the unit tests of packages against their mutants, and
// reuses the verdicts of earlier runs.
package test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// Run runs the tests of packages against their mutants, package by package: a
// mutant that the tests of any of them kill is killed. The report is not nil
// whenever there is something to report, also together with an error: what was
// found before Ctrl-C, or by the packages whose tests could be run.
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
	index    map[[2]string]int // of the report's mutants, by package and ID
	nothing  []error           // why packages had nothing to mutate
	memory   memory.Keeper
}

func run(ctx context.Context, opts Options, run runTests) (*report.TestReport, error) {
	p, err := project.Open(ctx, project.Config{Options: opts.Options, AnyTests: true})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	t := &tester{
		project: p, opts: opts, runTests: run, index: make(map[[2]string]int),
		report: &report.TestReport{Version: report.FormatVersion, Diff: opts.Diff, Shard: opts.Shard.String()},
	}
	if opts.Patch != nil {
		t.report.Diff = "-"
	}
	t.memory = memory.Keeper{Project: p, Warn: t.warn, Options: memory.Options{
		Run: opts.Run, Skip: opts.Skip, Short: opts.Short, Args: opts.Args, Timeout: opts.Timeout, MemLimit: opts.MemLimit,
		Part: t.report.Shard + " " + t.report.Diff, Resume: opts.Resume, Fresh: opts.Fresh,
	}}
	if t.changed, err = change.Find(ctx, p.Options.Dir, p.Options.Env, opts.Diff, opts.Patch); err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	if err := t.profile(ctx); err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	return t.packagesInTurn(ctx)
}

// warn enters a warning into the report, and says it at once.
func (t *tester) warn(text string) {
	t.report.Warnings = append(t.report.Warnings, text)
	t.project.Warn("%s", text)
}

// packagesInTurn runs the tests of all packages. An error in one of them does not
// keep the others from being run, unless it concerns them too.
func (t *tester) packagesInTurn(ctx context.Context) (*report.TestReport, error) {
	var errs []error
	for _, pkg := range t.project.Packages {
		if t.report.Stopped {
			break
		}
		if ctx.Err() != nil {
			t.report.Interrupted = true
			break
		}
		if err := t.testPackage(ctx, pkg); err != nil {
			err = exit.AsCut(ctx, err)
			// A fault in a package that several of them need is reported once.
			if !slices.ContainsFunc(errs, func(e error) bool { return e.Error() == err.Error() }) {
				errs = append(errs, err)
			}
			if exit.CodeOf(err) == exit.Internal {
				break
			}
		}
	}
	if len(t.nothing) == len(t.project.Packages) {
		errs = append(errs, t.nothing...)
	}
	t.report.Interrupted = t.report.Interrupted || ctx.Err() != nil
	report.Classify(t.report.Mutants)
	t.report.Score = report.Summarise(t.report.Mutants)
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

// testPackage runs the tests of one package.
func (t *tester) testPackage(ctx context.Context, pkg string) error {
	begin := time.Now()
	cfg := t.project.LoadConfig(pkg)
	t.project.LoadPhase(pkg)
	loaded, err := load.Load(ctx, cfg)
	var lerr *problem.Error
	switch {
	case errors.As(err, &lerr) && lerr.Kind == problem.KindNothingToMutate:
		t.passOver(pkg, exit.AsUsage(err))
		return nil
	case err != nil:
		return exit.AsUsage(err)
	}
	code := change.NewSources(loaded)
	if t.changed != nil && !code.AnyTouched(t.changed) {
		t.project.Note(pkg, "no mutated function has changed")
		return nil
	}
	bin, err := t.project.OverlayConfig(&project.Package{Loaded: loaded})
	if err != nil {
		return err
	}
	bin.Tests = true
	if loaded.Test.Untested {
		return t.leaveUncovered(ctx, &testSession{tester: t, loaded: loaded, code: code}, bin)
	}
	t.project.Phase(pkg, "rewriting the code to hold its mutants")
	bin.Compiling = func(p *instrument.Program) {
		t.project.Phase(pkg, "building the tests: %s", project.DescribeProgram(p))
	}
	program, err := overlay.Build(ctx, bin)
	if err != nil {
		return exit.AsUsage(err)
	}
	t.project.WarnBuild(program)
	for _, w := range program.Warnings {
		if !slices.Contains(t.report.Warnings, w) {
			t.report.Warnings = append(t.report.Warnings, w)
		}
	}
	s := &testSession{tester: t, loaded: loaded, code: code, program: program, binary: bin.Output}
	s.run.Package = pkg
	s.run.Sites = report.SitesOf(program)
	s.run.BuildSeconds = time.Since(begin).Seconds()
	return s.runAll(ctx)
}

// passOver leaves out a package that has nothing to do. That is an error if it is
// so for all packages.
func (t *tester) passOver(pkg string, why error) {
	t.nothing = append(t.nothing, why)
	if len(t.project.Packages) > 1 {
		t.project.Note(pkg, "skipped: %v", why)
	}
}

// testSession is the work on the tests of one package.
type testSession struct {
	tester  *tester
	loaded  *load.Result
	code    *change.Sources
	program *instrument.Program
	binary  string
	run     report.TestRun
	begin   time.Time
}

// runAll runs the tests against the mutants that are asked for and not killed
// yet, and enters the verdicts.
func (s *testSession) runAll(ctx context.Context) error {
	pkg := s.run.Package
	chosen := s.choose()
	s.tester.project.Note(pkg, "%s in %s to judge", report.Plural(len(chosen), "mutant"), report.Plural(s.functions(chosen), "function"))
	if len(chosen) == 0 {
		return nil
	}
	memory := s.tester.memory.Open(memory.Package{Loaded: s.loaded, Program: s.program, Code: s.code})
	defer memory.Close()
	s.begin = time.Now()
	log := s.tester.opts.Log
	if log == nil {
		log = io.Discard
	}
	res, err := s.tester.runTests(ctx, unittest.Options{
		Program: s.program, Binary: s.binary, Dir: s.program.Test.Dir, Env: s.tester.project.Options.Env, TempDir: s.tester.project.WorkDir,
		Run: s.tester.opts.Run, Skip: s.tester.opts.Skip, Short: s.tester.opts.Short, Args: s.tester.opts.Args,
		Mutants: chosen, Known: memory.Known, Withdrawn: memory.Withdraw,
		Strict: s.tester.opts.Strict, FailFast: s.tester.opts.FailFast,
		SetAside: func(list []unittest.SetAside) { s.setAside(list, memory) },
		Parallel: s.tester.project.Options.Parallel, Timeout: s.tester.opts.Timeout, MemLimit: s.tester.opts.MemLimit,
		Verdicts: func(v unittest.Verdict) { memory.Keep(v); s.tell(v, log) }, Progress: s.progress, Log: log,
	})
	var red *unittest.BaselineError
	switch {
	case errors.As(err, &red):
		s.forget()
		return s.baselineError(red)
	case err != nil && ctx.Err() == nil:
		s.forget()
		return &exit.Error{Code: exit.CodeOf(err), Err: fmt.Errorf("%s: %w", pkg, err)}
	case res == nil:
		return nil
	case len(res.Tests) == 0 && !res.Interrupted:
		s.forget()
		return s.uncovered(s.noTests())
	}
	s.enter(res, memory)
	return nil
}

// forget takes those mutants out of the report that no tests were run with.
func (s *testSession) forget() {
	s.tester.report.Mutants = slices.DeleteFunc(s.tester.report.Mutants, func(m report.Mutant) bool { return m.Status == report.Pending })
	clear(s.tester.index)
	for i := range s.tester.report.Mutants {
		s.tester.index[[2]string{s.tester.report.Mutants[i].Package, s.tester.report.Mutants[i].ID}] = i
	}
}

// choose enters the mutants that are asked for into the report, and returns the
// numbers of those that are to be run: tests of another package may have killed
// them already.
func (s *testSession) choose() []uint32 {
	chosen := []uint32{}
	list := report.FromProgram(s.program)
	for i := range list {
		m := &s.program.Mutants[i]
		if !s.tester.opts.Shard.Has(m) || s.tester.changed != nil && !s.code.Touched(s.tester.changed, m) {
			continue
		}
		key := [2]string{m.Package, m.ID}
		at, ok := s.tester.index[key]
		if !ok {
			at = len(s.tester.report.Mutants)
			s.tester.index[key] = at
			if list[i].Status == report.Static {
				list[i].Status, list[i].Reason = report.Pending, "" // in its own process, it can be run
			}
			s.tester.report.Mutants = append(s.tester.report.Mutants, list[i])
		}
		if m.Status != instrument.StatusSkipped && s.tester.report.Mutants[at].Status != report.Killed {
			chosen = append(chosen, uint32(m.Index))
		}
	}
	return chosen
}

// functions counts the functions that have some of the mutants.
func (s *testSession) functions(chosen []uint32) int {
	set := make(map[[2]string]bool)
	for _, i := range chosen {
		m := &s.program.Mutants[i-1]
		set[[2]string{m.Package, m.Func}] = true
	}
	return len(set)
}

func (s *testSession) progress(p unittest.Progress) {
	s.tester.project.Emit(project.Event{Tests: &project.TestStatus{
		Package: s.run.Package, Phase: p.Phase, Elapsed: time.Since(s.begin),
		Judged: p.Done, Mutants: p.Total, Killed: p.Killed, Survived: p.Survived,
		Test: p.Test, Ran: p.Ran, Tests: p.Tests,
	}})
}

// enter puts the result into the report.
func (s *testSession) enter(res *unittest.Result, memory *memory.Memory) {
	for _, v := range res.Verdicts {
		if v.Mutant == 0 || int(v.Mutant) > len(s.program.Mutants) {
			continue
		}
		kept, reused, resumed := memory.Verdict(v)
		if s.enterVerdict(&s.program.Mutants[v.Mutant-1], kept, reused); len(v.Aside) > 0 {
			s.enterAside(&s.program.Mutants[v.Mutant-1], v.Aside)
		}
		if v.Status != unittest.StatusNotRun {
			s.run.Judged++
		}
		if reused {
			s.run.Reused++
		}
		if resumed {
			s.run.Resumed++
		}
	}
	s.run.Source = s.code.Hash()
	for _, t := range res.Tests {
		s.run.Tests = append(s.run.Tests, report.TestResult{Name: t.Name, Seconds: t.Time.Seconds(), Kills: t.Kills})
	}
	s.run.Executions, s.run.MutantRuns, s.run.Processes = res.Executions, res.MutantRuns, res.Processes
	s.run.WallSeconds, s.run.CPUSeconds = time.Since(s.begin).Seconds(), res.CPU.Seconds()
	s.enterSetAside(res)
	s.run.Shared, s.run.Reason = res.Shared, res.Reason
	s.run.Interrupted = res.Interrupted
	s.tester.report.Stopped = s.tester.report.Stopped || res.Stopped
	s.tester.report.Interrupted = s.tester.report.Interrupted || res.Interrupted
	s.tester.report.Packages = append(s.tester.report.Packages, s.run)
}

// enterVerdict adds what one package's tests say of a mutant to what is known of
// it.
func (s *testSession) enterVerdict(m *instrument.Mutant, v verdicts.Verdict, reused bool) {
	r := &s.tester.report.Mutants[s.tester.index[[2]string{m.Package, m.ID}]]
	qualify := func(test string) string {
		if test != "" && s.run.Package != m.Package {
			return s.run.Package + "." + test
		}
		return test
	}
	switch v.Status {
	case string(unittest.StatusKilled):
		r.Status, r.KillKind, r.KilledBy, r.Detail = report.Killed, v.Kind, qualify(v.Test), v.Detail
		r.Diff, r.Tests, r.Reason = "", nil, ""
	case string(unittest.StatusSurvived):
		r.Status, r.Reason = report.Survived, v.Reason
		var tests []string
		for _, name := range v.Tests {
			tests = append(tests, qualify(name))
		}
		// The infected ones of either package stand first.
		r.Tests = slices.Insert(r.Tests, min(int(r.Infected), len(r.Tests)), tests...)
		if diff, err := report.MutantDiff(s.program, m); err == nil {
			r.Diff = diff
		}
	case string(unittest.StatusNotCovered):
		if r.Status != report.Survived && r.Status != report.NotCovered {
			r.Status, r.Reason = report.NotCovered, ""
		}
	case string(unittest.StatusNotRun):
		r.Status, r.Reason, r.Diff, r.Tests = report.Pending, v.Reason, "", nil
	case string(unittest.StatusSkipped):
		if r.Status == report.Pending {
			r.Status, r.Reason = report.Skipped, v.Reason
		}
	}
	r.Reused = reused
	if m.Status == instrument.StatusStatic {
		// All tests reach it, and none of them more than the others.
		r.Tests = nil
		r.Start.Reached = r.Start.Reached || v.Reached > 0
		r.Start.Infected = r.Start.Infected || v.Infected > 0
		return
	}
	r.Reached += int64(v.Reached)
	r.Infected += int64(v.Infected)
}
