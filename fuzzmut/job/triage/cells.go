package triage

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shared"
)

// cells finds out a part of the matrix of failing inputs and mutants, and leaves it for others.
func (t *triager) cells(ctx context.Context, member *shared.Member) error {
	p, c := t.trial.Package.Program, *t.opts.Cells
	r := &report.Triage{
		Package: p.Test.ImportPath, Name: t.trial.Test.Name, Operators: t.trial.Project.Options.Operators, Mutants: t.trial.Package.Live,
		Cells: &report.Cells{Place: t.trial.Project.Share.Path(), Binary: member.Binary(), Part: c.Part, Parts: c.Parts},
	}
	r.File, r.Line = t.trial.Place()
	t.result = r
	if c.Part > 0 {
		var err error
		r.Cells.Found, r.Cells.Inputs, err = t.sort.FindCells(ctx, c, member.Cells(c.Part, c.Parts))
		if err != nil {
			return err
		}
	}
	r.MutantExecutions, r.Warnings = t.trial.Engine.Status().MutantExecs, t.trial.Warnings()
	return nil
}
