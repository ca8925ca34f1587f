package lockstep

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Baseline runs what a side begins with. Unlike the baseline of a trial it takes seeds
// that fail: that the other side passes on them is a difference.
func Baseline(ctx context.Context, t *trial.Trial) error {
	inputs := trial.Inputs(slices.Concat(t.Given, t.Cached))
	if len(inputs) == 0 {
		inputs = []*corpus.Input{t.Zero}
	}
	sel := wire.SelectAlive
	if !t.Project.Filter.RunsMutants() {
		sel = wire.SelectNone
	}
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: sel, Check: true, Infected: sel != wire.SelectNone, Fuel: enterFuel,
	})
	if err != nil {
		return t.EngineError(err)
	}
	if err := t.CheckStable(); err != nil {
		return err
	}
	t.Engine.Begin(inputs, ev)
	var passing []corpus.Entry
	for i, in := range inputs {
		if ev.Results[i].Outcome.Kind == wire.Pass {
			passing = append(passing, in.Found())
		}
	}
	t.Engine.Processes.AddTokens(dictionary.OfEntries(passing))
	if t.Engine.Pool.Size().Entries > 0 {
		return nil
	}
	zero := []*corpus.Input{t.Zero}
	if ev, err = t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: zero, Select: sel, Check: true, Infected: sel != wire.SelectNone}); err != nil {
		return t.EngineError(err)
	}
	t.Engine.Found(zero, ev)
	return nil
}
