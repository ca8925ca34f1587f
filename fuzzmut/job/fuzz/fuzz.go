// Package fuzz is the main job: it fuzzes each chosen fuzz test, with the guided engine or
// with Go's own, and writes fuzz tests that were derived.
package fuzz

import (
	"context"
	"errors"
	"fmt"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/campaign"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/generation"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/reach"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/restriction"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/unnoticed"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Options say what Run runs and how.
type Options struct {
	project.Options

	// Change restricts the search to mutants of changed code: for them alone entries are
	// added, and they alone are reported.
	Change restriction.Options
}

// Run runs every chosen fuzz test, one after the other. The report is not nil
// whenever there is something to report, also together with an error: what was
// found before Ctrl-C, or in the fuzz tests before the one that could not be run.
func Run(ctx context.Context, o Options) (*report.Report, error) {
	opts := o.Options
	to := restriction.New(o.Change)
	p, err := project.Open(ctx, project.Config{Options: opts, Writes: true, Seeds: true, Fill: true, Choose: reach.Choose, Plan: to.Plan()})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	if err := to.Begin(ctx, p); err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	var how campaign.Options
	if opts.Engine == project.EngineNative {
		how.Search = fuzzNative
	}
	rep, err := p.Report(ctx, func(pkg *project.Package, test instrument.FuzzTest) project.Job {
		choice := to.Choice(pkg)
		s := &search{Campaign: campaign.New(p, pkg, test, choice.Focus(pkg.Program), how), choice: choice}
		s.Trial.Focused = choice != nil // no other mutant is reported
		if mutantsSearched(p) && test.Target == "" && choice == nil && !pkg.Packed() {
			s.scope = generation.NewScope(p, pkg, change.NewSources(pkg.Loaded), test)
			s.Hints, s.Left, s.Started = s.scope.Killers(pkg.Program), s.scope.Left(pkg.Program), s.scope.Verdicts(pkg.Program)
		}
		return s
	})
	to.Enter(rep)
	if rep != nil && opts.WithTests {
		err = errors.Join(err, unnoticed.Mark(ctx, p, rep))
	}
	return rep, err
}

// mutantsSearched reports whether a run searches for all mutants and writes the corpus
// that this brings, so that a regeneration need not.
func mutantsSearched(p *project.Project) bool {
	return p.Options.Engine == project.EngineGuided && p.Filter.RunsMutants() && !p.Options.DryRun
}

// search is the work on one fuzz test.
type search struct {
	*campaign.Campaign
	choice *change.Choice    // of mutants; nil: all
	scope  *generation.Scope // nil: nothing is kept for a regeneration
}

// Run searches, and keeps what was searched for the next regeneration.
func (s *search) Run(ctx context.Context) error {
	s.noteChange()
	return s.keep(s.Campaign.Run(ctx))
}

// Open is the part of Run before fuzzing.
func (s *search) Open(ctx context.Context) error {
	s.noteChange()
	return s.Campaign.Open(ctx)
}

// Close is the part of Run after it.
func (s *search) Close(ctx context.Context, among int) error {
	return s.keep(s.Campaign.Close(ctx, among))
}

// noteChange says what of the code has changed.
func (s *search) noteChange() {
	if f := s.Trial.Focus; f != nil {
		s.Trial.Note("%s in %s changed", report.Plural(f.Count, "mutant"), report.Plural(f.Functions, "function"))
	}
}

// keep keeps what was searched. err is how that ended.
func (s *search) keep(err error) error {
	restriction.Narrow(s.choice, s.Trial.Package.Program, s.Result())
	if err != nil || s.scope == nil {
		return err
	}
	all := func(string, *change.Declaration) bool { return true }
	if err := s.scope.Keep(s.Result(), all); err != nil {
		s.Trial.Warn(fmt.Sprintf("what was searched can't be kept for corpus regen: %v", err))
	}
	return nil
}
