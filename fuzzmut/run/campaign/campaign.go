// Package campaign is one search of a fuzz test, from its corpus up to what the search
// leaves: new entries, golden values, failing inputs and a result.
package campaign

import (
	"context"
	"errors"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// endTime bounds what is still done after Ctrl-C: the user wants to go.
const endTime = 20 * time.Second

// Campaign is one search of a fuzz test, from its corpus up to what the search leaves: new
// entries, golden values, failing inputs and a result.
type Campaign struct {
	Trial  *trial.Trial
	opts   Options
	sel    *selection.Selector
	intake *bugs.Intake // of failing inputs; nil if they are only collected

	Before    map[uint32]bool // mutants of those that were killed that the given entries kill; nil if nothing was found
	fuzzed    time.Duration   // spent fuzzing
	fuzzedCPU time.Duration   // processor time until fuzzing ended
	log       *recorder       // of the run; nil if none is wanted
	result    *report.FuzzTest
}

// New makes a campaign that has not begun. A nil focus is all of the code.
func New(r *project.Project, b *project.Package, test instrument.FuzzTest, focus *change.Focus, opts Options) *Campaign {
	s := &Campaign{opts: opts}
	s.Trial = trial.New(r, b, test, focus, trial.Hooks{
		OnFound: s.keepFound, OnFailure: s.onFailure, OnRound: func() { s.log.round() },
		Buckets: func(stacks int) int { return s.intake.Known(stacks) },
	})
	s.sel = &selection.Selector{Trial: s.Trial, By: opts.By, Thorough: opts.Thorough}
	return s
}

// Result is what has come of the campaign so far; nil: nothing.
func (s *Campaign) Result() *report.FuzzTest {
	if s.result != nil {
		s.result.Warnings = s.Trial.Warnings() // some come after the figures
	}
	return s.result
}

// grace is the time for what is still done after an interrupt.
func (s *Campaign) grace() time.Duration {
	if s.opts.Abandon {
		return 0
	}
	return endTime
}

// Run does the whole job for one fuzz test. A panic has it write what was found.
func (s *Campaign) Run(ctx context.Context) error {
	err := panics.Do(func() error { return s.searchAll(ctx) })
	if panics.Is(err) {
		return errors.Join(err, s.salvage(ctx))
	}
	return err
}

// searchAll is run, but that a panic has it leave what was found.
func (s *Campaign) searchAll(ctx context.Context) error {
	if err := s.Trial.Greet(ctx); err != nil {
		return err
	}
	if s.Trial.Project.Options.FuzzTime.Execs == 0 {
		s.Trial.ReadCache()
	}
	trial.CheckInputs(s.Trial)
	defer s.End()
	if err := s.Begin(ctx); err != nil {
		return err
	}
	if s.opts.Search != nil {
		return s.opts.Search(ctx, s)
	}
	return s.guided(ctx)
}

// guided searches with the engine, and ends the run.
func (s *Campaign) guided(ctx context.Context) error {
	opts := &s.Trial.Project.Options
	s.Trial.Phase("fuzzing for %v with %s, seed %d", opts.FuzzTime, report.Plural(opts.Parallel, "worker"), opts.Seed)
	stop := s.Trial.Watch()
	begin := time.Now()
	s.log = newRecorder(s.Trial)
	err := s.Trial.Engine.Fuzz(ctx, engine.Budget{Time: opts.FuzzTime.Duration, Inputs: opts.FuzzTime.Execs})
	s.log.end()
	s.SetFuzzed(begin)
	stop()
	trial.WarnDiscards(s.Trial)
	if panics.Is(err) {
		return err
	}
	if err != nil {
		// What was found is worth keeping whatever ended the run.
		s.Settle(ctx) //nolint:errcheck // what ended the run matters more
		return s.Trial.EngineError(err)
	}
	return s.Settle(ctx)
}

// SetFuzzed notes that fuzzing, which began then, has ended.
func (s *Campaign) SetFuzzed(begin time.Time) {
	s.fuzzed, s.fuzzedCPU = time.Since(begin), s.Trial.CPU()
}

// Begin runs the corpus that the trial has read. Call end when the campaign is over.
func (s *Campaign) Begin(ctx context.Context) error {
	s.intake = bugs.NewIntake(ctx, s.Trial)
	return s.Trial.Baseline(ctx)
}

// End gives up what is not done.
func (s *Campaign) End() { s.intake.Stop() }

// keepFound writes an input to Go's fuzz cache as soon as it is found, so that
// nothing ends with it lost.
func (s *Campaign) keepFound(input []byte) {
	if s.Trial.Project.Options.DryRun || s.opts.Known {
		return
	}
	dir, err := s.Trial.CacheDir()
	if err == nil {
		err = s.Trial.Keep(dir, input)
	}
	if err != nil {
		s.Trial.NotKept(err)
	}
}

// onFailure keeps a failing input beside Go's fuzz cache and has it placed. What opens
// a bucket is shown.
func (s *Campaign) onFailure(f failures.Failure) {
	if !s.Trial.Project.Options.DryRun {
		dir, err := s.Trial.CrashersDir()
		if err == nil {
			err = s.Trial.Keep(dir, f.Input)
		}
		if err != nil {
			s.Trial.NotKept(err)
		}
	}
	if s.intake.Add(f) {
		trial.ShowFailure(s.Trial, f.Outcome)
	}
}
