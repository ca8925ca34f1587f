package campaign

import (
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// Triage sorts the failing inputs of every chosen fuzz test by the bugs they show.
// The report is not nil whenever there is something to report, also together with
// an error.
func Triage(ctx context.Context, opts TriageOptions) (*report.TriageReport, error) {
	if opts.Operators == "" {
		opts.Operators = repairOperators
	}
	if opts.Time == 0 {
		opts.Time = DefaultTriageTime
	}
	r, err := newRunner(ctx, config{opts: opts.Options, writes: opts.Write})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer r.close()
	if opts.Since != "" {
		if _, err := checkSince(ctx, &opts, r); err != nil {
			return nil, exit.AsInterrupted(ctx, err)
		}
	}
	rep := &report.TriageReport{Version: report.FormatVersion}
	var errs []error
	for _, pkg := range r.packages {
		if ctx.Err() != nil {
			break
		}
		if err := triagePackage(ctx, r, &opts, pkg, rep); err != nil {
			errs = append(errs, exit.AsInterrupted(ctx, err))
			if exit.CodeOf(err) == exit.Internal {
				break
			}
		}
	}
	if ctx.Err() != nil {
		rep.Interrupted = true
		errs = append(errs, exit.Errorf(exit.Interrupted, "interrupted; what was sorted so far is told"))
	}
	err = errors.Join(errs...)
	if len(rep.Tests) == 0 && err != nil {
		return nil, err
	}
	return rep, errors.Join(err, triageVerdict(rep))
}

// triageVerdict is the error that failing inputs amount to.
func triageVerdict(r *report.TriageReport) error {
	buckets, unsorted := 0, 0
	for i := range r.Tests {
		buckets += len(r.Tests[i].Buckets)
		unsorted += r.Tests[i].Unsorted()
	}
	switch {
	case buckets > 0 && unsorted > 0:
		return exit.Errorf(exit.Failing, "failing inputs, in %s, and %d not sorted: mend them, then run again", report.Plural(buckets, "bucket"), unsorted)
	case buckets > 0:
		return exit.Errorf(exit.Failing, "failing inputs, in %s: mend them, then run again", report.Plural(buckets, "bucket"))
	case unsorted > 0:
		return exit.Errorf(exit.Failing, "%s not sorted: -triagetime gives more time for those that were not run; those that fail now and then hang on more than the input",
			report.Plural(unsorted, "failing input"))
	}
	return nil
}

// triagePackage sorts the failing inputs of the fuzz tests of one package.
func triagePackage(ctx context.Context, r *runner, opts *TriageOptions, pkg string, rep *report.TriageReport) error {
	b, err := r.load(ctx, pkg)
	if err != nil {
		return err
	}
	if opts.Mutate == nil {
		mutateModule(b.loaded)
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
		t := &triager{trial: newTrial(r, b, test, nil, hooks{}), opts: opts}
		t.sort = newSorting(t.trial, sortOptions{time: opts.Time, first: opts.First, noTests: opts.NoTests})
		if err := t.run(ctx); err != nil {
			errs = append(errs, err)
			continue
		}
		rep.Tests = append(rep.Tests, *t.result)
	}
	return errors.Join(errs...)
}

// triager is the work on the failing inputs of one fuzz test.
type triager struct {
	trial  *trial
	sort   *sorting
	opts   *TriageOptions
	result *report.Triage
}

func (t *triager) run(ctx context.Context) error {
	if err := t.collect(ctx); err != nil {
		return err
	}
	if err := t.sort.analyse(ctx); err != nil {
		return err
	}
	if err := t.describe(ctx); err != nil {
		return err
	}
	return t.since(ctx)
}
