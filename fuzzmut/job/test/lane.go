package test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// lane is the work on one package. Packages are worked on side by side as far as there are
// slots: while the tests of one keep no more than some of them busy, the next are built and
// judged with the others. What is shown and reported is in the order of the packages.
type lane struct {
	*tester
	pkg  string
	rank int // in the order of packages
	out  *output

	before <-chan struct{} // closed when the lane before is done; nil for the first
	free   func()          // gives the lane's slot back; nil while it has none

	// What is found. The sheet is that of other lanes, too, where these take turns.
	sheet    *sheet
	run      *report.TestRun         // nil: nothing to report
	nothing  error                   // why the package had nothing to mutate
	untested *instrument.TestPackage // nil: it has tests
	warnings []string
	err      error
}

// sheet lists mutants with what is known of them.
type sheet struct {
	mutants []report.Mutant
	index   map[[2]string]int // by package and ID
}

// of returns what is known of a mutant.
func (s *sheet) of(m *instrument.Mutant) *report.Mutant {
	return &s.mutants[s.index[[2]string{m.Package, m.ID}]]
}

func newSheet() *sheet { return &sheet{index: make(map[[2]string]int)} }

// mostLanes bounds the packages that are worked on at a time, since each has its code in
// memory.
const mostLanes = 4

// inTurn says that packages are judged one after the other: mutants that the tests of one
// have killed are not run with those of the next, or the first survivor ends all.
func (t *tester) inTurn() bool { return len(t.opts.Mutate) > 0 || t.opts.FailFast }

// runLanes works on all packages. The lanes that have begun are returned; the error is a
// panic in one of them.
func (t *tester) runLanes(ctx context.Context) (lanes []*lane, err error) {
	g, ctx := panics.NewGroup(ctx)
	places := make(chan struct{}, mostLanes)
	queue := &outputs{}
	shared := newSheet()
	var before chan struct{}
	var broken atomic.Bool // by a fault of our own: it would come again
	for i, pkg := range t.project.Packages {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
		}
		free := t.slots.Take(i, ctx.Done())
		if free == nil || ctx.Err() != nil || t.stopped.Load() || broken.Load() {
			break
		}
		l := &lane{tester: t, pkg: pkg, rank: i, before: before, free: free, sheet: shared, out: queue.add(t.project)}
		if !t.inTurn() {
			l.sheet = newSheet()
		}
		lanes = append(lanes, l)
		done := make(chan struct{})
		before = done
		g.Go(func() error {
			defer func() { <-places }()
			defer close(done)
			defer queue.done(l.out)
			defer l.giveUp()
			if err := l.test(ctx); err != nil {
				l.err = exit.AsCut(ctx, err)
				broken.Store(exit.CodeOf(l.err) == exit.Internal || broken.Load())
			}
			return nil
		})
	}
	return lanes, g.Wait()
}

// giveUp gives the slot back.
func (l *lane) giveUp() {
	if l.free != nil {
		l.free()
		l.free = nil
	}
}

// await waits until it is the lane's turn to judge, and reports whether it still is to do so.
func (l *lane) await(ctx context.Context) bool {
	if l.before == nil || !l.inTurn() {
		return ctx.Err() == nil
	}
	l.giveUp()
	select {
	case <-l.before:
	case <-ctx.Done():
	}
	l.free = l.slots.Take(l.rank, ctx.Done())
	return ctx.Err() == nil && !l.stopped.Load()
}

// warn enters a warning into the report, and says it.
func (l *lane) warn(text string) {
	l.warnings = append(l.warnings, text)
	l.out.warn("%s", text)
}

// test runs the tests of the package.
func (l *lane) test(ctx context.Context) error {
	begin := time.Now()
	cfg := l.project.LoadConfig(l.pkg)
	cfg.Note = func(text string) { l.out.note("", "%s", text) }
	l.out.do(func(p *project.Project) { p.LoadPhase(l.pkg) })
	loaded, err := load.Load(ctx, cfg)
	var lerr *problem.Error
	switch {
	case errors.As(err, &lerr) && lerr.Kind == problem.KindNothingToMutate:
		l.passOver(exit.AsUsage(err))
		return nil
	case err != nil:
		return exit.AsUsage(err)
	}
	code := change.NewSources(loaded)
	choice := change.NewChoice(l.changed, l.opts.DiffBy, code)
	if !choice.Any() {
		l.out.note(l.pkg, "no mutated function has changed")
		return nil
	}
	bin, err := l.project.OverlayConfig(&project.Package{Loaded: loaded})
	if err != nil {
		return err
	}
	bin.Tests, bin.Keep, bin.Log = true, true, l.out
	s := &testSession{lane: l, loaded: loaded, code: code, choice: choice}
	if loaded.Test.Untested {
		return s.leaveUncovered(ctx, bin)
	}
	if s.program, err = l.build(ctx, bin); err != nil {
		return err
	}
	s.binary = bin.Output
	s.run.Package = l.pkg
	s.run.Sites = report.SitesOf(s.program)
	s.run.BuildSeconds = time.Since(begin).Seconds()
	if !l.await(ctx) {
		return nil
	}
	return s.runAll(ctx)
}

// build builds the tests with all mutants.
func (l *lane) build(ctx context.Context, bin overlay.Config) (*instrument.Program, error) {
	l.out.phase(l.pkg, "rewriting the code to hold its mutants")
	bin.Compiling = func(p *instrument.Program) {
		l.out.phase(l.pkg, "building the tests: %s", project.DescribeProgram(p))
		for _, note := range project.BuildNotes(bin.Loaded, p) {
			l.out.note(l.pkg, "%s", note)
		}
	}
	program, err := overlay.Build(ctx, bin)
	if err != nil {
		return nil, exit.AsUsage(err)
	}
	l.out.do(func(p *project.Project) { p.WarnBuild(program) })
	for _, w := range program.Warnings {
		if !slices.Contains(l.warnings, w) {
			l.warnings = append(l.warnings, w)
		}
	}
	return program, nil
}

// passOver leaves out a package that has nothing to do. That is an error if it is
// so for all packages.
func (l *lane) passOver(why error) {
	l.nothing = why
	if len(l.project.Packages) > 1 {
		l.out.note(l.pkg, "skipped: %v", why)
	}
}
