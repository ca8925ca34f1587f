// Package restriction has a run over fuzz tests be about the mutants of changed code alone.
package restriction

import (
	"context"
	"io"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Options say which code has changed. The zero value is no restriction.
type Options struct {
	// Diff restricts the run to code that has changed in the work tree of git since
	// this revision, or since the current branch left it ("main..."); "" does not.
	Diff string
	// Patch restricts it likewise to code that a unified diff changes, which has been
	// applied; nil does not.
	Patch io.Reader
	// DiffBy says how much around a changed line counts as changed; "" means
	// change.ByLine.
	DiffBy change.Part
}

// Restriction is the restriction of one run. A nil one restricts nothing.
type Restriction struct {
	opts    Options
	project *project.Project
	changed *change.Set
	choices map[*project.Package]*change.Choice
}

// New returns the restriction by a change; nil if there is none.
func New(o Options) *Restriction {
	if o.Diff == "" && o.Patch == nil {
		return nil
	}
	return &Restriction{opts: o, choices: make(map[*project.Package]*change.Choice)}
}

// Plan is what the project asks for each package, before Begin is called: nil without a
// restriction. It leaves those fuzz tests for which mutated code has changed.
func (r *Restriction) Plan() func(*project.Package) {
	if r == nil {
		return nil
	}
	return func(pkg *project.Package) {
		c := change.NewChoice(r.changed, r.opts.DiffBy, change.NewSources(pkg.Loaded))
		r.choices[pkg] = c
		if c.Any() {
			return
		}
		for _, f := range pkg.Loaded.Test.Fuzz {
			r.project.Note(pkg.Loaded.Test.ImportPath, "%s: no mutated function has changed", f.Name)
		}
		pkg.Loaded.Test.Fuzz = nil
	}
}

// Begin finds out what has changed.
func (r *Restriction) Begin(ctx context.Context, p *project.Project) (err error) {
	if r == nil {
		return nil
	}
	r.project = p
	r.changed, err = change.Find(ctx, p.Options.Dir, p.Options.Env, r.opts.Diff, r.opts.Patch)
	return err
}

// Choice returns the mutants of a package that the run is about; nil: all.
func (r *Restriction) Choice(pkg *project.Package) *change.Choice {
	if r == nil {
		return nil
	}
	return r.choices[pkg]
}

// Narrow leaves in a result the mutants that the run is about. Their order is that of the
// program.
func Narrow(c *change.Choice, p *instrument.Program, res *report.FuzzTest) {
	if c == nil || res == nil {
		return
	}
	var kept []report.Mutant
	for i := range res.Mutants {
		if c.Has(&p.Mutants[i]) {
			m := res.Mutants[i]
			m.Changed = true
			kept = append(kept, m)
		}
	}
	res.Mutants = slices.Clip(kept)
	res.Score = report.Summarise(res.Mutants)
}

// Enter enters into a report what it is restricted to.
func (r *Restriction) Enter(rep *report.Report) {
	if r != nil && rep != nil {
		rep.Diff, rep.DiffBy = change.Named(r.opts.Diff, r.opts.Patch, r.opts.DiffBy)
	}
}
