package suggest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// key names a mutant: its package and its ID. Numbers differ from build to build.
type key [2]string

func keyOf(m *instrument.Mutant) key { return key{m.Package, m.ID} }

// session is the work on one package.
type session struct {
	*job
	pkg    string
	report *suggestion.Package

	loaded    *load.Result      // with its own tests
	survivors map[key]*survivor // of the unit tests
	searched  *project.Package  // with the fuzz tests by which inputs are looked for
	code      *change.Sources   // of that
	searches  []*searching
	tests     []goldentest.Test // a test for each fuzz test that has found something
	claims    [][][]key         // by test and case, the mutants that it is to kill
	hasty     int               // cases whose inputs were not minimized, since the time was over
	took      time.Duration     // by the written tests when they ran last, once each without a mutant; 0: not known
	choice    *change.Choice    // of mutants that have changed; nil: all
	hangs     map[key]bool      // mutants that never end in a written test
	slow      map[key]string    // mutants that take longer, and why that closes none of them
	errors    map[string]bool   // by name: the code returns an error on the input
	// values are what inputs have shown that were run often enough, and unfit says why no test holds others, by placeOf.
	values map[string][]golden.Value
	unfit  map[string]string
}

// survivor is a mutant that the unit tests miss.
type survivor struct {
	mutant  *instrument.Mutant
	reached bool // by the tests
	found   bool // an input was found for it
	closed  bool
	why     suggestion.Why  // it is open, as far as a search has come with it
	left    suggestion.Note // where that is NotCompared: what no case can compare, if it is known
}

// checkFree makes sure that the files of -write-test can be written.
func (s *session) checkFree() error {
	files := plain
	if s.opts.Oracles {
		files = goldentest.Plain{Name: oraclesFile, ExternalName: oraclesFile}
	}
	if !s.opts.WriteTest {
		return nil
	}
	if err := files.CheckFree(s.loaded.Test.Dir); err != nil {
		return exit.Errorf(exit.Usage, "-write-test: %w", err)
	}
	return nil
}

// judgeLimit bounds the time in which the unit tests judge the mutants of a package. What is not judged then is no
// survivor. The tests may run for half of it without a mutant, and somewhat longer if they can't be bounded; mutants
// have the rest, and judgeLeast at least. Where the search is bounded by executions, and not by time, no test is left
// out, and mutants have all of it.
const (
	judgeLimit = 2 * time.Minute
	judgeLeast = judgeLimit / 4
)

// judgeTimes are the bounds of the tests without a mutant, 0 for none, and of the mutants, by the time when the first
// of them is run.
func (s *session) judgeTimes() (baseline time.Duration, mutants func() time.Duration) {
	if s.project.Options.FuzzTime.Execs > 0 {
		return 0, func() time.Duration { return judgeLimit }
	}
	begin := time.Now()
	return judgeLimit / 2, func() time.Duration { return max(judgeLeast, judgeLimit-time.Since(begin)) }
}

// An unmatchedError says that no test of a package was chosen. Others may have some.
type unmatchedError struct{ error }

func (e unmatchedError) Unwrap() error { return e.error }

// judge finds the mutants that the unit tests miss.
func (s *session) judge(ctx context.Context) error {
	s.project.Phase(s.pkg, "building the unit tests with mutants")
	unit, err := s.builder.BuildTests(ctx, s.pkg, "unit", func(cfg *load.Config) {})
	if err != nil {
		return err
	}
	if unit == nil {
		return s.judgeUntested(ctx)
	}
	s.loaded = unit.Loaded
	if err := s.checkFree(); err != nil {
		return err
	}
	s.project.WarnBuild(unit.Program)
	if s.choice != nil && len(s.inScope(unit.Program)) == 0 {
		s.project.Note(s.pkg, "no mutant of the changed code")
		s.read(unit.Program, &unittest.Result{})
		return nil
	}
	s.project.Phase(s.pkg, "running the unit tests with %s", report.Plural(len(s.inScope(unit.Program)), "mutant"))
	code := change.NewSources(unit.Loaded)
	known := s.memory.Open(memory.Package{
		Loaded: unit.Loaded, Program: unit.Program, Code: code,
		Note: func(format string, args ...any) { s.project.Note(s.pkg, format, args...) }, Warn: s.warn,
	})
	defer known.Close()
	bounded, stop := context.WithCancel(ctx)
	defer stop()
	opts := s.unitOptions(unit)
	opts.Run, opts.Skip, opts.Short = s.opts.Run, s.opts.Skip, s.opts.Short
	show := opts.Progress
	var timer *time.Timer
	baseline, left := s.judgeTimes()
	opts.Baseline = baseline
	opts.Progress = func(p unittest.Progress) {
		if timer == nil && p.Phase == "mutants" {
			timer = time.AfterFunc(left(), stop)
		}
		show(p)
	}
	opts.Mutants, opts.Known, opts.Withdrawn, opts.Verdicts = s.inScope(unit.Program), known.Known, known.Withdraw, known.Keep
	opts.Observe = true
	opts.SetAside = func(list []unittest.SetAside) {
		known.SetAside(list)
		s.setAside(list)
	}
	opts.LeftOut = func(names []string, all int) {
		known.LeaveOut()
		s.leftOut(names, all)
	}
	res, err := s.runTests(bounded, opts)
	if timer != nil {
		timer.Stop()
	}
	var red *unittest.BaselineError
	switch {
	case errors.As(err, &red):
		none := "no unit test passes without a mutant"
		if name := red.Endless(); name != "" {
			none = "without a mutant " + name
		}
		return exit.Errorf(exit.Baseline, "%s: %s; fuzzmut test %[1]s says why", s.pkg, none)
	case err != nil:
		return err
	case ctx.Err() != nil:
		return s.judgedInPart(res, len(opts.Mutants))
	}
	if chosen := unittest.Chosen(opts.Run, opts.Skip); chosen != "" {
		if len(res.Tests) == 0 {
			return unmatchedError{exit.Errorf(exit.Usage, "%s matches no test of %s", chosen, s.pkg)}
		}
		s.warn(fmt.Sprintf("%s: what only tests kill that %s leaves out is among the survivors", s.pkg, chosen))
	}
	s.read(unit.Program, res)
	s.addAssertions(unit.Program, res, known)
	return nil
}

// judgedInPart says how far the unit tests came before an interrupt. What they say of a mutant is kept as soon
// as it is known.
func (s *session) judgedInPart(res *unittest.Result, all int) error {
	judged := 0
	for i := range res.Verdicts {
		if st := res.Verdicts[i].Status; st != unittest.StatusNotRun && st != unittest.StatusSkipped {
			judged++
		}
	}
	again := "; -short, or -skip with the names of long tests, makes that shorter"
	if judged > 0 {
		again = ", which the next run does not judge again"
	}
	return exit.Errorf(exit.Interrupted, "%s: interrupted while its unit tests ran: %d of %s judged%s; no inputs were looked for, and none of its files was changed",
		s.pkg, judged, report.Plural(all, "mutant"), again)
}

// unitOptions are those with which unit tests of any build are run.
func (s *session) unitOptions(b *project.Package) unittest.Options {
	begin := time.Now()
	return unittest.Options{
		Program: b.Program, Binary: b.Binary, Dir: b.Program.Test.Dir, Env: s.project.Options.Env, TempDir: s.project.WorkDir,
		Parallel: s.project.Options.Parallel, Timeout: s.project.Options.Timeout, MemLimit: s.project.Options.MemLimit, Log: s.project.Options.Log,
		Place: b.Loaded.TestPlace, Counts: b.Loaded.CountsAllocations,
		Progress: func(p unittest.Progress) {
			s.project.Emit(project.Event{Tests: &project.TestStatus{Package: s.pkg, Elapsed: time.Since(begin), Progress: p}})
		},
	}
}

// judgeUntested has all mutants survive: the package has no tests.
func (s *session) judgeUntested(ctx context.Context) error {
	cfg := s.project.LoadConfig(s.pkg)
	cfg.AnyTests, cfg.Derive = true, false
	loaded, err := s.load(ctx, cfg)
	if err != nil {
		return err
	}
	s.loaded = loaded
	if err := s.checkFree(); err != nil {
		return err
	}
	program, err := s.builder.Rewrite(ctx, &project.Package{Loaded: loaded})
	if err != nil {
		return err
	}
	if len(candidates(program)) == 0 {
		return problem.Errorf(problem.KindNothingToMutate, "package %s has no code to mutate", s.pkg)
	}
	s.read(program, &unittest.Result{})
	return nil
}

// candidates lists the mutants that may be survivors: those that a test can switch on after
// the package is initialized.
func candidates(p *instrument.Program) []uint32 {
	list := []uint32{}
	for i := range p.Mutants {
		if m := &p.Mutants[i]; m.Status == instrument.StatusLive {
			list = append(list, uint32(m.Index))
		}
	}
	return list
}

// read takes the survivors out of a result. Without any test all survive.
func (s *session) read(p *instrument.Program, res *unittest.Result) {
	status := make(map[uint32]unittest.Status)
	for i := range res.Verdicts {
		status[res.Verdicts[i].Mutant] = res.Verdicts[i].Status
	}
	s.survivors = make(map[key]*survivor)
	for _, n := range s.inScope(p) {
		m := &p.Mutants[n-1]
		if s.project.Accepted[accepted.ID{Package: m.Package, Mutant: m.ID}] {
			continue
		}
		s.report.Mutants++
		switch st, judged := status[n]; {
		case st == unittest.StatusKilled:
			s.report.Killed++
		case judged && st != unittest.StatusSurvived && st != unittest.StatusNotCovered, !judged && len(res.Tests) > 0:
			s.report.NotJudged++
		default:
			s.survivors[keyOf(m)] = &survivor{mutant: m, reached: st == unittest.StatusSurvived, why: suggestion.NotSearched}
			s.report.Survivors++
			if st != unittest.StatusSurvived {
				s.report.NotCovered++
			}
		}
	}
	for i := range p.Mutants {
		if m := &p.Mutants[i]; m.Status == instrument.StatusStatic && s.choice.Has(m) && !s.project.Accepted[accepted.ID{Package: m.Package, Mutant: m.ID}] {
			s.report.Static++
		}
	}
}

// namedMost is how many tests one line names.
const namedMost = 5

// leftOut warns of tests that take too long to judge.
func (s *session) leftOut(names []string, all int) {
	s.report.Tests, s.report.LeftOut = all, names
	shown := strings.Join(names[:min(namedMost, len(names))], ", ")
	if n := len(names) - namedMost; n > 0 {
		shown += fmt.Sprintf(" and %d more", n)
	}
	s.warn(fmt.Sprintf("%s: %d of %s left out, since without a mutant there was no time for them in %v: %s; what only these kill is among the survivors, and what only these reach is not judged; fuzzmut test judges with all tests, and its verdicts on the same code are reused",
		s.pkg, len(names), report.Plural(all, "unit test"), judgeLimit/2, shown))
}

// setAside warns of tests that do not pass without a mutant.
func (s *session) setAside(list []unittest.SetAside) {
	s.warn(fmt.Sprintf("%s: %s not run with mutants, since without one %s", s.pkg, report.Plural(len(list), "unit test")+report.Verb(len(list), " is", " are"), unittest.Describe(list)))
}
