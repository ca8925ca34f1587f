package campaign

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// settle ends a fuzz test's run: it minimises what was found, writes it, runs
// the resulting corpus against all mutants, and reports that. What is reported
// is what `fuzzmut score` will say of the corpus: every kill has its witness.
func (s *campaign) settle(ctx context.Context) error {
	user := ctx
	ctx, cancel := graceful(user, s.grace())
	defer cancel()
	placed := s.intake.finish()
	var trimErr error
	if !placed {
		trimErr = s.trial.eng.Failures.Trim(ctx, s.trial.eng.Processes)
	}
	candidates := s.found()
	err := s.glean(user, candidates)
	var kept []corpus.Entry
	if err == nil {
		kept, err = s.minimise(ctx, candidates)
	}
	notMeasured := ""
	if err != nil {
		kept = s.unchecked(candidates)
		if ctx.Err() != nil {
			notMeasured = "interrupted while entries were chosen"
		}
	}
	before := len(s.trial.given)
	written, files, werr := s.writeCorpus(kept)
	unwritten := len(kept) - len(written)
	final := s.finalEntries(written)
	if !s.trial.runner.unmutated {
		s.trial.phase("running the resulting corpus of %s against all mutants", report.Plural(len(final), "entry"))
	}
	now, err := s.trial.replayCorpus(ctx, final)
	if err != nil {
		return errors.Join(err, werr)
	}
	if now.partial {
		notMeasured = cmp.Or(notMeasured, "interrupted while the resulting corpus was run")
	}
	var removed []string
	var rerr error
	if werr == nil { // else what is there is all that there may be
		now, removed, rerr = s.replace(user, now)
	}
	s.res = now.result(summary{
		engine: cmp.Or(s.opts.job, s.trial.runner.opts.Engine), noChance: s.opts.job != "",
		before: before, files: files, fuzzed: s.fuzzed, fuzzedCPU: s.fuzzedCPU, notMeasured: notMeasured,
	})
	s.res.Corpus.Found = len(candidates)
	s.res.Corpus.Removed = removed
	s.res.Corpus.Unwritten = unwritten
	s.res.Corpus.After -= len(removed)
	s.res.Interrupted = user.Err() != nil
	var goldenErr error
	if werr == nil { // else golden values can't be written either
		var golden goldenCount
		golden, goldenErr = keepGolden(ctx, s.trial)
		s.res.Corpus.Golden, s.res.Corpus.GoldenValues = golden.files, golden.values
	}
	bugs, sortErr := s.bugs(user, now.entries, placed)
	crashErr := errors.Join(sortErr, s.writeCrashes(bugs))
	if len(files)+len(bugs) > 0 || s.trial.files() {
		s.trial.warnIgnored(ctx)
	}
	if trimErr != nil {
		trimErr = s.trial.engineError(trimErr)
	}
	return errors.Join(trimErr, werr, rerr, goldenErr, crashErr)
}

// bugs sorts the failing inputs of the run by the bugs they show.
func (s *campaign) bugs(ctx context.Context, final []corpus.Entry, placed bool) ([]bug, error) {
	if s.intake == nil {
		return bugsOf(s.trial.eng.Failures.Buckets()), nil
	}
	return s.intake.bugs(ctx, final, placed)
}

// graceful returns a context that outlives ctx by some time.
func graceful(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return longer, func() {
		stop()
		cancel()
	}
}

// gleanFuel bounds what the mutants of each worker burn on found inputs before the
// choice: some seconds. A run that is bounded by time has gleanShare of that for it,
// since what a unit of fuel takes depends on the code that burns none.
const (
	gleanFuel  = 3_000_000_000
	gleanShare = 4
)

// glean runs the mutants that still live on what was found, the cheapest inputs
// first: while fuzzing an input is run with a few of them only. What it kills
// counts when the entries are chosen.
func (s *campaign) glean(ctx context.Context, candidates []found) error {
	if !s.trial.runner.filter.RunsMutants() || len(candidates) == 0 || ctx.Err() != nil {
		return nil
	}
	s.trial.phase("running the living mutants on %s", report.Plural(len(candidates), "found input"))
	stop := s.trial.watch()
	defer stop()
	if t := s.trial.runner.opts.FuzzTime.Duration; t > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t/gleanShare)
		defer cancel()
	}
	var inputs [][]byte
	for _, f := range candidates {
		inputs = append(inputs, f.engine.Input)
	}
	ev, err := s.trial.eng.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: wire.SelectAlive, Fuel: gleanFuel,
		Exclude: func(m uint32) bool { return s.trial.eng.Kills.Dead(int(m)) || !s.trial.focus.mutant(m) },
	})
	if ev != nil {
		s.trial.eng.Credit(ev)
	}
	if ctx.Err() != nil {
		return nil // what is known will do
	}
	return err
}

// minimise chooses the inputs that are worth adding to what was given.
func (s *campaign) minimise(ctx context.Context, found []found) ([]corpus.Entry, error) {
	s.trial.phase("choosing among %s", report.Plural(len(found), "found input"))
	stop := s.trial.watch()
	defer stop()
	if len(found) == 0 {
		return nil, nil
	}
	stay, err := s.sel.settled(ctx, s.trial.given)
	if err != nil {
		return nil, err
	}
	s.before, stay.focus = stay.killed, s.trial.focus
	among := make([]candidate, len(found))
	for i, f := range found {
		among[i] = candidate{f.Entry, f.engine.Cost, i}
	}
	kept, err := s.sel.choose(ctx, stay, among)
	entries := make([]corpus.Entry, len(kept))
	for i, c := range kept {
		entries[i] = c.Entry
	}
	return entries, err
}
