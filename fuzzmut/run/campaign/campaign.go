// Package campaign is one search of a fuzz test, from its corpus up to what the search
// leaves: new entries, golden values, failing inputs and a result.
package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/races"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shared"
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
	intake *bugs.Intake   // of failing inputs; nil if they are only collected
	ahead  *ahead         // of hangs to confirm; nil without an intake
	member *shared.Member // of a directory that processes share; nil: there is none

	weighed *weighed // inputs that were measured while the search went on; nil unless the clock ends it

	// Hints name the entries, by mutant, that may be the first to kill it: a run that is bounded
	// by the clock runs it there first.
	Hints map[uint32]string
	hints map[uint32]string // likewise, of the shared directory: also where executions bound a run
	// Left are mutants that act before the first input, and that the last run has not judged.
	Left map[uint32]bool
	// Started are verdicts of mutants that act before the first input, of earlier runs.
	Started map[uint32]evaluate.StartVerdict

	Before    map[uint32]bool // mutants of those that were killed that the given entries kill; nil if nothing was found
	started   time.Duration   // until fuzzing began
	fuzzed    time.Duration   // spent fuzzing
	know      trial.Knowledge // of the kills of entries
	late      int             // entries that were chosen by what was seen while fuzzing alone
	leftOut   []corpus.Entry  // of those chosen: CorpusSize leaves no room for them
	ended     string          // why it was less than was allowed; "" if it was not
	fuzzedCPU time.Duration   // processor time until fuzzing ended
	log       *recorder       // of the run; nil until it begins
	search    *engine.Search  // nil until it begins
	end       engine.End      // of its last part
	failed    error           // that ended it
	turns     int             // that it had; 0: it is done in one go
	resume    func()          // ends a pause
	among     int             // that share the time after an interrupt; 0: it has all of it
	result    *report.FuzzTest
	costly    []*costs.Finding // those of the result, in its order
	slow      []*corpus.Input  // that were taken for hangs, and end
	replay    *races.Replay    // under the race detector; nil: nobody asks
	raced     []bugs.Bug       // the races that it showed
}

// New makes a campaign that has not begun. A nil focus is all of the code.
func New(p *project.Project, pkg *project.Package, test instrument.FuzzTest, focus *change.Focus, opts Options) *Campaign {
	c := &Campaign{opts: opts}
	c.Trial = trial.New(p, pkg, test, focus, trial.Hooks{
		OnFound: c.keepFound, OnFailure: c.onFailure, OnRound: func() { c.member.Round(); c.log.round() },
		Buckets: func(stacks int) int { return c.intake.Known(stacks) },
	})
	c.sel = &selection.Selector{Trial: c.Trial, By: opts.By, Thorough: opts.Thorough}
	return c
}

// Result is what has come of the campaign so far; nil: nothing.
func (c *Campaign) Result() *report.FuzzTest {
	if c.result != nil {
		c.result.Warnings = c.Trial.Warnings() // some come after the figures
		c.result.Shared = c.member.Report()
	}
	return c.result
}

// grace is the time for what is still done after an interrupt.
func (c *Campaign) grace() time.Duration {
	if c.opts.Abandon {
		return 0
	}
	return endTime / time.Duration(max(c.among, 1))
}

// Run does the whole job for one fuzz test. A panic has it write what was found.
func (c *Campaign) Run(ctx context.Context) error { return c.saving(ctx, c.searchAll) }

// saving does a part of the job. A panic has it write what was found.
func (c *Campaign) saving(ctx context.Context, do func(context.Context) error) error {
	err := panics.Do(func() error { return do(ctx) })
	if panics.Is(err) {
		return errors.Join(err, c.salvage(ctx))
	}
	return err
}

// searchAll is run, but that a panic has it leave what was found.
func (c *Campaign) searchAll(ctx context.Context) error {
	if err := c.open(ctx); err != nil {
		return err
	}
	defer c.End()
	if c.opts.Search != nil {
		return c.opts.Search(ctx, c)
	}
	return c.guided(ctx)
}

// open does what comes before fuzzing. If it succeeds, End is to be called.
func (c *Campaign) open(ctx context.Context) error {
	if err := c.Trial.Greet(ctx); err != nil {
		return err
	}
	if err := c.openRaces(ctx); err != nil {
		return err
	}
	if c.Trial.Project.Options.FuzzTime.Execs == 0 {
		c.Trial.ReadCache()
	}
	c.member = shared.Join(c.Trial)
	c.hints = c.member.Begin()
	err := c.Trial.ReadKnown()
	if err == nil {
		trial.CheckInputs(c.Trial)
		err = c.Begin(ctx)
	}
	if err != nil {
		c.End()
	}
	return err
}

// guided searches with the engine, and ends the run.
func (c *Campaign) guided(ctx context.Context) error {
	c.part(ctx, c.begins())
	return c.settle(ctx)
}

// begins says that the search does.
func (c *Campaign) begins() string {
	opts := &c.Trial.Project.Options
	return fmt.Sprintf("fuzzing for %v with %s, seed %d", opts.FuzzTime, report.Plural(opts.Parallel, "worker"), opts.Seed)
}

// part searches for Options.FuzzTime.
func (c *Campaign) part(ctx context.Context, phase string) {
	opts := &c.Trial.Project.Options
	c.Trial.Phase("%s", phase)
	stop := c.Trial.WatchFuzzing(opts.FuzzTime)
	begin := time.Now()
	if c.search == nil {
		c.log = newRecorder(c.Trial, c.turns > 0)
		c.search = c.Trial.Engine.NewSearch(c.budget())
	}
	c.end, c.failed = c.search.Run(ctx, opts.FuzzTime.Duration, opts.FuzzTime.Execs)
	c.SetFuzzed(begin)
	stop()
}

// budget is that of the search.
func (c *Campaign) budget() engine.Budget {
	opts := &c.Trial.Project.Options
	b := engine.Budget{Time: opts.FuzzTime.Duration, Inputs: opts.FuzzTime.Execs, UntilKilled: c.Trial.Project.UntilKilled}
	b.Patience.Time, b.Patience.Inputs, b.Patience.News = opts.Until.Duration, opts.Until.Execs, opts.Until.News
	if c.member != nil {
		b.Intake = c.member.Intake
	}
	b.Try, b.Samples = trial.Inputs(c.Trial.Waiting), c.Trial.Samples()
	return b
}

// settle ends the run after the search.
func (c *Campaign) settle(ctx context.Context) error {
	c.log.end()
	trial.WarnDiscards(c.Trial)
	if c.ended = c.early(c.end); c.ended != "" && c.turns == 0 {
		c.Trial.Note("%s", c.ended)
	}
	err := c.failed
	if panics.Is(err) {
		return err
	}
	if err == nil {
		err = c.explain(ctx)
	}
	if err != nil {
		// What was found is worth keeping whatever ended the run.
		c.Settle(ctx) //nolint:errcheck // what ended the run matters more
		return c.Trial.EngineError(err)
	}
	if err := c.replayRaces(ctx); err != nil {
		return errors.Join(err, c.Settle(ctx))
	}
	return c.Settle(ctx)
}

// early says why fuzzing ended before its budget was used up; "" if it did not.
func (c *Campaign) early(end engine.End) string {
	opts := &c.Trial.Project.Options
	switch end {
	case engine.Killed:
		all := "every mutant is killed"
		if n := c.Trial.Engine.Living(); n > 0 {
			all += " but " + report.Plural(n, "accepted one")
		}
		if c.turns > 0 {
			return fmt.Sprintf("%s: ended after %.1f s; what is left of -total %v is for other fuzz tests", all, c.fuzzed.Seconds(), opts.Total)
		}
		return fmt.Sprintf("%s: ended after %.1f s of %v; -fuzztime %[3]v uses all of it", all, c.fuzzed.Seconds(), opts.FuzzTime)
	case engine.Stale:
		if opts.Until.News > 1 {
			return fmt.Sprintf("fewer than %d new kills, blocks and failures in the last %v: ended after %.1f s", opts.Until.News, opts.Until.FuzzTime, c.fuzzed.Seconds())
		}
		if opts.Until.Execs > 0 {
			return fmt.Sprintf("nothing new in %s: ended after %.1f s", report.Plural(int(opts.Until.Execs), "execution"), c.fuzzed.Seconds())
		}
		return fmt.Sprintf("nothing new for %v: ended after %.1f s", opts.Until, c.fuzzed.Seconds())
	}
	if c.turns > 0 && c.search != nil {
		return c.had()
	}
	return ""
}

// SetFuzzed notes that fuzzing, which began then, has ended.
func (c *Campaign) SetFuzzed(begin time.Time) {
	if c.fuzzed == 0 {
		c.started = begin.Sub(c.Trial.Start)
	}
	spent := time.Since(begin)
	c.fuzzed, c.fuzzedCPU = c.fuzzed+spent, c.Trial.CPU()
	c.Trial.Project.Fuzzed(spent)
}

// Begin runs the corpus that the trial has read. Call end when the campaign is over.
func (c *Campaign) Begin(ctx context.Context) error {
	weighs := c.endTime() > 0 && c.Trial.Project.Options.CostShare() > 0
	if c.intake = bugs.NewIntake(ctx, c.Trial); c.intake != nil {
		c.ahead = newAhead(ctx, c.Trial)
		c.intake.Opened = c.ahead.add
		if weighs {
			c.ahead.cuts = c.cutTime()
		}
	}
	if weighs {
		c.weighed = newWeighed(ctx, c.Trial)
		c.Trial.Engine.Growth.Opened = c.weighed.add
	}
	if c.opts.Search == nil && c.opts.Job == "" && c.Trial.Project.Options.FuzzTime.Duration > 0 {
		hints := maps.Clone(c.Hints)
		if hints == nil {
			hints = make(map[uint32]string)
		}
		maps.Copy(hints, c.hints)
		return c.Trial.BaselineWithin(ctx, startTime, hints)
	}
	return c.Trial.Baseline(ctx, c.hints)
}

// startTime is the time before fuzzing for the corpus and Go's fuzz cache, where a run is
// bounded by the clock: the first new input is to be run soon, however large they are.
const startTime = 2 * time.Second

// End gives up what is not done.
func (c *Campaign) End() {
	c.intake.Stop()
	c.ahead.stop()
	c.weighed.stop()
	c.member.Close()
}

// keepFound writes an input to Go's fuzz cache as soon as it is found, so that
// nothing ends with it lost.
func (c *Campaign) keepFound(input *corpus.Input) {
	if c.Trial.Project.Options.DryRun || c.opts.Known {
		return
	}
	c.member.Found(input)
	dir, err := c.Trial.CacheDir()
	if err == nil {
		err = c.Trial.Keep(dir, input)
	}
	if err != nil {
		c.Trial.NotKept(err)
	}
}

// onFailure keeps a failing input beside Go's fuzz cache and has it assigned. What opens
// a bucket is shown.
func (c *Campaign) onFailure(f failures.Failure) {
	c.member.Failed(f)
	c.keepCrasher(f.Input)
	if c.intake.Add(f) {
		trial.ShowFailure(c.Trial, f.Outcome)
	}
}

// keepCrasher keeps an input beside Go's fuzz cache, where triage finds it, and reports whether it is there.
func (c *Campaign) keepCrasher(input *corpus.Input) bool {
	if c.Trial.Project.Options.DryRun {
		return false
	}
	dir, err := c.Trial.CrashersDir()
	if err == nil {
		err = c.Trial.Keep(dir, input)
	}
	if err != nil {
		c.Trial.NotKept(err)
	}
	return err == nil
}
