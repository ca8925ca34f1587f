package suggest

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/properties"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/target"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// oracles finds properties that kill survivors of the unit tests by assertion.
func (s *session) oracles(ctx context.Context) error {
	o := s.newOracles(properties.Find(s.loaded))
	s.report.Oracles = o.report
	if err := o.infer(ctx); err != nil {
		return err
	}
	o.report.Proposed = len(o.families)
	if len(o.families) == 0 {
		return nil
	}
	if err := o.buildAll(ctx); err != nil {
		return err
	}
	o.claimed = true
	if err := o.search(ctx); err != nil {
		return err
	}
	// What was found before an interrupt is not lost.
	rest, cancel := o.after(ctx, graceParts)
	defer cancel()
	return o.conclude(rest)
}

// newOracles begins the search for properties.
func (s *session) newOracles(families []properties.Family) *oracles {
	return &oracles{
		session: s, families: families, report: &suggestion.Oracles{}, budget: s.project.Options.FuzzTime,
		shared: make(map[string][]*corpus.Input), valid: make(map[string][]*corpus.Input), panics: make(map[string]bool),
	}
}

// oracles is the search for properties of one package.
type oracles struct {
	*session
	families []properties.Family
	report   *suggestion.Oracles
	built    *project.Package // with a fuzz test for each property; results of calls are not observed
	code     *change.Sources
	claims   []*claim
	// shared are the inputs that searches leave to others whose inputs are of the same types.
	shared map[string][]*corpus.Input
	// valid are inputs with which calls have returned something, by their types.
	valid  map[string][]*corpus.Input
	budget project.FuzzTime
	panics map[string]bool // stacks that the report has
	// claimed says that fuzz tests claim something.
	claimed bool
}

// A claim is what is claimed of the code: one property of a family, or what a fuzz test of the
// package itself asserts.
type claim struct {
	family properties.Family // those that are left, the one in progress first; nil: a fuzz test of the package
	test   instrument.FuzzTest
	trial  *trial.Trial // nil: it has not begun
	open   int          // survivors that it reaches and does not kill
	told   bool         // the report has a failure of a property of the family
	gone   bool         // no property of the family can be taken
	kills  [][]uint32   // by input
	inputs []*corpus.Input
	small  map[int]*shrunk // by place of the input
	failed []*corpus.Input // with which properties before it in the family did not hold
}

func (c *claim) property() *properties.Property {
	if len(c.family) == 0 {
		return nil
	}
	return c.family[0]
}

// types are those of its inputs: searches leave inputs to others of the same.
func (c *claim) types() string { return strings.Join(c.test.ArgTypes, ",") }

// given are the inputs that others have left to a claim.
func (o *oracles) given(c *claim) []*corpus.Input {
	return slices.Concat(o.shared[c.types()], o.valid[c.types()])
}

// buildAll is build. Relations that do not compile are no reason to go without the others.
func (o *oracles) buildAll(ctx context.Context) error {
	err := o.build(ctx)
	related := func(f properties.Family) bool { return f[0].Kind == properties.Relation }
	if err == nil || !slices.ContainsFunc(o.families, related) {
		return err
	}
	if err := o.withoutRelations(err, "relations do not compile and are left out"); err != nil {
		return err
	}
	o.families = slices.DeleteFunc(o.families, related)
	return o.build(ctx)
}

// build builds the package with a fuzz test for each property. Calls are not observed: a
// mutant is killed by what a fuzz test says.
func (o *oracles) build(ctx context.Context) error {
	cfg := o.project.LoadConfig(o.pkg)
	cfg.AnyTests, cfg.Derive, cfg.Overlay = true, false, make(map[string][]byte)
	for _, family := range o.families {
		for _, p := range family {
			text, err := o.source(p, p.Name, nil)
			if err != nil {
				return exit.Errorf(exit.Internal, "%w", err)
			}
			cfg.Overlay[filepath.Join(o.loaded.Test.Dir, target.FileName(p.Name, "fuzzmut_property"))] = text
		}
	}
	loaded, err := o.load(ctx, cfg)
	var bad *problem.Error
	if errors.As(err, &bad) && bad.Kind == problem.KindBroken {
		return exit.Errorf(exit.Internal, "a proposed property does not compile, please report it: %w", bad)
	}
	if err != nil {
		return err
	}
	loaded.Observe = nil
	o.built, o.code = &project.Package{Loaded: loaded, UsesContext: loaded.UsesContext, ValueTypes: values.Find(loaded)}, change.NewSources(loaded)
	o.project.Phase(o.pkg, "building fuzz tests for %s", report.Plural(len(o.families), "property"))
	if err := o.builder.Build(ctx, o.built); err != nil {
		return err
	}
	at := make(map[string]instrument.FuzzTest)
	for _, t := range o.built.Program.Test.Fuzz {
		at[t.Name] = t
	}
	for _, family := range o.families {
		o.claims = append(o.claims, &claim{family: family, test: at[family[0].Name]})
		for _, p := range family {
			delete(at, p.Name)
		}
	}
	for _, t := range o.built.Program.Test.Fuzz {
		if _, own := at[t.Name]; own {
			o.claims = append(o.claims, &claim{test: t})
		}
	}
	return nil
}

// source is a file with the fuzz test of a property.
func (o *oracles) source(p *properties.Property, name string, seeds []string) ([]byte, error) {
	part, err := p.Source(name, seeds)
	if err != nil {
		return nil, err
	}
	return target.Join(o.loaded.Packages[0].Name, "", part)
}

// firstPart is the part of the budget in which each property shows what it reaches.
const firstPart = 3

// search has each property show in a part of the time whether it holds, and what it reaches.
// The rest of the time is for those that reach survivors which they do not kill.
func (o *oracles) search(ctx context.Context) error {
	all := o.budget
	budget := newShare(project.FuzzTime{Duration: all.Duration / firstPart, Execs: all.Execs / firstPart})
	if err := o.round(ctx, budget, (*claim).firstWeight); err != nil || ctx.Err() != nil {
		return err
	}
	rest := newShare(project.FuzzTime{Duration: all.Duration - all.Duration/firstPart + budget.left.Duration, Execs: all.Execs - all.Execs/firstPart + budget.left.Execs})
	idle := o.idleGuesses()
	return o.round(ctx, rest, func(c *claim) int {
		if idle[c] {
			return 0
		}
		return c.open
	})
}

// firstWeight is the weight of a claim in the first part. What a relation says has held in many calls
// before.
func (c *claim) firstWeight() int {
	if c.relates() {
		return 1
	}
	return shapeWeight
}

// shapeWeight is that of a property by the shape of the API.
const shapeWeight = 4

// relates says whether a claim is inferred from calls.
func (c *claim) relates() bool {
	p := c.property()
	return p != nil && p.Kind == properties.Relation
}

// idleGuesses are claims that are inferred, or that no shape promises, and assert nothing that no other
// asserts. They reach as much as the others, and would take as much of the budget.
func (o *oracles) idleGuesses() map[*claim]bool {
	by := make(map[uint32][]*claim)
	idle := make(map[*claim]bool)
	for _, c := range o.claims {
		if c.gone || c.trial == nil {
			continue
		}
		p := c.property() // the strictest round trips are guesses, and say much
		idle[c] = c.relates() || p != nil && p.Guess && p.Kind != properties.RoundTrip
		for i := range o.built.Program.Mutants {
			if k, ok := c.trial.Engine.Kills.First(uint32(i + 1)); ok && k.Kind == oracle.Assertion {
				by[uint32(i+1)] = append(by[uint32(i+1)], c)
			}
		}
	}
	for _, claims := range by {
		if len(claims) == 1 {
			idle[claims[0]] = false
		}
	}
	return idle
}

// round has each property searched for its share of a budget, by weight; 0: not at all.
func (o *oracles) round(ctx context.Context, budget *share, weight func(*claim) int) error {
	for _, c := range o.claims {
		if !c.gone {
			budget.weights += weight(c)
		}
	}
	for _, c := range o.claims {
		if c.gone {
			continue
		}
		w := weight(c)
		if budget.weights -= w; w == 0 {
			continue
		}
		for part := budget.of(w); part != (project.FuzzTime{}) && ctx.Err() == nil; {
			begin := time.Now()
			execs, again, err := o.try(ctx, c, part)
			budget.used(time.Since(begin), execs)
			if err != nil {
				return err
			}
			if !again {
				break
			}
		}
	}
	return nil
}

// try searches with one property, and goes on to the next of its family if it fails: again
// says that one is left.
func (o *oracles) try(ctx context.Context, c *claim, part project.FuzzTime) (execs int64, again bool, err error) {
	first := c.trial == nil
	if p := c.property(); p != nil {
		c.test = o.fuzzTest(p.Name)
	}
	focus := change.FocusOnMutants(o.built.Program, o.code, func(m *instrument.Mutant) bool {
		return m.Status == instrument.StatusLive && o.survivors[keyOf(m)] != nil
	})
	fuzzing, stop := context.WithCancel(ctx)
	defer stop()
	t := trial.New(o.project, o.built, c.test, focus, trial.Hooks{HangFuel: hangFuel, Anew: true, OnFailure: func(f failures.Failure) {
		if f.Outcome.Kind == wire.Fail {
			stop() // it is known
		}
	}})
	begin := slices.Concat(o.given(c), c.failed)
	if !first {
		begin = c.inputs
	}
	err = o.fuzz(fuzzing, t, begin, part, first)
	if odd := first && o.claimed && c.property() != nil; odd && err == nil && fuzzing.Err() == nil {
		err = o.tryOdd(fuzzing, c.property(), t)
	}
	execs = t.Engine.Status().Inputs
	var none *notSearched
	switch {
	case errors.As(err, &none):
		o.drop(c, none.Error())
		return execs, !c.gone, nil
	case ctx.Err() != nil && c.trial == nil && len(t.Engine.Failures.Stacks()) == 0:
		c.gone = true // there is not enough to say that it holds
		return execs, false, nil
	case err != nil && ctx.Err() == nil && fuzzing.Err() == nil:
		return execs, false, err
	}
	c.trial = t
	if o.fails(ctx, c) {
		return execs, !c.gone, nil
	}
	o.leave(c)
	return execs, false, nil
}

// fuzzTest is the one of a name, in the build.
func (o *oracles) fuzzTest(name string) instrument.FuzzTest {
	for _, t := range o.built.Program.Test.Fuzz {
		if t.Name == name {
			return t
		}
	}
	return instrument.FuzzTest{Name: name}
}

// fuzz runs given inputs, and searches for more.
func (o *oracles) fuzz(ctx context.Context, t *trial.Trial, begin []*corpus.Input, budget project.FuzzTime, first bool) error {
	if err := t.Greet(ctx); err != nil {
		if exit.CodeOf(err) == exit.Internal {
			return err
		}
		return &notSearched{err}
	}
	if err := o.run(ctx, t, slices.Concat(trial.Inputs(t.Given), begin)); err != nil {
		return err
	}
	if slices.ContainsFunc(t.Engine.Failures.Stacks(), func(f *failures.Stack) bool { return f.Outcome.Kind == wire.Fail }) {
		return nil
	}
	budget.Duration = budget.Duration.Round(leastTime / 10) // a person reads it
	t.Brief("checking it for %v", budget)
	b := engine.Budget{Time: budget.Duration, Inputs: budget.Execs}
	if !first {
		b.Part = 1
	}
	stop := t.WatchFuzzing(budget)
	_, err := t.Engine.Fuzz(ctx, b)
	stop()
	if err != nil {
		return t.EngineError(err)
	}
	return nil
}

// run runs inputs of a search. A property that is another one from run to run is not checked.
func (o *oracles) run(ctx context.Context, t *trial.Trial, inputs []*corpus.Input) error {
	err := o.begin(ctx, t, inputs, beginFuel/4)
	if exit.CodeOf(err) == exit.Baseline {
		return &notSearched{err}
	}
	return err
}

// sharedMost bounds the inputs that searches leave to each other, and inputsMost those that
// survivors are run on in the end.
const (
	sharedMost = 64
	inputsMost = 192
)

// leave notes what a search leaves.
func (o *oracles) leave(c *claim) {
	c.inputs, c.open = nil, 0
	reached := c.trial.Engine.Totals().Reached
	for i := range o.built.Program.Mutants {
		if m := uint32(i + 1); c.trial.Focus.Mutant(m) && reached[m] > 0 && !c.trial.Engine.Kills.Dead(int(m)) {
			c.open++
		}
	}
	for _, e := range c.trial.Engine.Pool.Entries() {
		c.inputs = append(c.inputs, e.Input)
	}
	slices.SortFunc(c.inputs, smaller)
	types := c.types()
	list := slices.Concat(o.shared[types], c.inputs[:min(len(c.inputs), sharedMost/4)])
	slices.SortFunc(list, smaller)
	list = slices.CompactFunc(list, (*corpus.Input).Equal)
	o.shared[types] = list[:min(len(list), sharedMost)]
}

// smaller puts small inputs first.
func smaller(a, b *corpus.Input) int {
	if n := a.Len() - b.Len(); n != 0 {
		return n
	}
	return a.Compare(b)
}

// drop goes on to the next property of a family.
func (o *oracles) drop(c *claim, why string) {
	if p := c.property(); p != nil && why != "" {
		o.project.Note(o.pkg, "%s: not checked: %s", p.Name, why)
	}
	c.trial, c.inputs = nil, nil
	if len(c.family) <= 1 {
		c.gone = true
		return
	}
	c.family = c.family[1:]
}
