package suggest

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/properties"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds on the inputs that say whether a property which fails is a wrong guess.
const (
	sampleParents  = 64
	sampleChildren = 8 // of each
)

// wrong says whether a property that fails is a wrong guess: it fails on an input of the tests, or on at
// least half of a sample of inputs that get as far as all of its functions. A bug shows on few. A sample without
// such an input says nothing.
func (o *oracles) wrong(ctx context.Context, c *claim) bool {
	given := trial.Inputs(c.trial.Given)
	inputs := slices.Concat(given, o.sample(c, given))
	ev, err := c.trial.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err != nil {
		return false // the input is shown
	}
	failing, passing, reaches := 0, 0, o.reaching(c.property())
	for i := range ev.Results {
		switch r := &ev.Results[i]; {
		case r.Outcome.Kind == wire.Fail:
			if failing++; i < len(given) {
				return true
			}
		case !r.Outcome.Kind.Failed() && reaches(r.Features):
			passing++
		}
	}
	return failing > 0 && failing >= passing
}

// sample are inputs that searches have left, zero values, and children of all these. The input that is
// known to fail is not among them: its children would fail, too.
func (o *oracles) sample(c *claim, given []*corpus.Input) []*corpus.Input {
	parents := slices.Concat(given, []*corpus.Input{c.trial.Zero}, o.shared[c.types()])
	for _, e := range c.trial.Engine.Pool.Entries() {
		parents = append(parents, e.Input)
	}
	slices.SortFunc(parents, smaller)
	parents = slices.CompactFunc(parents, (*corpus.Input).Equal)
	parents = parents[:min(len(parents), sampleParents)]
	m := havoc.New(havoc.NewRand(o.project.Options.Seed), havoc.Options{MaxLen: 1 << 10})
	list := slices.Clone(parents)
	for _, p := range parents {
		for range sampleChildren {
			list = append(list, corpus.Of(m.Mutate(nil, p.Values(), nil)...))
		}
	}
	slices.SortFunc(list, smaller)
	return slices.CompactFunc(list, (*corpus.Input).Equal)
}

// reaching says of the blocks that an input covers whether it gets as far as the functions of a property:
// those that have blocks. With an input that one function refuses, a property says nothing.
func (o *oracles) reaching(p *properties.Property) func(wire.Features) bool {
	program := o.built.Program
	of, all := make(map[int]int), make(map[int]bool)
	for i := range program.Blocks {
		if f := program.Blocks[i].Func; f >= 0 && program.Funcs[f].Package == program.Test.ImportPath && slices.Contains(p.Functions, program.Funcs[f].Name) {
			of[i], all[f] = f, true
		}
	}
	return func(covered wire.Features) bool {
		seen := make(map[int]bool)
		for _, feature := range covered {
			if f, ok := of[feature.Block()]; ok {
				seen[f] = true
			}
		}
		return len(seen) == len(all)
	}
}
