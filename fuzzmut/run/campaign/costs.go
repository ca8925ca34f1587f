package campaign

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// placesMost bounds the places whose inputs are measured: each takes seconds.
const placesMost = 10

// Bounds on the time for it, if there is one at all.
const (
	// weighLeast is the least processor time. A place takes a second or two.
	weighLeast = 15 * time.Second
	// weighParts is into how many parts it is divided at most. A place gets one at first.
	weighParts = 4
	// weighClock divides the time on the clock, which counts where that is more: other work on the
	// machine may take the processors, and what waits costs something, too.
	weighClock = 4
)

// weighCosts has fresh processes measure the inputs that the search has found to cost too
// much, and enters into the result those that do.
func (c *Campaign) weighCosts(ctx context.Context) error {
	limit := c.endTime()
	if limit > 0 {
		limit = max(limit, weighLeast)
	}
	return c.weighWithin(ctx, limit)
}

// weighWithin is weighCosts within a processor time; 0: there is no bound.
func (c *Campaign) weighWithin(ctx context.Context, limit time.Duration) (err error) {
	t := c.Trial
	c.weighed.finish()
	user := ctx
	ctx, cancel := c.weighUntil(ctx, limit)
	defer cancel()
	if err := c.cutSlow(ctx); err != nil && ctx.Err() == nil {
		return exit.Errorf(exit.Internal, "looking for what grows in slow inputs: %w", err)
	}
	places := t.Engine.Growth.Places()
	if len(places) == 0 {
		return nil
	}
	bounds := costs.BoundsOf(t)
	if places = slices.DeleteFunc(places, bounds.Allow); len(places) == 0 {
		return nil
	}
	t.Phase("measuring inputs that may cost too much, of %s", report.Plural(len(places), "place"))
	if len(places) > placesMost {
		t.Warn("inputs of " + report.Plural(len(places), "place") + " may cost too much; those of " + strconv.Itoa(placesMost) + " are measured")
		places = places[:placesMost]
	}
	defer func() { err = errors.Join(err, c.writeBenchmarks(user)) }()
	left, refuted, err := c.weighPlaces(ctx, places, bounds, limit)
	switch {
	case user.Err() != nil:
		return nil // what is known will do
	case err != nil:
		return exit.Errorf(exit.Internal, "measuring inputs that may cost too much: %w", err)
	case left > 0:
		t.Warn("inputs of " + report.Plural(left, "place") + " may cost too much, and there was no time to measure them: a longer -fuzztime gives more")
	}
	if refuted > 0 {
		t.Note("inputs of %s seemed to cost too much, and do not when measured", report.Plural(refuted, "place"))
	}
	if err := c.stopGrowth(ctx); err != nil {
		return exit.Errorf(exit.Internal, "looking for what stops the growth of costly inputs: %w", err)
	}
	return nil
}

// weighUntil bounds the time for measuring; 0: there is no bound.
func (c *Campaign) weighUntil(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	start, cpu := time.Now(), c.Trial.Engine.Processes.CPU
	begin := cpu()
	return processes.Until(ctx, limit, func() time.Duration { return max(cpu()-begin, time.Since(start)/weighClock) })
}

// weighPlaces measures the inputs of places, and counts those that there was no time for, and those that do
// not cost too much. No place may take all the time: what takes more than its share is left to the end.
func (c *Campaign) weighPlaces(ctx context.Context, places [][]growth.Candidate, bounds *costs.Bounds, limit time.Duration) (left, refuted int, err error) {
	share := sharesOf(places, limit)
	for _, last := range [...]bool{false, true} {
		var late [][]growth.Candidate
		for i, list := range places {
			if ctx.Err() != nil {
				late = append(late, places[i:]...)
				break
			}
			most := limit
			if !last {
				most = share(list)
			}
			part, cancel := c.weighUntil(ctx, most)
			found, err := c.weighPlace(part, list, bounds)
			ended := part.Err() != nil
			cancel()
			switch {
			case ended && !found:
				late = append(late, list)
			case err != nil:
				return 0, refuted, err
			case !found:
				refuted++
			}
		}
		places = late
	}
	return len(places), refuted, nil
}

// sharesOf says what a place may take at first. Those of inputs that grow by time alone, which come last, take nothing
// from the others.
func sharesOf(places [][]growth.Candidate, limit time.Duration) func([]growth.Candidate) time.Duration {
	others := 0
	for _, list := range places {
		if !list[0].ByTime {
			others++
		}
	}
	return func(list []growth.Candidate) time.Duration {
		parts := len(places)
		if !list[0].ByTime {
			parts = others
		}
		return limit / time.Duration(min(parts, weighParts))
	}
}

// weighPlace measures the inputs of one place until one costs too much.
func (c *Campaign) weighPlace(ctx context.Context, list []growth.Candidate, bounds *costs.Bounds) (found bool, err error) {
	f, list := c.weighed.of(list)
	if f == nil {
		f, err = costs.Weigh(ctx, c.Trial, list, bounds)
	}
	if err != nil || f == nil {
		return false, err
	}
	if c.enterCost(f) {
		c.costly = append(c.costly, f)
	}
	return true, nil
}

// enterCost enters a costly input into the result, and reports whether its place had none.
func (c *Campaign) enterCost(f *costs.Finding) bool {
	if slices.ContainsFunc(c.result.Costs, func(have report.Cost) bool { return have.Function == f.Function() }) {
		return false
	}
	g := c.Trial.Engine.Growth
	cost := f.Report(c.Trial)
	cost.Entry = c.keepCost(f.Shown())
	cost.Count, cost.FoundSeconds = g.Count(f.Candidate), g.First(f.Candidate).Sub(c.Trial.Start).Seconds()
	c.result.Costs = append(c.result.Costs, cost)
	return true
}

// keepCost writes a costly input beside Go's fuzz cache, where triage finds it, and returns its
// path; "" if it can't be written, or nothing is to be.
func (c *Campaign) keepCost(input *corpus.Input) (path string) {
	if c.Trial.Project.Options.DryRun {
		return ""
	}
	dir, err := c.Trial.CrashersDir()
	if err == nil {
		_, err = corpus.WriteFile(dir, input.Hash(), input.Encode())
	}
	if err != nil {
		c.Trial.NotKept(err)
		return ""
	}
	return filepath.Join(dir, input.Hash())
}
