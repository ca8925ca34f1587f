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
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs/benchmarks"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// placesMost bounds the places whose inputs are measured: each takes seconds.
const placesMost = 10

// Bounds on the time for it, if there is one at all. Places of inputs that grow by time alone have as much again.
const (
	// weighLeast is the least processor time. A place takes a second or two, and more beside other work.
	weighLeast = 15 * time.Second
	// weighParts is into how many parts it is divided at most. A place gets one at first, on each processor.
	weighParts = 4
	// weighClock divides the time on the clock, which counts where that is more: other work on the
	// machine may take the processors, and what waits costs something, too.
	weighClock = 8
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

// weighWithin is weighCosts within a processor time; 0: there is no bound. What grows by time alone comes last, and has as much
// again: the clock tells more while nothing else works.
func (c *Campaign) weighWithin(ctx context.Context, limit time.Duration) (err error) {
	t := c.Trial
	c.weighed.finish()
	user := ctx
	ctx, cancel := c.weighUntil(ctx, limit/time.Duration(c.parallel()), c.parallel())
	defer cancel()
	if err := c.cutSlow(ctx); err != nil && ctx.Err() == nil {
		return exit.Errorf(exit.Internal, "looking for what grows in slow inputs: %w", err)
	}
	bounds := costs.BoundsOf(t)
	places := slices.DeleteFunc(t.Engine.Growth.Places(), bounds.Allow)
	if len(places) == 0 {
		return nil
	}
	t.Phase("measuring inputs that may cost too much, of %s", report.Plural(len(places), "place"))
	if len(places) > placesMost {
		t.Warn("inputs of " + report.Plural(len(places), "place") + " may cost too much; those of " + strconv.Itoa(placesMost) + " are measured")
		places = places[:placesMost]
	}
	defer func() { err = errors.Join(err, c.writeBenchmarks(user)) }()
	w := weighing{Campaign: c, bounds: bounds, limit: limit}
	byTime := func(list []growth.Candidate) bool { return list[0].ByTime }
	if err := w.places(ctx, slices.DeleteFunc(slices.Clone(places), byTime), c.parallel()); err != nil {
		return err
	}
	alone, cancel := c.weighUntil(user, limit, 1)
	defer cancel()
	timed := slices.DeleteFunc(places, func(list []growth.Candidate) bool { return !byTime(list) || c.hasCostly(list[0].Place) })
	if err := w.places(alone, timed, 1); err != nil || user.Err() != nil {
		return err
	}
	w.tell()
	return nil
}

// hasCostly reports whether an input is known to cost too much at a place: what takes time there as well is no other finding.
func (c *Campaign) hasCostly(place string) bool {
	return slices.ContainsFunc(c.costly, func(f *costs.Finding) bool { return place != "" && f.Place == place })
}

// writeBenchmarks writes a benchmark of each costly input of the result, if that is asked for.
func (c *Campaign) writeBenchmarks(ctx context.Context) error {
	if !c.Trial.Project.Options.WriteBench {
		return nil
	}
	return benchmarks.Write(ctx, c.Trial, c.costly, c.result.Costs)
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
