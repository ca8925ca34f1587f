package lockstep

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// Baseline runs what a side begins with. Unlike the baseline of a trial it takes seeds
// that fail: that the other side passes on them is a difference. The budget is that of the
// search that follows.
func Baseline(ctx context.Context, t *trial.Trial, budget project.FuzzTime) error {
	inputs := trial.Inputs(slices.Concat(t.Given, t.Cached))
	if len(inputs) == 0 {
		inputs = []*corpus.Input{t.Zero}
	}
	return t.Begin(ctx, inputs, scaled(enterFuel, budget), func(*evaluate.Evaluation) error { return t.CheckStable() })
}
