package bugs

import (
	"context"
	"fmt"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/races"
)

// raceShare is the part of the time by whose end the inputs have been run under the race detector.
const raceShare = 0.5

// findRaces finds out which of the inputs that pass show a data race, if that is asked for. An input
// that shows several counts for the first.
func (t *Sorting) findRaces(ctx context.Context) error {
	if !t.trial.Project.Options.Oracles.Race {
		return nil
	}
	inputs, at := t.passing()
	if len(inputs) == 0 {
		return nil
	}
	replay, err := races.Open(ctx, t.trial)
	if err != nil {
		return err
	}
	t.trial.Phase("running %s under the race detector", report.Plural(len(inputs), "input"))
	seen, err := replay.Run(ctx, inputs, t.time.left(raceShare))
	if err != nil && ctx.Err() == nil {
		return t.trial.EngineError(err)
	}
	if seen.Undone > 0 {
		t.trial.Warn(fmt.Sprintf("out of time to run %s under the race detector; raise -triagetime", report.Plural(seen.Undone, "input")))
	}
	if seen.Unconfirmed > 0 {
		t.trial.Note("%s seen, and not again in a fresh process", report.Plural(seen.Unconfirmed, "race"))
	}
	for _, found := range seen.Races {
		for _, input := range found.Inputs {
			if f := &t.Inputs[at[input.Hash()]]; f.Status == report.Passes {
				f.Status, f.tried, f.Result.Outcome = "", true, found.Outcome()
				f.Repairs = repair.Result{Reason: "no mutant is run under the race detector"}
			}
		}
	}
	t.Raced, t.RaceRuns = true, seen.Runs
	for _, i := range at {
		if f := &t.Inputs[i]; f.Status == report.Passes {
			f.Reason = raceless(seen.Runs)
		}
	}
	return nil
}

// raceless says of an input that passes how often it was run without a race.
func raceless(runs int) string {
	if runs == 0 {
		return "out of time to run it under the race detector"
	}
	return "no race showed in " + report.Plural(runs, "run")
}

// passing lists the inputs that pass, and where each is among all.
func (t *Sorting) passing() (inputs []*corpus.Input, at map[string]int) {
	at = make(map[string]int)
	for i := range t.Inputs {
		if f := &t.Inputs[i]; f.Status == report.Passes {
			inputs, at[f.Entry.Input.Hash()] = append(inputs, f.Entry.Input), i
		}
	}
	return inputs, at
}
