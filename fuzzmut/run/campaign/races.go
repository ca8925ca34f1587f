package campaign

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/races"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// openRaces prepares the replay under the race detector, if it is asked for.
func (c *Campaign) openRaces(ctx context.Context) (err error) {
	if c.Trial.Project.Options.Oracles.Race {
		c.replay, err = races.Open(ctx, c.Trial)
	}
	return err
}

// replayRaces runs the entries, the given ones first, under the race detector.
func (c *Campaign) replayRaces(ctx context.Context) error {
	if c.replay == nil || ctx.Err() != nil {
		return nil
	}
	t := c.Trial
	var inputs []*corpus.Input
	for _, e := range t.Given {
		inputs = append(inputs, e.Input)
	}
	for _, f := range findings(t) {
		inputs = append(inputs, f.Input)
	}
	t.Phase("running %s under the race detector", report.Plural(len(inputs), "input"))
	seen, err := c.replay.Run(ctx, inputs, races.Time(t.Project.Options.FuzzTime.Duration))
	if err != nil && ctx.Err() == nil {
		return t.EngineError(err)
	}
	if seen.Undone > 0 {
		t.Note("there was no time to run %s under the race detector", report.Plural(seen.Undone, "input"))
	}
	if seen.Unconfirmed > 0 {
		t.Note("%s seen, and not again in a fresh process", report.Plural(seen.Unconfirmed, "race"))
	}
	for _, f := range seen.Races {
		o := f.Outcome()
		trial.ShowFailure(t, o)
		c.raced = append(c.raced, bugs.Bug{Outcome: o, Inputs: f.Inputs, Count: f.Count, Stacks: 1, Ways: []wire.Outcome{o}})
	}
	return nil
}
