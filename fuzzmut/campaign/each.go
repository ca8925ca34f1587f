package campaign

import (
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// job is the work on one fuzz test.
type job interface {
	run(ctx context.Context) error
	// result is what has come of it, also after an error or a panic; nil: nothing.
	result() *report.FuzzTest
}

// report does one job for each of the chosen fuzz tests and puts their results together.
// It is not nil whenever there is something to report, also together with an error.
func (r *runner) report(ctx context.Context, start func(*built, instrument.FuzzTest) job) (*report.Report, error) {
	rep := &report.Report{Version: report.FormatVersion}
	ctx, end := r.faults.end(ctx)
	defer end()
	err := r.eachTest(ctx, func(b *built, test instrument.FuzzTest) error {
		j := start(b, test)
		err := panics.Do(func() error { return j.run(ctx) })
		if result := j.result(); result != nil {
			rep.Tests = append(rep.Tests, *result)
			r.emit(Event{Done: result})
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
func (r *runner) eachTest(ctx context.Context, do func(*built, instrument.FuzzTest) error) error {
	var errs []error
	begun := false
	for _, pkg := range r.packages {
		if ctx.Err() != nil {
			break
		}
		err := r.eachTestOf(ctx, pkg, func(b *built, test instrument.FuzzTest) error {
			begun = true
			return do(b, test)
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
func (r *runner) eachTestOf(ctx context.Context, pkg string, do func(*built, instrument.FuzzTest) error) error {
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
		if err := do(b, test); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
