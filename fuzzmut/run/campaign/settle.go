package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"

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
	times := c.newEndTimes()
	kept, notMeasured := c.chooseEntries(ctx, user, times, candidates)
	before := len(t.Given)
	written, files, werr := writeCorpus(t, kept)
	now, why, err := c.scored(ctx, times, finalEntries(t, written))
	if err != nil {
		return errors.Join(err, werr)
	}
	notMeasured = cmp.Or(notMeasured, why)
	var removed []string
	var rerr error
	tidy, done := times.phase(user, staticEnd)
	if werr == nil { // else what is there is all that there may be
		now, removed, rerr = replace(tidy, c.sel, now, c.know)
	}
	var least bounded
	if werr == nil && rerr == nil {
		if least, rerr = c.bound(tidy, now, written, mayRemove(user, t) && whole(now)); rerr == nil {
			now = least.now
		}
	}
	done()
	files, removed, aerr := putAside(t, least.out, files, removed)
	c.result = now.Result(trial.Summary{
		Engine: cmp.Or(c.opts.Job, t.Project.Options.Engine), NoChance: c.opts.Job != "",
		Before: before, Files: files, Fuzzed: c.fuzzed, FuzzedCPU: c.fuzzedCPU, NotMeasured: notMeasured,
	})
	c.result.Ended = c.ended
	c.result.Late = c.lateOf(c.result.Mutants)
	of := &c.result.Corpus
	of.Found, of.Removed, of.Unwritten = len(candidates), removed, len(kept)-len(written)
	of.After -= len(removed)
	if of.LeftOut, of.LeftOutKills = len(least.out), least.kills; of.LeftOut > 0 {
		of.Own = least.kept
	}
	c.result.Interrupted = user.Err() != nil
	var goldenErr error
	if werr == nil { // else golden values can't be written either
		golden, done := times.phase(ctx, goldenEnd)
		goldenErr = c.keepGolden(golden)
		done()
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

// chooseEntries chooses the new inputs that are added to the corpus. If that fails or is
// interrupted, what was seen while fuzzing decides, and notMeasured gives the reason.
func (c *Campaign) chooseEntries(ctx, user context.Context, times endTimes, candidates []found) (kept []corpus.Entry, notMeasured string) {
	gleaning, done := times.phase(user, gleanEnd)
	err := c.glean(gleaning, candidates)
	done()
	c.know = c.Trial.FirstKills()
	if err == nil {
		choosing, done := times.phase(ctx, chooseEnd)
		kept, err = c.minimise(choosing, candidates)
		done()
	}
	if err == nil {
		return kept, ""
	}
	if ctx.Err() != nil {
		notMeasured = "interrupted while entries were chosen"
	}
	return unchecked(c.Trial, candidates), notMeasured
}

// scored runs the resulting corpus against all mutants. why says that there was not even
// time to run the entries themselves; "" if there was.
func (c *Campaign) scored(ctx context.Context, times endTimes, final []corpus.Entry) (now *trial.Replay, why string, err error) {
	t := c.Trial
	if !t.Project.Unmutated {
		t.Phase("running the final corpus of %s against all mutants", report.Plural(len(final), "entry"))
	}
	scoring, done := times.phase(ctx, scoreEnd)
	now, err = trial.Confirm(scoring, t, final, c.know)
	done()
	if err != nil {
		return nil, "", err
	}
	if now.Partial {
		why = "interrupted while the final corpus was run"
		if ctx.Err() == nil {
			why = fmt.Sprintf("there was no time to run more than %d of %s", now.Evaluation.AllDone(), report.Plural(len(final), "entry"))
		}
	}
	starting, done := times.phase(ctx, staticEnd)
	defer done()
	return now, why, now.EvaluateStart(starting)
}

// keepGolden writes the golden values that are missing.
func (c *Campaign) keepGolden(ctx context.Context) error {
	n, err := observed.Keep(ctx, c.Trial)
	c.result.Corpus.Golden, c.result.Corpus.GoldenValues = n.Entries, n.Values
	c.result.Late.Golden = n.Late
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
// choice: some seconds.
const gleanFuel = 3_000_000_000

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
	var inputs []*corpus.Input
	for _, f := range candidates {
		inputs = append(inputs, f.engine.Input)
	}
	if _, bounded := ctx.Deadline(); bounded {
		if _, err := c.gleanOnce(ctx, inputs, gleanTries); err != nil {
			return err
		}
	}
	ev, err := c.gleanOnce(ctx, inputs, 0)
	if ev != nil && c.Trial.Focus == nil {
		c.Trial.Engine.Clean(ev)
	}
	return err
}

// gleanTries is on how many inputs each mutant is run before any is run on more, where the
// time is bounded: most of those that fall do so at one of the first.
const gleanTries = 8

// gleanOnce runs the mutants that live on inputs, each on about that many that do not kill
// it; 0: on all.
func (c *Campaign) gleanOnce(ctx context.Context, inputs []*corpus.Input, tries int64) (*evaluate.Evaluation, error) {
	ev, err := c.Trial.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: wire.SelectAlive, Fuel: gleanFuel, Tries: tries,
		Exclude: func(m uint32) bool { return c.Trial.Engine.Kills.Dead(int(m)) || !c.Trial.Focus.Mutant(m) },
	})
	if ev != nil {
		c.Trial.Engine.Credit(ev)
	}
	if ctx.Err() != nil {
		return ev, nil // what is known will do
	}
	return ev, err
}

// minimise chooses the inputs that are worth adding to what was given.
func (c *Campaign) minimise(ctx context.Context, found []found) ([]corpus.Entry, error) {
	c.Trial.Phase("minimizing %s", report.Plural(len(found), "new input"))
	stop := c.Trial.Watch()
	defer stop()
	if len(found) == 0 {
		return nil, nil
	}
	return c.choose(ctx, found)
}

// choose chooses among what was found. It keeps what is known of the kills then.
func (c *Campaign) choose(ctx context.Context, found []found) (entries []corpus.Entry, err error) {
	among := make([]selection.Candidate, len(found))
	for i, f := range found {
		among[i] = selection.Candidate{Entry: f.Entry, Cost: f.engine.Cost, At: i, Features: f.engine.Features}
	}
	var kept []selection.Candidate
	if c.opts.Thorough {
		kept, err = c.chooseThoroughly(ctx, among)
	} else {
		kept, err = c.chooseKnown(ctx, among)
	}
	for _, k := range kept {
		entries = append(entries, k.Entry)
	}
	return entries, err
}

func (c *Campaign) chooseThoroughly(ctx context.Context, among []selection.Candidate) ([]selection.Candidate, error) {
	stay, err := c.sel.Fix(ctx, c.Trial.Given)
	if err != nil {
		return nil, err
	}
	c.Before, stay.Focus = stay.Killed, c.Trial.Focus
	return c.sel.Choose(ctx, stay, among)
}

func (c *Campaign) chooseKnown(ctx context.Context, among []selection.Candidate) ([]selection.Candidate, error) {
	features := make(map[string]wire.Features)
	for _, e := range c.Trial.Engine.Pool.Entries() {
		features[e.Input.Hash()] = e.Features
	}
	given := make([]selection.Candidate, len(c.Trial.Given))
	for i, e := range c.Trial.Given {
		given[i] = selection.Candidate{Entry: e, Features: features[e.Input.Hash()]}
	}
	stay, err := c.sel.FixKnown(ctx, given, c.know)
	if err != nil {
		return nil, err
	}
	c.Before, stay.Focus = stay.Killed, c.Trial.Focus
	chosen, err := c.sel.ChooseKnown(ctx, stay, among, c.know)
	if err != nil {
		return nil, err
	}
	c.late = chosen.Late
	return chosen.Kept, nil
}
