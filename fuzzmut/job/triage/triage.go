// Package triage is the job that sorts failing inputs by the bugs they show, and finds out
// since when they fail.
package triage

import (
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// Run sorts the failing inputs of every chosen fuzz test by the bugs they show.
// The report is not nil whenever there is something to report, also together with
// an error.
func Run(ctx context.Context, opts Options) (*report.TriageReport, error) {
	if opts.Operators == "" {
		opts.Operators = DefaultOperators
	}
	if opts.Time == 0 {
		opts.Time = DefaultTime
	}
	if opts.Cells != nil && opts.Share == "" {
		return nil, exit.Errorf(exit.Usage, "-cells leaves what it finds out in a shared directory; name one by -share")
	}
	p, err := project.Open(ctx, project.Config{Options: opts.Options, Writes: opts.Write})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	if opts.Since != "" {
		if _, err := checkSince(ctx, &opts, p); err != nil {
			return nil, exit.AsInterrupted(ctx, err)
		}
	}
	rep := &report.TriageReport{Version: report.FormatVersion}
	var errs []error
	for _, pkg := range p.Packages {
		if ctx.Err() != nil {
			break
		}
		if err := triagePackage(ctx, p, &opts, pkg, rep); err != nil {
			errs = append(errs, exit.AsCut(ctx, err))
			if exit.CodeOf(err) == exit.Internal {
				break
			}
		}
	}
	if ctx.Err() != nil {
		rep.Interrupted = true
		errs = append(errs, exit.Errorf(exit.Interrupted, "interrupted; the inputs sorted so far are in the result"))
	}
	err = errors.Join(errs...)
	if len(rep.Tests) == 0 && err != nil {
		return nil, err
	}
	if opts.Cells != nil {
		return rep, err
	}
	return rep, errors.Join(err, triageVerdict(rep))
}

// triagePackage sorts the failing inputs of the fuzz tests of one package.
func triagePackage(ctx context.Context, p *project.Project, opts *Options, pkg string, rep *report.TriageReport) error {
	b, err := p.Load(ctx, pkg)
	if err != nil {
		return err
	}
	if opts.Mutate == nil {
		project.MutateModule(b.Loaded)
	}
	if opts.Write {
		if err := project.CheckOwn(b.Loaded); err != nil {
			return err
		}
	}
	if err := project.CheckLinks(p, b.Loaded); err != nil {
		return err
	}
	if err := p.Build(ctx, b); err != nil {
		return err
	}
	var errs []error
	for _, test := range b.Program.Test.Fuzz {
		if ctx.Err() != nil {
			break
		}
		t := &triager{trial: trial.New(p, b, test, nil, trial.Hooks{}), opts: opts}
		t.sort = bugs.New(t.trial, bugs.Options{Time: opts.Time, First: opts.First, NoTests: opts.NoTests, Costs: true})
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
	trial  *trial.Trial
	sort   *bugs.Sorting
	opts   *Options
	result *report.Triage
}

func (t *triager) run(ctx context.Context) error {
	member, err := t.collect(ctx)
	if err != nil {
		return err
	}
	defer member.Close()
	if t.opts.Cells != nil {
		return t.cells(ctx, member)
	}
	t.sort.Know(member.Matrix())
	if err := t.sort.Analyse(ctx); err != nil {
		return err
	}
	if err := t.describe(ctx); err != nil {
		return err
	}
	return t.since(ctx)
}
