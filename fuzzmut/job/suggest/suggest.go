// Package suggest is the job that finds tests for mutants which the unit tests of a package
// miss: calls of exported functions at which such a mutant shows, with what they return now.
package suggest

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/restriction"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// Options are those of the job. FuzzTime is for all searches of a package together.
type Options struct {
	project.Options
	// WriteTest writes the cases into test files.
	WriteTest bool
	Run, Skip string // which unit tests judge: regular expressions, as -run and -skip of go test
	Short     bool   // they are asked to take less time
	// Changed restricts the survivors to those of changed code; the zero value does not.
	Changed restriction.Options
	// Oracles looks for properties in place of cases.
	Oracles bool
	// Grace is how long cases are still made of what was found after an interrupt; 0: 20 s.
	Grace time.Duration
}

// plain are the files of written tests.
var plain = goldentest.Plain{
	Name: "fuzzmut_suggest_test.go", ExternalName: "fuzzmut_suggest_x_test.go",
	Mark: "// Cases that kill mutants which no other test kills, by fuzzmut suggest -write-test. What\n" +
		"// they want is what the code did when they were written: check that it is right.\n",
}

// tools load, build and run the code. A test has others in their place.
type tools struct {
	load     func(context.Context, load.Config) (*load.Result, error)
	builder  builder
	runTests func(context.Context, unittest.Options) (*unittest.Result, error)
}

// builder is a project.
type builder interface {
	// Build builds a package with its fuzz tests, and BuildTests one with its unit tests.
	Build(ctx context.Context, pkg *project.Package) error
	BuildTests(ctx context.Context, pkg, dir string, adjust func(*load.Config)) (*project.Package, error)
	Rewrite(ctx context.Context, pkg *project.Package) (*instrument.Program, error)
}

// job is one call of Run.
type job struct {
	tools
	project *project.Project
	opts    Options
	memory  memory.Keeper
	report  *suggestion.Report
	changed *change.Set // nil: everything counts as changed
	deaths  int         // of the original, that end a search
	idle    int64       // executions after which a round that finds nothing is the last one
	odd     int         // inputs that each property is tried on in addition
}

// Run finds tests for each package. The report is not nil whenever there is something to
// report, also together with an error.
func Run(ctx context.Context, opts Options) (*suggestion.Report, error) {
	p, err := project.Open(ctx, project.Config{Options: opts.Options, AnyTests: true, Writes: opts.WriteTest})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	j := &job{tools: tools{load.Load, p, unittest.Run}, project: p, opts: opts, deaths: deathsMost, idle: idleLeast, odd: oddMost, report: &suggestion.Report{Version: suggestion.FormatVersion, Seed: p.Options.Seed}}
	j.report.Diff, j.report.DiffBy = change.Named(opts.Changed.Diff, opts.Changed.Patch, opts.Changed.DiffBy)
	if j.changed, err = change.Find(ctx, p.Options.Dir, p.Options.Env, opts.Changed.Diff, opts.Changed.Patch); err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	j.memory = memory.Keeper{Project: p, Options: memory.Options{Run: opts.Run, Skip: opts.Skip, Short: opts.Short, MemLimit: p.Options.MemLimit, Part: "suggest"}}
	var errs, nothing []error
	for _, pkg := range p.Packages {
		if ctx.Err() != nil {
			break
		}
		err := j.suggest(ctx, pkg)
		var bad *problem.Error
		var unmatched unmatchedError
		switch {
		case errors.As(err, &unmatched):
			nothing = append(nothing, err)
			if len(p.Packages) > 1 {
				p.Note(pkg, "%v; the package is left out", err)
			}
		case errors.As(err, &bad) && bad.Kind == problem.KindNothingToMutate:
			nothing = append(nothing, exit.AsUsage(err))
		case err != nil:
			errs = append(errs, j.asInterrupted(ctx, pkg, exit.AsUsage(err)))
		}
		if exit.CodeOf(errors.Join(errs...)) == exit.Internal {
			break
		}
	}
	if len(nothing) == len(p.Packages) {
		errs = append(errs, nothing...)
	}
	if len(errs) == 0 && ctx.Err() != nil {
		errs = append(errs, exit.Errorf(exit.Interrupted, shownSoFar))
	}
	if len(j.report.Packages) == 0 && (j.changed == nil || len(errs) > 0) {
		return nil, errors.Join(errs...)
	}
	return j.report, errors.Join(errs...)
}

// asInterrupted is what an interrupt has left undone of a package, if that is why err came about.
func (j *job) asInterrupted(ctx context.Context, pkg string, err error) error {
	done := j.report.Packages
	switch {
	case len(done) == 0:
		return exit.AsInterrupted(ctx, err)
	case done[len(done)-1].Package == pkg:
		return exit.AsStopped(ctx, err, shownSoFar)
	}
	return exit.AsStopped(ctx, err, pkg+": interrupted before its unit tests ran; the result of the packages before it is shown")
}

// shownSoFar is said after an interrupt that leaves a result.
const shownSoFar = "interrupted; the result so far is shown"

// warn enters a warning into the report, and says it at once.
func (j *job) warn(text string) {
	j.report.Warnings = append(j.report.Warnings, text)
	j.project.Warn("%s", text)
}

// suggest finds tests for one package.
func (j *job) suggest(ctx context.Context, pkg string) error {
	begin := time.Now()
	j.project.LoadPhase(pkg)
	s := &session{job: j, pkg: pkg, report: &suggestion.Package{Package: pkg}, hangs: make(map[key]bool), slow: make(map[key]string), errors: make(map[string]bool), values: make(map[string][]golden.Value), unfit: make(map[string]string)}
	touched, err := s.findChanged(ctx)
	if err != nil || !touched {
		return err
	}
	left := j.project.Watch(ctx)
	err = s.judge(ctx)
	if text := left("unit tests ran with mutants"); text != "" {
		j.warn(text)
	}
	if err != nil {
		return err
	}
	defer func() {
		if !j.opts.Oracles {
			s.addOpen()
		}
		s.report.Seconds, s.report.Interrupted = time.Since(begin).Seconds(), ctx.Err() != nil
		j.report.Packages = append(j.report.Packages, *s.report)
	}()
	if len(s.survivors) == 0 || ctx.Err() != nil {
		return nil
	}
	if j.opts.Oracles {
		return s.oracles(ctx)
	}
	// What was found before an interrupt is not lost.
	rest, cancel := s.after(ctx, graceParts)
	defer cancel()
	if err := s.search(ctx); err != nil {
		return err
	}
	if err := s.choose(ctx); err != nil || len(s.tests) == 0 {
		return err
	}
	return s.conclude(ctx, rest)
}

// endTime is Options.Grace if that is not given.
const endTime = 20 * time.Second

// The time after an interrupt has parts. By the end of each of these something is done, or is left undone. What
// is left is for the tests that are written.
const (
	graceParts    = 8
	graceFind     = 1 // inputs are chosen of those that the search in progress has left
	graceSteady   = 2 // these have been run often enough
	graceMinimize = 3 // those of cases are small
)

// after is a context for what is still done after an interrupt, in some parts of the time for that.
func (j *job) after(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	return exit.Graceful(ctx, cmp.Or(j.opts.Grace, endTime)*time.Duration(parts)/graceParts)
}
