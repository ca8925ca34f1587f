// Package regen is the job that brings corpora up to date with changed code.
package regen

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/campaign"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/generation"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/reach"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Defaults of the zero values of [Options]: two machines with the same tree do the same.
const (
	DefaultExecs = 20_000
	DefaultSeed  = 1
)

// Options say what Run runs and how. The zero value of Options.FuzzTime is
// 20000 executions, that of Options.Seed is 1, and that of Options.Parallel is one
// process if FuzzTime is a number of executions.
type Options struct {
	project.Options

	// Diff has only those functions and initializers count as changed that have
	// changed in the work tree of git since this revision, or since the current
	// branch left it ("main..."). "": those that have changed since the last
	// run or regeneration, which are all if there was none.
	Diff string
	// Patch has those count as changed that a unified diff changes, which has been
	// applied; nil: see Diff.
	Patch io.Reader
	// Changed are the changes, if they are known already; nil: see Diff.
	Changed *change.Set
	// Abandon has the run end at once when its context does, whatever its results
	// would have been; else what was found until then is still written.
	Abandon bool
}

// Run brings corpora up to date with changed code: it replays what is there,
// searches with the mutants of the changed functions that survive, and replaces
// the entries that fuzzmut manages and that are no longer needed.
func Run(ctx context.Context, opts Options) (*report.Report, error) {
	if opts.Engine == project.EngineNative {
		return nil, exit.Errorf(exit.Usage, "corpus regen needs the guided engine: Go's own can't target mutants")
	}
	if opts.FuzzTime == (project.FuzzTime{}) {
		opts.FuzzTime.Execs = DefaultExecs
	}
	if opts.Seed == 0 {
		opts.Seed = DefaultSeed
	}
	if opts.Parallel == 0 && opts.FuzzTime.Execs > 0 {
		opts.Parallel = 1
	}
	opts.NoDerive = true // what is not in the tree is no part of what is kept up to date
	g := &regenerator{changed: opts.Changed, since: opts.Diff, scopes: make(map[string]*scope)}
	p, err := project.Open(ctx, project.Config{Options: opts.Options, Writes: true, Plan: g.plan, Choose: reach.Choose})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	g.project = p
	if g.changed == nil {
		if g.changed, err = change.Find(ctx, p.Options.Dir, p.Options.Env, opts.Diff, opts.Patch); err != nil {
			return nil, exit.AsInterrupted(ctx, err)
		}
	}
	return p.Report(ctx, func(pkg *project.Package, test instrument.FuzzTest) project.Job {
		c := g.scopes[scopeKey(pkg, test.Name)]
		focus := change.FocusOn(pkg.Program, c.Code, c.changed)
		return &regeneration{
			campaign: campaign.New(p, pkg, test, focus, campaign.Options{Abandon: opts.Abandon}),
			focus:    focus, scope: c, since: g.since, why: g.why(c, test),
		}
	})
}

// regenerator is one call of Run.
type regenerator struct {
	project *project.Project
	changed *change.Set       // nil: what has changed since the last run or regeneration
	since   string            // as Options.Diff
	scopes  map[string]*scope // by package and fuzz test
}

// scope is what a fuzz test is to be regenerated for.
type scope struct {
	*generation.Scope
	changed func(path string, d *change.Declaration) bool
}

func scopeKey(pkg *project.Package, fuzz string) string {
	return pkg.Loaded.Test.ImportPath + " " + fuzz
}

// plan leaves those fuzz tests of a package for which code has changed.
func (g *regenerator) plan(pkg *project.Package) {
	code := change.NewSources(pkg.Loaded)
	pkg.Loaded.Test.Fuzz = slices.DeleteFunc(pkg.Loaded.Test.Fuzz, func(f instrument.FuzzTest) bool {
		s := g.scope(pkg, code, f)
		if !code.Any(s.changed) {
			g.project.Note(pkg.Loaded.Test.ImportPath, "%s: no mutated function has changed%s", f.Name, g.sinceText())
			return true
		}
		g.scopes[scopeKey(pkg, f.Name)] = s
		return false
	})
}

// sinceText says since when, if it is not a revision that the user named.
func (g *regenerator) sinceText() string {
	if g.changed == nil {
		return " since the last run"
	}
	return ""
}

// why says why the code of a fuzz test is searched.
func (g *regenerator) why(s *scope, test instrument.FuzzTest) string {
	switch {
	case g.changed != nil || s.SameTest():
		return "changed" + g.sinceText()
	case s.Known():
		return "to search: " + filepath.Base(test.File) + " has changed" + g.sinceText()
	}
	return "to search: no earlier run is known"
}

// scope finds out what has changed for a fuzz test.
func (g *regenerator) scope(pkg *project.Package, code *change.Sources, f instrument.FuzzTest) *scope {
	s := &scope{Scope: generation.NewScope(g.project, pkg, code, f)}
	s.changed = func(path string, d *change.Declaration) bool { return d.TouchedBy(g.changed, path) }
	if g.changed == nil {
		s.changed = func(path string, d *change.Declaration) bool { return !s.Searched(path, d) }
	}
	return s
}

// regeneration is the work on one fuzz test.
type regeneration struct {
	campaign *campaign.Campaign
	focus    *change.Focus
	scope    *scope
	since    string // as Options.Diff
	why      string // of the focus, as text
}

func (g *regeneration) Result() *report.FuzzTest { return g.campaign.Result() }

// Run regenerates the corpus.
func (g *regeneration) Run(ctx context.Context) error {
	t := g.campaign.Trial
	t.Note("%s in %s %s", report.Plural(g.focus.Count, "mutant"), report.Plural(g.focus.Functions, "function"), g.why)
	err := g.campaign.Run(ctx)
	res := g.Result()
	if res == nil {
		return err
	}
	for i := range res.Mutants {
		res.Mutants[i].Changed = g.focus.Mutant(uint32(t.Package.Program.Mutants[i].Index))
	}
	res.Regenerated = report.Regenerated{
		Since: g.since, Functions: g.focus.Functions, Mutants: g.focus.Count,
		Gained: g.gained(), Lost: g.scope.Last.Lost(res.Mutants),
	}
	if res.NotMeasured != "" {
		res.Regenerated = report.Regenerated{}
	}
	if err != nil || t.Project.Options.DryRun {
		return err
	}
	if err := g.scope.Keep(res, g.scope.changed); err != nil {
		t.Warn(fmt.Sprintf("the state of this regeneration can't be saved for the next: %v", err))
	}
	return nil
}

// gained counts the mutants of changed code that the corpus kills and did not kill as it
// was given. Those that end the process before the first entry need no corpus.
func (g *regeneration) gained() int {
	given := make(map[string]bool)
	for _, e := range g.campaign.Trial.Given {
		given[e.Name] = true
	}
	res, n := g.Result(), 0
	for i := range res.Mutants {
		m := &res.Mutants[i]
		before := g.campaign.Before[uint32(g.campaign.Trial.Package.Program.Mutants[i].Index)]
		if m.Changed && m.KilledBy != "" && !given[m.KilledBy] && !before {
			n++
		}
	}
	return n
}
