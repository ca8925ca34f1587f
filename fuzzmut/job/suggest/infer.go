package suggest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/properties"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/relations"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds of what relations are inferred from.
const (
	probeFirst    = 16          // of the budget, one is for a first search
	probeSecond   = 16          // and one more, where that has found a relation
	probeInputs   = 600         // of each probe, in each round
	probeRounds   = 3           // the first has what a search finds, the others are composed of it
	probeLen      = 1024        // of an input
	validMost     = 200         // that are left to the properties, of the same types
	probeFailures = 4           // of calls that do not end, of each probe
	probeCost     = 200_000_000 // of its calls in each round: some tenths of a second
	callCost      = 1_000_000   // of one call that is shown: many run it after this one
)

// infer proposes what held between arguments and results in many calls. What it leaves of the budget is for
// the properties.
func (o *oracles) infer(ctx context.Context) error {
	i := o.newInference()
	if len(i.probes) == 0 {
		return nil
	}
	if err := i.build(ctx); err != nil {
		return o.withoutRelations(err, "fuzz tests that show what calls return do not compile, so that no relations are inferred")
	}
	if err := i.run(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	o.budget, o.shared, o.valid = i.budget, i.shared, i.left()
	for _, p := range i.probes {
		if claim := p.Claim(p.statements); claim != nil {
			o.families = append(o.families, properties.Family{claim})
		}
	}
	properties.Rename(o.loaded, o.families)
	return nil
}

// withoutRelations warns of an error if the rest can do without relations: source that was written for
// them does not compile.
func (o *oracles) withoutRelations(err error, what string) error {
	var bad *problem.Error
	if !errors.As(err, &bad) || bad.Kind != problem.KindBroken {
		return err
	}
	o.warn(fmt.Sprintf("%s: %s, please report it: %v", o.pkg, what, bad))
	return nil
}

// inference shows what calls are given and return.
type inference struct {
	*oracles
	probes []*probe
}

// probe is a probe with what it has shown.
type probe struct {
	*properties.Probe
	claim *claim
	shown *claim // its worker reports rows
	rows  []relations.Row
	// statements have held in all rows.
	statements []relations.Relation
	valid      []*corpus.Input // by row
	tried      map[string]bool // inputs, by key
	failed     int             // of these
}

func (o *oracles) newInference() *inference {
	i := &inference{oracles: o.newOracles(nil)}
	for _, p := range properties.Probes(o.loaded) {
		i.probes = append(i.probes, &probe{Probe: p, tried: make(map[string]bool)})
		i.families = append(i.families, properties.Family{p.Property})
	}
	for _, p := range i.probes {
		i.families = append(i.families, properties.Family{p.Shown})
	}
	return i
}

// related lists what has held in all rows of a probe.
func (p *probe) related() []relations.Relation {
	return p.Telling(relations.Infer(p.Columns, p.rows))
}

// run searches for inputs of the probes, and has these show rows. Most texts that a search makes are
// refused by what reads them: so others are made of what was not, and of changes of it. Where the first
// rounds show nothing that always holds, the others would not, either.
func (i *inference) run(ctx context.Context) error {
	for at, p := range i.probes {
		p.claim, p.shown = i.claims[at], i.claims[len(i.probes)+at]
	}
	limit, err := i.search(ctx, i.firstBudget(), i.probes)
	if err != nil {
		return err
	}
	composer := i.newComposer()
	for round := range probeRounds {
		if round == probeRounds-1 {
			some := i.promising()
			if len(some) == 0 {
				return nil
			}
			if limit, err = i.search(ctx, i.part(probeSecond), some); err != nil {
				return err
			}
		}
		if err := i.showRound(ctx, round, composer, limit); err != nil || ctx.Err() != nil {
			return err
		}
		composer.learn(i.probes)
	}
	return i.attack(ctx)
}

// part is the whole budget, divided by a number.
func (i *inference) part(of int64) project.FuzzTime {
	all := i.project.Options.FuzzTime
	return project.FuzzTime{Duration: all.Duration / time.Duration(of), Execs: all.Execs / of}
}

// firstBudget is that of the first search: a time has room for each probe, if that is not much of it.
func (i *inference) firstBudget() project.FuzzTime {
	first := i.part(probeFirst)
	if least := 2 * leastTime * time.Duration(len(i.probes)); first.Duration > 0 {
		first.Duration = max(first.Duration, min(least, i.part(probeMost).Duration))
	}
	return first
}

// probeMost is the part of a time that the first search has at most.
const probeMost = 8

// search has some probes search for a part of the budget. Of a time, one half is for the calls of the
// rounds that come after it: limit is that of each of these.
func (i *inference) search(ctx context.Context, part project.FuzzTime, probes []*probe) (limit time.Duration, err error) {
	i.budget.Duration -= part.Duration
	i.budget.Execs -= part.Execs
	part.Duration /= 2
	limit = part.Duration / time.Duration(probeRounds*len(probes))
	searches := make(map[*claim]bool)
	for _, p := range probes {
		searches[p.claim] = len(p.claim.family) > 0 // a fuzz test of the package itself is of no family
	}
	budget := newShare(part)
	err = i.round(ctx, budget, func(c *claim) int {
		if searches[c] {
			return 1
		}
		return 0
	})
	i.budget.Duration += budget.left.Duration
	i.budget.Execs += budget.left.Execs
	return limit, err
}

// promising lists the probes with rows in which something has always held, and those with too few rows to
// say. None, if nothing holds.
func (i *inference) promising() (list []*probe) {
	holds := false
	for _, p := range i.probes {
		few := len(p.rows) > 0 && len(p.rows) < relations.RowsLeast
		if related := len(p.related()) > 0; few || related {
			holds = holds || related
			list = append(list, p)
		}
	}
	if !holds {
		return nil
	}
	return list
}

// showRound has the probes show the rows of one round.
func (i *inference) showRound(ctx context.Context, round int, composer *composer, limit time.Duration) error {
	inputs := make([][]*corpus.Input, len(i.probes))
	for at, p := range i.probes {
		if p.claim.gone || p.claim.trial == nil || ctx.Err() != nil {
			continue
		}
		var list []*corpus.Input
		if round == 0 {
			list = i.known(p.claim)
		} else {
			list = composer.compose(at, p)
		}
		var err error
		if inputs[at], err = p.ending(ctx, list, limit); err != nil {
			return err
		}
	}
	return i.show(ctx, inputs)
}

// known are inputs that a search or a test has.
func (i *inference) known(c *claim) []*corpus.Input {
	given := trial.Inputs(c.trial.Given)
	list := slices.Concat(given, c.trial.Samples(), c.inputs, i.sample(c, given))
	list = slices.DeleteFunc(list, func(in *corpus.Input) bool { return in.Len() > probeLen })
	slices.SortFunc(list, smaller)
	list = slices.CompactFunc(list, (*corpus.Input).Equal)
	return list[:min(len(list), probeInputs)]
}

// ending lists the inputs on which calls end, and soon: others are not run by go test, which has no fuel.
// The limit is that of a budget which is a time; 0: none.
func (p *probe) ending(ctx context.Context, inputs []*corpus.Input, limit time.Duration) (list []*corpus.Input, err error) {
	if p.failed >= probeFailures {
		return nil, nil
	}
	if limit > 0 {
		within, stop := context.WithTimeout(ctx, limit)
		defer stop()
		ctx = within
	}
	ev, err := p.claim.trial.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone, Failures: probeFailures - p.failed, Cost: probeCost})
	if err != nil && ctx.Err() == nil {
		return nil, p.claim.trial.EngineError(err)
	}
	if ev == nil {
		return nil, nil
	}
	ev.Cut()
	for at := range ev.Results {
		p.tried[ev.Inputs[at].Key()] = true
		switch r := &ev.Results[at]; {
		case r.Outcome.Kind.Failed():
			p.failed++
		case r.Cost <= callCost:
			list = append(list, ev.Inputs[at])
		}
	}
	return list, nil
}

// left are valid inputs by their types, some of each.
func (i *inference) left() map[string][]*corpus.Input {
	r := rand.New(rand.NewPCG(i.project.Options.Seed, 1))
	left := make(map[string][]*corpus.Input)
	var order []string
	for _, p := range i.probes {
		types := p.claim.types()
		if left[types] == nil {
			order = append(order, types)
		}
		left[types] = append(left[types], p.valid...)
	}
	for _, types := range order {
		list := left[types]
		slices.SortFunc(list, smaller)
		list = slices.CompactFunc(list, (*corpus.Input).Equal)
		r.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		list = list[:min(len(list), validMost)]
		slices.SortFunc(list, smaller)
		left[types] = list
	}
	return left
}
