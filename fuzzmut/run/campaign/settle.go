package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

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
	c.weighed.end()
	c.intake.Close()
	candidates := findings(t)
	times := &endTimes{begin: time.Now(), all: c.phaseTime(), ends: c.endsOf()}
	if user.Err() != nil {
		times.cut(c.fuzzed)
	}
	kept, notMeasured := c.chooseEntries(ctx, user, times, candidates)
	before := len(t.Given)
	written, files, werr := writeCorpus(t, kept)
	var golden observed.Count
	var goldenErr error
	if werr == nil { // else golden values can't be written either
		golden, goldenErr = c.keepGolden(ctx, times)
	}
	now, why, err := c.scored(ctx, times, finalEntries(t, written))
	if err != nil {
		return errors.Join(err, werr, goldenErr)
	}
	lost := c.lost(now)
	notMeasured = cmp.Or(notMeasured, why)
	var removed []string
	var rerr error
	tidy, done := times.phase(user, tidying)
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
	golden.Drop(removed, least.out)
	files, removed, aerr := putAside(t, least.out, files, removed)
	c.result = now.Result(trial.Summary{
		Engine: cmp.Or(c.opts.Job, t.Project.Options.Engine), NoChance: c.opts.Job != "",
		Before: before, Files: files, Started: c.started, Fuzzed: c.fuzzed, FuzzedCPU: c.fuzzedCPU, NotMeasured: notMeasured,
	})
	c.result.Ended, c.result.Growth = c.ended, c.log.growth()
	c.result.Late = c.lateOf(now, c.result.Mutants)
	of := &c.result.Corpus
	of.Found, of.Removed, of.Unwritten = len(candidates), removed, len(kept)-len(written)
	of.After -= len(removed)
	of.Golden, of.GoldenValues, of.WithoutGolden, c.result.Late.Golden = golden.Entries(), golden.Values(), golden.Slow, golden.Late
	if of.LeftOut = len(c.leftOut) + len(least.out); of.LeftOut > 0 {
		of.Own = least.kept
	}
	maps.Copy(lost, least.kills)
	if of.LeftOutKills = len(lost); of.LeftOutKills > 0 {
		lost.note(c.result.Mutants, t.Package.Program)
		report.Classify(c.result.Mutants) // a function that they check is checked
	}
	c.result.Interrupted = user.Err() != nil
	_, done = times.phase(user, sorting)
	crashErr := c.keepCrashes(ctx, user, now.Entries)
	done()
	costErr := c.weighCosts(user)
	if len(files)+len(c.result.Crashes) > 0 || trial.HasFiles(t) {
		trial.WarnIgnored(ctx, t)
	}
	c.result.After = times.after()
	c.result.WallSeconds, c.result.CPUSeconds = time.Since(t.Start).Seconds(), t.CPU().Seconds()
	return errors.Join(werr, rerr, aerr, goldenErr, crashErr, costErr)
}

// chooseEntries chooses the new inputs that are added to the corpus. If that fails or is
// interrupted, what was seen while fuzzing decides, and notMeasured gives the reason.
func (c *Campaign) chooseEntries(ctx, user context.Context, times *endTimes, candidates []found) (kept []corpus.Entry, notMeasured string) {
	live, done := times.phase(user, gleaning)
	err := c.glean(live, candidates)
	done()
	c.know = c.Trial.FirstKills()
	if err == nil {
		choice, done := times.phase(ctx, choosing)
		kept, err = c.minimise(choice, candidates)
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
func (c *Campaign) scored(ctx context.Context, times *endTimes, final []corpus.Entry) (now *trial.Replay, why string, err error) {
	t := c.Trial
	if !t.Project.Unmutated {
		t.Phase("running the final corpus of %s against all mutants", report.Plural(len(final), "entry"))
	}
	score, done := times.phase(ctx, scoring)
	now, err = trial.Confirm(score, t, final, c.know, c.sel.Ledger())
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
	t.Early = c.earlyBudget()
	start, done := times.phase(ctx, starting)
	defer done()
	return now, why, now.EvaluateStart(start)
}

// keepGolden writes the golden values that are missing. It comes as soon as the entries are there: it takes a few runs of
// each, and without them the next run of verify has nothing to compare. What it leaves of its time the mutants have.
func (c *Campaign) keepGolden(ctx context.Context, times *endTimes) (observed.Count, error) {
	ctx, done := times.phase(ctx, keeping)
	defer done()
	return observed.Keep(ctx, c.Trial)
}

// keepCrashes writes a representative of each bug that the failing inputs show. They are sorted as long as the user waits.
func (c *Campaign) keepCrashes(ctx, user context.Context, final []corpus.Entry) error {
	assigned := c.intake.Finish()
	var trimErr error
	if !assigned {
		if trimErr = c.intake.Smaller(ctx, c.Trial); trimErr != nil {
			trimErr = c.Trial.EngineError(trimErr)
		}
	}
	list, err := c.bugs(user, final, assigned)
	if err == nil && user.Err() == nil {
		list, err = c.confirm(user, list)
	}
	list = append(list, c.raced...)
	crashes, werr := writeCrashes(c.Trial, list)
	c.result.Crashes = crashes
	c.showCrashes(user, list)
	return errors.Join(trimErr, err, werr)
}

// bugs sorts the failing inputs of the run by the bugs they show.
func (c *Campaign) bugs(ctx context.Context, final []corpus.Entry, assigned bool) ([]bugs.Bug, error) {
	if c.intake == nil {
		list := bugs.Unsorted(c.Trial.Engine.Failures.Stacks())
		return list, bugs.Quote(ctx, c.Trial, list)
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
	if _, bounded := ctx.Deadline(); bounded {
		return c.survey(ctx, candidates)
	}
	var inputs []*corpus.Input
	for _, f := range candidates {
		inputs = append(inputs, f.engine.Input)
	}
	ev, err := c.Trial.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: wire.SelectAlive, Fuel: gleanFuel, Exclude: func(m uint32) bool { return !c.lives(m) },
	})
	if ev != nil {
		c.Trial.Engine.Credit(ev)
	}
	if ctx.Err() != nil {
		err = nil // what is known will do
	}
	if ev != nil && c.Trial.Focus == nil {
		c.Trial.Engine.Clean(ev)
	}
	return err
}

// lives reports whether a mutant that the run is about lives.
func (c *Campaign) lives(m uint32) bool {
	return !c.Trial.Engine.Kills.Dead(int(m)) && c.Trial.Focus.Mutant(m)
}

// survey is glean where the time is bounded: it begins with the given entries, which stay in
// any case, and with the cheapest of the others. If there are many, the choice goes on with it.
func (c *Campaign) survey(ctx context.Context, candidates []found) error {
	e := c.Trial.Engine
	given, among := c.candidates(candidates)
	var inputs []*corpus.Input
	for _, g := range given {
		if !e.Kills.IsClean(g.Input) {
			inputs = append(inputs, g.Input)
		}
	}
	for _, f := range among {
		inputs = append(inputs, f.Input)
	}
	survey := e.Exact.NewSurvey(inputs, c.lives, c.credit)
	for m, n := range e.Kills.Counts().Executed {
		if e.Kills.Dead(m) {
			n--
		}
		survey.Ledger.Elsewhere(uint32(m), max(n, 0))
	}
	c.sel.Survey, c.sel.Most = survey, c.most()
	err := survey.Round(ctx)
	for err == nil && c.sel.Few(among) && !survey.Done() {
		err = survey.Round(ctx)
	}
	if ctx.Err() != nil {
		return nil // what is known will do
	}
	return err
}

// credit takes in the kills of a round of the survey.
func (c *Campaign) credit(ev *evaluate.Evaluation) {
	c.Trial.Engine.Credit(ev)
	if c.know == nil {
		return // it is not known yet what the search has killed
	}
	for _, k := range ev.Kills {
		c.know.Add(ev.Inputs[k.Input], k.Kill)
	}
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
	given, among := c.candidates(found)
	var kept []selection.Candidate
	if c.opts.Thorough {
		kept, err = c.chooseThoroughly(ctx, among)
	} else {
		kept, err = c.chooseKnown(ctx, given, among)
	}
	for _, k := range kept {
		entries = append(entries, k.Entry)
	}
	return entries, err
}

// candidates lists the given entries, and what was found, with what is known of them.
func (c *Campaign) candidates(found []found) (given, among []selection.Candidate) {
	features := make(map[string]wire.Features)
	for _, e := range c.Trial.Engine.Pool.Entries() {
		features[e.Input.Hash()] = e.Features
	}
	given = make([]selection.Candidate, len(c.Trial.Given))
	for i, e := range c.Trial.Given {
		given[i] = selection.Candidate{Entry: e, Features: features[e.Input.Hash()]}
	}
	among = make([]selection.Candidate, len(found))
	for i, f := range found {
		among[i] = selection.Candidate{Entry: f.Entry, Cost: f.engine.Cost, At: i, Features: f.engine.Features}
	}
	return given, among
}

func (c *Campaign) chooseThoroughly(ctx context.Context, among []selection.Candidate) ([]selection.Candidate, error) {
	stay, err := c.sel.Fix(ctx, c.Trial.Given)
	if err != nil {
		return nil, err
	}
	c.Before, stay.Focus = stay.Killed, c.Trial.Focus
	return c.sel.Choose(ctx, stay, among)
}

func (c *Campaign) chooseKnown(ctx context.Context, given, among []selection.Candidate) ([]selection.Candidate, error) {
	stay, err := c.sel.FixKnown(ctx, given, c.know)
	if err != nil {
		return nil, err
	}
	c.Before, stay.Focus = stay.Killed, c.Trial.Focus
	chosen, err := c.sel.ChooseKnown(ctx, stay, among, c.know)
	if err != nil {
		return nil, err
	}
	kept := c.fewer(ctx, stay, chosen)
	c.late = min(chosen.Late, len(kept))
	return kept, nil
}
