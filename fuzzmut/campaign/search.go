package campaign

import (
	"context"
	"errors"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"

	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// settleTime bounds what is still done after Ctrl-C: the user wants to go.
const settleTime = 20 * time.Second

// campaignOptions say how a campaign differs from a guided search.
type campaignOptions struct {
	// search searches, and settles, in the place of the guided engine; nil: that one does.
	search func(context.Context, *campaign) error
	// job is what the result names instead of an engine, where nothing is searched; "": there
	// is a search.
	job string
	// known says that inputs come from elsewhere, and need not be kept in Go's fuzz cache.
	known bool
	// by is what no entry may be lost for when entries are chosen; 0: kills and coverage.
	by matrix.Features
	// patient says that a small corpus is worth more time.
	patient bool
	// abandon gives no time to end the work after an interrupt.
	abandon bool
}

// campaign is one search of a fuzz test, from its corpus up to what the search leaves: new
// entries, golden values, failing inputs and a result.
type campaign struct {
	trial  *trial
	opts   campaignOptions
	sel    *selector
	intake *intake // of failing inputs; nil if they are only collected

	before    map[uint32]bool // mutants of those that were killed that the given entries kill; nil if nothing was found
	fuzzed    time.Duration   // spent fuzzing
	fuzzedCPU time.Duration   // processor time until fuzzing ended
	log       *recorder       // of the run; nil if none is wanted
	res       *report.FuzzTest
}

// newCampaign makes a campaign that has not begun. A nil focus is all of the code.
func newCampaign(r *runner, b *built, test instrument.FuzzTest, focus *aim, opts campaignOptions) *campaign {
	s := &campaign{opts: opts}
	s.trial = newTrial(r, b, test, focus, hooks{
		onFound: s.keepFound, onFailure: s.onFailure, onRound: func() { s.log.round() },
		buckets: func(stacks int) int { return s.intake.known(stacks) },
	})
	s.sel = &selector{trial: s.trial, by: opts.by, patient: opts.patient}
	return s
}

// result is what has come of the campaign so far; nil: nothing.
func (s *campaign) result() *report.FuzzTest {
	if s.res != nil {
		s.res.Warnings = s.trial.allWarnings() // some come after the figures
	}
	return s.res
}

// grace is the time for what is still done after an interrupt.
func (s *campaign) grace() time.Duration {
	if s.opts.abandon {
		return 0
	}
	return settleTime
}

// run does the whole job for one fuzz test. A panic has it write what was found.
func (s *campaign) run(ctx context.Context) error {
	err := panics.Do(func() error { return s.searchAll(ctx) })
	if panics.Is(err) {
		return errors.Join(err, s.salvage(ctx))
	}
	return err
}

// searchAll is run, but that a panic has it leave what was found.
func (s *campaign) searchAll(ctx context.Context) error {
	if err := s.trial.greet(ctx); err != nil {
		return err
	}
	if s.trial.runner.opts.FuzzTime.Execs == 0 {
		s.trial.readCache()
	}
	s.trial.checkInputs()
	defer s.end()
	if err := s.begin(ctx); err != nil {
		return err
	}
	if s.opts.search != nil {
		return s.opts.search(ctx, s)
	}
	return s.guided(ctx)
}

// guided searches with the engine, and settles.
func (s *campaign) guided(ctx context.Context) error {
	opts := &s.trial.runner.opts
	s.trial.phase("fuzzing for %v with %s, seed %d", opts.FuzzTime, report.Plural(opts.Parallel, "worker"), opts.Seed)
	stop := s.trial.watch()
	begin := time.Now()
	s.log = newRecorder(s.trial)
	err := s.trial.eng.Fuzz(ctx, engine.Budget{Time: opts.FuzzTime.Duration, Inputs: opts.FuzzTime.Execs})
	s.log.end()
	s.setFuzzed(begin)
	stop()
	s.trial.warnDiscards()
	if panics.Is(err) {
		return err
	}
	if err != nil {
		// What was found is worth keeping whatever ended the run.
		s.settle(ctx) //nolint:errcheck // what ended the run matters more
		return s.trial.engineError(err)
	}
	return s.settle(ctx)
}

// setFuzzed notes that fuzzing, which began then, has ended.
func (s *campaign) setFuzzed(begin time.Time) {
	s.fuzzed, s.fuzzedCPU = time.Since(begin), s.trial.cpu()
}

// begin runs the corpus that the trial has read. Call end when the campaign is over.
func (s *campaign) begin(ctx context.Context) error {
	s.intake = newIntake(ctx, s.trial)
	return s.trial.baseline(ctx)
}

// end gives up what is not done.
func (s *campaign) end() { s.intake.stop() }

// keepFound writes an input to Go's fuzz cache as soon as it is found, so that
// nothing ends with it lost.
func (s *campaign) keepFound(input []byte) {
	if s.trial.runner.opts.DryRun || s.opts.known {
		return
	}
	dir, err := s.trial.cacheDir()
	if err == nil {
		err = s.trial.keep(dir, input)
	}
	if err != nil {
		s.trial.noKeep(err)
	}
}

// onFailure keeps a failing input beside Go's fuzz cache and has it placed. What opens
// a bucket is shown.
func (s *campaign) onFailure(f failures.Failure) {
	if !s.trial.runner.opts.DryRun {
		dir, err := s.trial.crashersDir()
		if err == nil {
			err = s.trial.keep(dir, f.Input)
		}
		if err != nil {
			s.trial.noKeep(err)
		}
	}
	if s.intake.add(f) {
		s.trial.showFailure(f.Outcome)
	}
}
