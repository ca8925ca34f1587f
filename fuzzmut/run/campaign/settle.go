package campaign

import (
	"cmp"
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Settle ends a fuzz test's run: it minimizes what was found, writes it, runs
// the resulting corpus against all mutants, and reports that. What is reported
// is what `fuzzmut score` will say of the corpus: every kill has its witness.
func (c *Campaign) Settle(ctx context.Context) error {
	user, t := ctx, c.Trial
	ctx, cancel := exit.Graceful(user, c.grace())
	defer cancel()
	assigned := c.intake.Finish()
	var trimErr error
	if !assigned {
		trimErr = t.Engine.Failures.Trim(ctx, t.Engine.Processes)
	}
	candidates := findings(t)
	kept, notMeasured := c.chooseEntries(ctx, user, candidates)
	before := len(t.Given)
	written, files, werr := writeCorpus(t, kept)
	final := finalEntries(t, written)
	if !t.Project.Unmutated {
		t.Phase("running the final corpus of %s against all mutants", report.Plural(len(final), "entry"))
	}
	now, err := trial.NewReplay(ctx, t, final)
	if err != nil {
		return errors.Join(err, werr)
	}
	if now.Partial {
		notMeasured = cmp.Or(notMeasured, "interrupted while the final corpus was run")
	}
	var removed []string
	var rerr error
	if werr == nil { // else what is there is all that there may be
		now, removed, rerr = replace(user, c.sel, now)
	}
	var least bounded
	if werr == nil && rerr == nil {
		if least, rerr = c.bound(ctx, now, written, mayRemove(user, t)); rerr == nil {
			now = least.now
		}
	}
	files, removed, aerr := putAside(t, least.out, files, removed)
	c.result = now.Result(trial.Summary{
		Engine: cmp.Or(c.opts.Job, t.Project.Options.Engine), NoChance: c.opts.Job != "",
		Before: before, Files: files, Fuzzed: c.fuzzed, FuzzedCPU: c.fuzzedCPU, NotMeasured: notMeasured,
	})
	c.result.Ended = c.ended
	of := &c.result.Corpus
	of.Found, of.Removed, of.Unwritten = len(candidates), removed, len(kept)-len(written)
	of.After -= len(removed)
	if of.LeftOut, of.LeftOutKills = len(least.out), least.kills; of.LeftOut > 0 {
		of.Own = least.kept
	}
	c.result.Interrupted = user.Err() != nil
	var goldenErr error
	if werr == nil { // else golden values can't be written either
		goldenErr = c.keepGolden(ctx)
	}
	crashErr := c.keepCrashes(user, now.Entries, assigned)
	if len(files)+len(c.result.Crashes) > 0 || trial.HasFiles(t) {
		trial.WarnIgnored(ctx, t)
	}
	if trimErr != nil {
		trimErr = t.EngineError(trimErr)
	}
	return errors.Join(trimErr, werr, rerr, aerr, goldenErr, crashErr)
}

// chooseEntries chooses the new inputs that are added to the corpus. Where that fails,
// or is interrupted, what was seen while fuzzing decides; notMeasured says so.
func (c *Campaign) chooseEntries(ctx, user context.Context, candidates []found) (kept []corpus.Entry, notMeasured string) {
	err := c.glean(user, candidates)
	if err == nil {
		kept, err = c.minimise(ctx, candidates)
	}
	if err == nil {
		return kept, ""
	}
	if ctx.Err() != nil {
		notMeasured = "interrupted while entries were chosen"
	}
	return unchecked(c.Trial, candidates), notMeasured
}

// keepGolden writes the golden values that are missing.
func (c *Campaign) keepGolden(ctx context.Context) error {
	n, err := observed.Keep(ctx, c.Trial)
	c.result.Corpus.Golden, c.result.Corpus.GoldenValues = n.Entries, n.Values
	return err
}

// keepCrashes writes a representative of each bug that the failing inputs show.
func (c *Campaign) keepCrashes(ctx context.Context, final []corpus.Entry, assigned bool) error {
	list, err := c.bugs(ctx, final, assigned)
	crashes, werr := writeCrashes(c.Trial, list)
	c.result.Crashes = crashes
	return errors.Join(err, werr)
}

// bugs sorts the failing inputs of the run by the bugs they show.
func (c *Campaign) bugs(ctx context.Context, final []corpus.Entry, assigned bool) ([]bugs.Bug, error) {
	if c.intake == nil {
		return bugs.Unsorted(c.Trial.Engine.Failures.Stacks()), nil
	}
	return c.intake.Bugs(ctx, final, assigned)
}

// gleanFuel bounds what the mutants of each worker burn on new inputs before the
// choice: some seconds. A run that is bounded by time has gleanShare of that for it,
// since what a unit of fuel takes depends on the code that burns none.
const (
	gleanFuel  = 3_000_000_000
	gleanShare = 4
)

// glean runs the mutants that still live on what was found, the cheapest inputs
// first: while fuzzing an input is run with a few of them only. What it kills
// counts when the entries are chosen.
func (c *Campaign) glean(ctx context.Context, candidates []found) error {
	if !c.Trial.Project.Filter.RunsMutants() || len(candidates) == 0 || ctx.Err() != nil {
		return nil
	}
	c.Trial.Phase("running the live mutants on %s", report.Plural(len(candidates), "new input"))
	stop := c.Trial.Watch()
	defer stop()
	if t := c.Trial.Project.Options.FuzzTime.Duration; t > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t/gleanShare)
		defer cancel()
	}
	var inputs []*corpus.Input
	for _, f := range candidates {
		inputs = append(inputs, f.engine.Input)
	}
	ev, err := c.Trial.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: wire.SelectAlive, Fuel: gleanFuel,
		Exclude: func(m uint32) bool { return c.Trial.Engine.Kills.Dead(int(m)) || !c.Trial.Focus.Mutant(m) },
	})
	if ev != nil {
		c.Trial.Engine.Credit(ev)
	}
	if ctx.Err() != nil {
		return nil // what is known will do
	}
	return err
}

// minimise chooses the inputs that are worth adding to what was given.
func (c *Campaign) minimise(ctx context.Context, found []found) ([]corpus.Entry, error) {
	c.Trial.Phase("minimizing %s", report.Plural(len(found), "new input"))
	stop := c.Trial.Watch()
	defer stop()
	if len(found) == 0 {
		return nil, nil
	}
	stay, err := c.sel.Fix(ctx, c.Trial.Given)
	if err != nil {
		return nil, err
	}
	c.Before, stay.Focus = stay.Killed, c.Trial.Focus
	among := make([]selection.Candidate, len(found))
	for i, f := range found {
		among[i] = selection.Candidate{Entry: f.Entry, Cost: f.engine.Cost, At: i}
	}
	kept, err := c.sel.Choose(ctx, stay, among)
	entries := make([]corpus.Entry, len(kept))
	for i, k := range kept {
		entries[i] = k.Entry
	}
	return entries, err
}
