// Package score is the job that runs corpora as they stand against all mutants, and
// compares the result with a list of accepted survivors.
package score

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/campaign"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/reach"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/restriction"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shared"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/unnoticed"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Options say what Run runs and how. Of the Options, those that are about
// fuzzing mean nothing here.
type Options struct {
	project.Options

	// Baseline is a file that lists accepted survivors, as package accepted reads
	// it; "" is none. It is relative to the current directory.
	Baseline string
	// NewOnly makes it an error of code exit.Score if mutants live that are not on
	// the list.
	NewOnly bool
	// WriteBaseline brings the file up to date, or makes it.
	WriteBaseline bool

	// Change restricts the run to mutants of changed code.
	Change restriction.Options
}

// Run runs the corpus as it stands against all mutants, without fuzzing.
func Run(ctx context.Context, opts Options) (*report.Report, error) {
	if opts.WriteBaseline && restriction.New(opts.Change) != nil {
		return nil, exit.Errorf(exit.Usage, "-write-baseline needs all mutants, and -diff leaves most of them out; choose one")
	}
	list, err := readAccepted(opts)
	if err != nil {
		return nil, err
	}
	to := restriction.New(opts.Change)
	p, err := project.Open(ctx, project.Config{Options: opts.Options, Choose: reach.Choose, Plan: to.Plan()})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	if err := to.Begin(ctx, p); err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	rep, err := p.Report(ctx, func(pkg *project.Package, test instrument.FuzzTest) project.Job {
		choice := to.Choice(pkg)
		return &scoring{trial: trial.New(p, pkg, test, choice.Focus(pkg.Program), trial.Hooks{}), choice: choice}
	})
	to.Enter(rep)
	if rep != nil && opts.WithTests {
		err = errors.Join(err, unnoticed.Mark(ctx, p, rep))
	}
	if rep == nil || opts.Baseline == "" {
		return rep, err
	}
	c := &comparison{opts: opts, list: list, rep: rep}
	return rep, errors.Join(err, c.compare(err))
}

// readAccepted reads the list of accepted mutants, and makes sure that it can be
// written if it is to be.
func readAccepted(opts Options) (*accepted.List, error) {
	if opts.Baseline == "" {
		return nil, nil
	}
	if opts.WriteBaseline {
		if err := report.CheckSave(opts.Baseline); err != nil {
			return nil, exit.Errorf(exit.Usage, "-baseline: %w", err)
		}
	}
	list, err := accepted.Mutants.Read(opts.Baseline)
	switch {
	case err == nil:
		return list, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, exit.Errorf(exit.Usage, "-baseline: %w", err)
	case opts.WriteBaseline:
		return &accepted.List{}, nil
	}
	return nil, exit.Errorf(exit.Usage, "-baseline: %w; -write-baseline makes it", err)
}

// comparison is the work of comparing a score with the list of accepted mutants.
type comparison struct {
	opts Options
	list *accepted.List
	rep  *report.Report
}

// compare enters into the report how the result compares with the list, writes
// the list if that is asked for, and returns the error that the result amounts to.
// scoreErr is what scoring came to: a part of a result says nothing of what is
// missing.
func (c *comparison) compare(scoreErr error) error {
	b := &c.rep.Baseline
	b.File, b.NewOnly = c.opts.Baseline, c.opts.NewOnly
	byID := c.list.ByID()
	living, others := report.Living(c.rep.Tests)
	c.rep.Mark(func(m *report.Mutant) bool {
		e := byID[acceptedID(m)]
		if e != nil && len(e.Reason) == 0 {
			b.Unexplained++
		}
		return e != nil
	})
	whole := scoreErr == nil || exit.CodeOf(scoreErr) == exit.Score || exit.CodeOf(scoreErr) == exit.Failing
	if whole && c.rep.Diff == "" { // else nothing is known of most entries
		b.Stale = c.stale(living, others)
	}
	switch {
	case c.opts.WriteBaseline && !whole:
		return exit.Errorf(exit.Usage, "%s is not changed: a partial result can't update it; fix the error, then run again", b.File)
	case c.opts.WriteBaseline:
		return c.write(living)
	case c.opts.NewOnly && b.New > 0:
		return exit.Errorf(exit.Score, "%s not in %s: kill %s by fuzzing or better assertions, or accept %s with -write-baseline and a reason",
			report.Plural(b.New, "live mutant")+report.Verb(b.New, " is", " are"), b.File, report.Verb(b.New, "it", "them"), report.Verb(b.New, "it", "them"))
	}
	return nil
}

func acceptedID(m *report.Mutant) accepted.ID { return accepted.ID{Package: m.Package, Mutant: m.ID} }

// stale lists the entries that this run shows to be without need: it could have
// made the mutant, and the mutant does not live.
func (c *comparison) stale(living []report.Mutant, others map[[2]string]string) []report.Stale {
	lives := make(map[accepted.ID]bool)
	for i := range living {
		lives[acceptedID(&living[i])] = true
	}
	inRun := c.couldMake()
	var list []report.Stale
	for i := range c.list.Entries {
		e := &c.list.Entries[i]
		if lives[e.ID] || !inRun(e) {
			continue
		}
		status := others[[2]string{e.Package, e.ID.Mutant}]
		if status == "" {
			status = report.Gone
		}
		list = append(list, report.Stale{Package: e.Package, ID: e.ID.Mutant, Status: status})
	}
	return list
}

// couldMake returns a function that tells whether a run like this one would have
// a mutant for an entry, if the mutant exists: the entry is of the run's
// operators and of a package that it mutates. A package without any mutant may
// not have been mutated.
func (c *comparison) couldMake() func(*accepted.Entry) bool {
	packages := make(map[string]bool)
	for i := range c.rep.Tests {
		for j := range c.rep.Tests[i].Mutants {
			packages[c.rep.Tests[i].Mutants[j].Package] = true
		}
	}
	spec := c.opts.Operators
	if spec == "" {
		spec = project.DefaultOperators
	}
	ops, _ := operator.ByNames(spec) // the run has used them
	return func(e *accepted.Entry) bool {
		return packages[e.Package] && slices.ContainsFunc(ops, func(op *operator.Operator) bool { return op.Name == e.Operator })
	}
}

// write writes the list again.
func (c *comparison) write(living []report.Mutant) error {
	inRun := c.couldMake()
	fresh := make([]accepted.Entry, len(living))
	for i := range living {
		m := &living[i]
		fresh[i] = accepted.Entry{ID: acceptedID(m), Operator: m.Operator, What: describeMutant(m)}
	}
	c.list.Refresh(fresh, func(e *accepted.Entry) bool { return !inRun(e) })
	if err := report.Save(c.opts.Baseline, c.list.Write); err != nil {
		return exit.Errorf(exit.Usage, "-baseline: %w", err)
	}
	c.rep.Baseline.Written = true
	return nil
}

// describeMutant says on one line where a mutant is and what it changes, without
// anything that moves when code elsewhere does.
func describeMutant(m *report.Mutant) string {
	what := m.Description
	if what == "" {
		what = report.Change(m)
	}
	if m.Function != "" {
		what = m.Function + ": " + what
	}
	return strings.Join(strings.Fields(what), " ")
}

// engine is what reports say instead of an engine.
const engine = "score"

// scoring is the work on one fuzz test.
type scoring struct {
	trial  *trial.Trial
	choice *change.Choice // of mutants; nil: all
	result *report.FuzzTest
}

// Result is the score; nil: there is none.
func (s *scoring) Result() *report.FuzzTest {
	if s.result != nil {
		s.result.Warnings = s.trial.Warnings()
	}
	return s.result
}

// passing lists the inputs that pass, by their numbers.
func passing(results []wire.Result) (list []int) {
	for i := range results {
		if !results[i].Outcome.Kind.Failed() {
			list = append(list, i)
		}
	}
	return list
}

// Run evaluates the corpus as it stands.
func (s *scoring) Run(ctx context.Context) error {
	t := s.trial
	if err := t.Greet(ctx); err != nil {
		return err
	}
	if err := t.ReadKnown(); err != nil {
		return err
	}
	member := shared.Join(t)
	defer member.Close()
	member.Begin()
	entries := slices.Concat(t.Given, t.Cached)
	n := t.Package.Live
	if t.Focus != nil {
		n, t.Focused = t.Focus.Count, true
	}
	t.Phase("running %s against %s", report.Plural(len(entries), "entry"), report.Plural(n, "mutant"))
	stop := t.Watch()
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: trial.Inputs(entries), Select: wire.SelectAlive, Explain: true, Check: true, Infected: true, Reached: true,
		Exclude: func(m uint32) bool { return !t.Focus.Mutant(m) },
	})
	stop()
	if err != nil {
		return t.EngineError(err)
	}
	if err := t.CheckBaseline(ctx, entries, ev); err != nil {
		return err
	}
	trial.ReportVersions(t, entries, ev)
	t.Engine.Begin(trial.Inputs(entries), ev)
	passing := passing(ev.Results[:len(t.Given)])
	t.LeaveOut(ev)
	for i := range ev.Results {
		if ev.Results[i].Outcome.Kind.Failed() {
			ev.Results[i].Features = nil // they cover nothing
		}
	}
	start, err := trial.EvaluateStart(ctx, t, t.Given, ev)
	if err != nil {
		return err
	}
	start.Renumber(passing)
	p := &trial.Replay{Trial: t, Entries: entries, Evaluation: ev, Start: start}
	s.result = p.Result(trial.Summary{Engine: engine, NoChance: true, Before: len(t.Given) + t.Shared})
	s.result.Crashes = campaign.Crashes(t, bugs.Unsorted(t.Engine.Failures.Stacks()))
	s.result.Interrupted = ctx.Err() != nil
	s.result.Shared = member.Report()
	restriction.Narrow(s.choice, t.Package.Program, s.result)
	return nil
}
