package campaign

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

// Fuzz runs every chosen fuzz test, one after the other. The report is not nil
// whenever there is something to report, also together with an error: what was
// found before Ctrl-C, or in the fuzz tests before the one that could not be run.
func Fuzz(ctx context.Context, opts Options) (*report.Report, error) {
	r, err := newRunner(ctx, opts, false)
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer r.close()
	r.writes = true
	return r.report(ctx, (*session).fuzz)
}

// Mutants lists the mutants of the packages that the options choose, one Program
// for each package with tests. Nothing is built.
func Mutants(ctx context.Context, opts Options) ([]*instrument.Program, error) {
	r, err := newRunner(ctx, opts, true)
	if err != nil {
		return nil, err
	}
	defer r.close()
	var programs []*instrument.Program
	for _, pkg := range r.packages {
		b, err := r.load(ctx, pkg)
		if err != nil {
			return nil, err
		}
		p, err := r.rewrite(ctx, b)
		if err != nil {
			return nil, err
		}
		programs = append(programs, p)
	}
	return programs, nil
}

// runner is one call of Fuzz, Score, Mutants or Test.
type runner struct {
	opts     Options
	anyTests bool // packages need no fuzz tests
	// unmutated builds without mutants: coverage alone counts.
	unmutated bool
	filter    Filter
	workDir   string
	remove    func() // removes workDir
	gocache   string
	packages  []string      // import paths
	grace     time.Duration // for what is still done after Ctrl-C
	writes    bool          // entries, golden values or failing inputs, into the tree
	// plan takes fuzz tests that need not be run out of a package that was loaded,
	// and says what the others are about; nil: all of them, about everything. With
	// a plan the packages are mutated that golden values name.
	plan func(*built)

	ignored sync.Once // warns that git ignores entries

	mu sync.Mutex // Events come one at a time

	faults fault
}

// newRunner finds the packages with fuzz tests, or with any tests.
func newRunner(ctx context.Context, opts Options, anyTests bool) (*runner, error) {
	if opts.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "the current directory can't be found: %w", err)
		}
		opts.Dir = dir
	}
	if len(opts.Packages) == 0 {
		opts.Packages = []string{"."}
	}
	if opts.Env == nil {
		opts.Env = os.Environ()
	}
	if opts.Parallel == 0 {
		opts.Parallel = runtime.GOMAXPROCS(0)
	}
	if opts.Seed == 0 {
		opts.Seed = rand.Uint64()>>1 + 1
	}
	if opts.Engine == "" {
		opts.Engine = EngineGuided
	}
	if opts.FuzzTime == (FuzzTime{}) {
		opts.FuzzTime.Duration = DefaultFuzzTime
	}
	filter, err := ParseFilter(opts.Filter)
	if err != nil {
		return nil, &exit.Error{Code: exit.Usage, Err: err}
	}
	r := &runner{opts: opts, anyTests: anyTests, filter: filter, grace: settleTime}
	tempdir.Sweep("") // of what killed runs have left
	if r.workDir, r.remove, err = tempdir.Make(""); err != nil {
		return nil, exit.Errorf(exit.Usage, "no room for temporary files: %w; set TMPDIR to a directory that can be written to", err)
	}
	if err := r.resolve(ctx); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// close removes the work directory. What is in it can be made again.
func (r *runner) close() { r.remove() }

func (r *runner) emit(e Event) {
	if r.opts.Events == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opts.Events(e)
}

func (r *runner) phase(pkg, format string, args ...any) {
	r.emit(Event{Phase: &Phase{Package: pkg, Text: fmt.Sprintf(format, args...)}})
}

func (r *runner) warn(format string, args ...any) {
	r.emit(Event{Warning: &Warning{Text: fmt.Sprintf(format, args...)}})
}

// run does one job over all chosen fuzz tests.
func run(ctx context.Context, opts Options, job func(*session, context.Context) error) (*report.Report, error) {
	r, err := newRunner(ctx, opts, false)
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer r.close()
	return r.report(ctx, job)
}

// report does one job over all chosen fuzz tests and puts their results together.
func (r *runner) report(ctx context.Context, job func(*session, context.Context) error) (*report.Report, error) {
	rep := &report.Report{Version: report.FormatVersion}
	ctx, end := r.faults.end(ctx)
	defer end()
	err := r.eachTest(ctx, func(s *session) error {
		err := panics.Do(func() error { return job(s, ctx) })
		if s.result != nil {
			s.result.Warnings = s.warnings // some come after the figures
			rep.Tests = append(rep.Tests, *s.result)
			r.emit(Event{Done: s.result})
		}
		return err
	})
	if len(rep.Tests) == 0 && err != nil {
		return nil, err
	}
	if verdict := exit.Verdict(rep, r.opts.MinScore); verdict != nil {
		err = errors.Join(err, verdict)
	}
	return rep, err
}

// eachTest does a job for each chosen fuzz test. An error in one of them does not
// keep the others from being done, unless it concerns them too.
func (r *runner) eachTest(ctx context.Context, do func(*session) error) error {
	var errs []error
	begun := false
	for _, pkg := range r.packages {
		if ctx.Err() != nil {
			break
		}
		err := r.eachTestOf(ctx, pkg, func(s *session) error {
			begun = true
			return do(s)
		})
		if err != nil {
			errs = append(errs, exit.AsInterrupted(ctx, err))
			if exit.CodeOf(err) == exit.Internal || ctx.Err() != nil {
				break
			}
		}
	}
	if err := r.faults.first(); err != nil {
		errs = append(errs, err)
	}
	if len(errs) == 0 && ctx.Err() != nil && !begun {
		errs = append(errs, exit.Errorf(exit.Interrupted, "interrupted before anything was run"))
	}
	return errors.Join(errs...)
}

// eachTestOf loads and builds one package and does a job for its fuzz tests.
func (r *runner) eachTestOf(ctx context.Context, pkg string, do func(*session) error) error {
	b, err := r.load(ctx, pkg)
	if err != nil {
		return err
	}
	if r.plan != nil {
		if r.plan(b); len(b.loaded.Test.Fuzz) == 0 {
			return nil
		}
	}
	if err := r.checkLinks(b.loaded); err != nil {
		return err
	}
	if err := r.build(ctx, b); err != nil {
		return err
	}
	var errs []error
	for _, test := range b.program.Test.Fuzz {
		if ctx.Err() != nil {
			break
		}
		if err := do(newSession(r, b, test)); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// home is the directory whose testdata directory has what belongs to a fuzz test: that
// of the package, or for one that was derived, as long as it is not written, one in
// Go's fuzz cache.
func (r *runner) home(pkg *instrument.TestPackage, test *instrument.FuzzTest) string {
	if test.Target != "" {
		if dir, err := corpus.DerivedDir(r.gocache, pkg.ImportPath); err == nil {
			return dir
		}
	}
	return pkg.Dir
}

// corpusDir is where the resulting entries of a fuzz test go.
func (r *runner) corpusDir(b *built, test *instrument.FuzzTest) string {
	fuzz := test.Name
	if r.opts.CorpusDir == "" {
		return testdataDir(r.home(&b.program.Test, test), fuzz)
	}
	dir := r.opts.CorpusDir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.opts.Dir, dir)
	}
	if len(r.packages) > 1 || len(b.program.Test.Fuzz) > 1 {
		dir = filepath.Join(dir, fuzz)
	}
	return dir
}
