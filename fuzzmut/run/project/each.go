package project

import (
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// Job is the work on one fuzz test.
type Job interface {
	Run(ctx context.Context) error
	// Result is what has come of it, also after an error or a panic; nil: nothing.
	Result() *report.FuzzTest
}

// Report does one job for each of the chosen fuzz tests and puts their results together.
// It is not nil whenever there is something to report, also together with an error.
func (p *Project) Report(ctx context.Context, start func(*Package, instrument.FuzzTest) Job) (*report.Report, error) {
	rep := &report.Report{Version: report.FormatVersion, MinScore: p.Options.MinScore, CostFails: p.Options.CostFails}
	ctx, end := p.Faults.end(ctx)
	defer end()
	done := func(j Job) {
		if result := j.Result(); result != nil {
			rep.Tests = append(rep.Tests, *result)
			p.Emit(Event{Done: result})
		}
	}
	var err error
	if p.takesTurns() {
		err = p.inTurns(ctx, start, done)
	} else {
		err = p.EachTest(ctx, func(pkg *Package, test instrument.FuzzTest) error {
			j := start(pkg, test)
			defer done(j)
			return panics.Do(func() error { return j.Run(ctx) })
		})
	}
	if len(rep.Tests) == 0 && err != nil {
		return nil, err
	}
	rep.Next = p.next(ctx, rep.Tests)
	err = errors.Join(err, p.cover(ctx, err, rep), p.writeShown(ctx, err))
	if verdict := exit.Verdict(rep, p.Options.MinScore); verdict != nil {
		err = errors.Join(err, verdict)
	}
	return rep, err
}

// EachTest does a job for each chosen fuzz test. An error in one of them does not
// keep the others from being done, unless it concerns them too.
func (p *Project) EachTest(ctx context.Context, do func(*Package, instrument.FuzzTest) error) error {
	return p.walk(ctx, 1, func(pkgs []string, begin func()) error {
		return p.eachTestOf(ctx, pkgs[0], func(b *Package, test instrument.FuzzTest) error {
			begin()
			return do(b, test)
		})
	})
}

// walk does something for all packages, n at a time. do calls begin before anything is run.
func (p *Project) walk(ctx context.Context, n int, do func(pkgs []string, begin func()) error) error {
	var errs []error
	begun := false
	rest := p.Packages
	for pkgs := range slices.Chunk(p.Packages, n) {
		if ctx.Err() != nil {
			break
		}
		rest = rest[len(pkgs):]
		p.total.later = len(rest)
		if err := do(pkgs, func() { begun = true }); err != nil {
			if begun {
				err = exit.AsCut(ctx, err)
			}
			errs = append(errs, exit.AsInterrupted(ctx, err))
			if exit.CodeOf(err) == exit.Internal || ctx.Err() != nil || ofToolchain(err) {
				break
			}
		}
	}
	if err := p.Faults.first(); err != nil {
		errs = append(errs, err)
	}
	if len(errs) == 0 && ctx.Err() != nil && !begun {
		errs = append(errs, exit.Errorf(exit.Interrupted, "interrupted before anything was run; no file was changed"))
	}
	return errors.Join(errs...)
}

// ofToolchain says whether the toolchain is what is wrong: that is so for all packages.
func ofToolchain(err error) bool {
	var bad *problem.Error
	return errors.As(err, &bad) && bad.Kind == problem.KindToolchain
}

// planTests chooses which packages are mutated, and which fuzz tests are run. The choice
// does not depend on the latter, and is not made if all that may be mutated is no reason
// to run any.
func (p *Project) planTests(ctx context.Context, b *Package) error {
	all := slices.Clone(b.Loaded.Test.Fuzz)
	choice := p.choose != nil && !p.Unmutated && len(b.Loaded.Candidates) > 0
	if choice {
		b.Loaded.SetMutated(b.Loaded.MayMutate())
	}
	if p.plan != nil {
		if p.plan(b); len(b.Loaded.Test.Fuzz) == 0 {
			return nil
		}
	}
	if err := CheckLinks(p, b.Loaded); err != nil {
		return err
	}
	if err := p.checkWritable(b.Loaded); err != nil || !choice {
		return err
	}
	b.Loaded.Test.Fuzz = all
	if err := p.choose(ctx, p, b); err != nil {
		return err
	}
	if p.plan != nil {
		p.plan(b)
	}
	return nil
}

// eachTestOf loads and builds one package and does a job for its fuzz tests.
func (p *Project) eachTestOf(ctx context.Context, pkg string, do func(*Package, instrument.FuzzTest) error) error {
	b, tests, err := p.openTests(ctx, pkg)
	errs := []error{err}
	for i, test := range tests {
		if ctx.Err() != nil {
			break
		}
		p.giveTime(len(tests) - 1 - i)
		errs = append(errs, do(b, test))
	}
	return errors.Join(errs...)
}

// openTests loads and builds one package, and lists the fuzz tests of it that can be run. The
// error says why others can't.
func (p *Project) openTests(ctx context.Context, pkg string) (b *Package, tests []instrument.FuzzTest, err error) {
	if p.packed != nil {
		return p.packed, p.packed.Program.Test.Fuzz, nil
	}
	b, err = p.Load(ctx, pkg)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range b.Loaded.Hidden {
		if !h.Observed {
			p.Note(pkg, "%s", h)
		}
	}
	if err := p.planTests(ctx, b); err != nil || len(b.Loaded.Test.Fuzz) == 0 {
		return nil, nil, err
	}
	building, stop := context.WithCancel(ctx)
	defer stop()
	compiling, end := p.seedsWhileBuilding(ctx, b, stop)
	err = p.build(building, b, compiling)
	failed := end()
	var errs []error
	if err != nil && building.Err() != nil && ctx.Err() == nil {
		for _, test := range b.Loaded.Test.Fuzz {
			errs = append(errs, failed[test.Name])
		}
		return nil, nil, errors.Join(errs...)
	}
	if err != nil {
		return nil, nil, err
	}
	if p.Options.Pack != "" {
		errs = append(errs, p.pack(ctx, b))
	}
	for _, test := range b.Program.Test.Fuzz {
		if err := failed[test.Name]; err != nil {
			errs = append(errs, err)
		} else {
			tests = append(tests, test)
		}
	}
	return b, tests, errors.Join(errs...)
}
