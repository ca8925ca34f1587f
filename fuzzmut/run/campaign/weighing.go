package campaign

import (
	"context"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// A weighing measures the inputs of places after a search.
type weighing struct {
	*Campaign
	bounds *costs.Bounds
	limit  time.Duration // of processor time for some places; 0: there is none

	left    int // places that there was no time for
	refuted int // those whose inputs do not cost too much
}

// parallel is how many places are measured at a time.
func (c *Campaign) parallel() int { return c.Trial.Engine.Processes.Parallel() }

// weighUntil bounds the time for n things that are measured at a time, each on a processor; 0: there is no bound.
func (c *Campaign) weighUntil(ctx context.Context, limit time.Duration, n int) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	start, cpu := time.Now(), c.Trial.Engine.Processes.CPU
	begin := cpu()
	return processes.Until(ctx, limit, func() time.Duration {
		return max((cpu()-begin)/time.Duration(n), time.Since(start)/weighClock)
	})
}

// places measures the inputs of places, n at a time, and looks for what stops the growth of those that cost too much. No
// place may take all the time: what takes more than its share is left to the end.
func (w *weighing) places(ctx context.Context, list [][]growth.Candidate, n int) error {
	had, limit := len(w.costly), w.limit/time.Duration(n)
	for _, most := range [...]time.Duration{shareOf(limit, len(list), n), limit} {
		var err error
		if list, err = w.round(ctx, list, most, n); err != nil {
			return exit.Errorf(exit.Internal, "measuring inputs that may cost too much: %w", err)
		}
	}
	w.left += len(list)
	if err := w.stopGrowth(ctx, had, n); err != nil {
		return exit.Errorf(exit.Internal, "looking for what stops the growth of costly inputs: %w", err)
	}
	return nil
}

// shareOf is what a place may take at first of the time for some places, n at a time.
func shareOf(limit time.Duration, places, n int) time.Duration {
	return min(limit, limit*time.Duration(n)/time.Duration(max(min(places, weighParts), 1)))
}

// A measured is what came of measuring a place.
type measured struct {
	finding *costs.Finding // nil: there is none
	done    bool           // there was time to find out
}

// round measures the inputs of places, n at a time, each for some time at most, and returns those that take longer. What it
// finds does not depend on which of them ends first.
func (w *weighing) round(ctx context.Context, list [][]growth.Candidate, most time.Duration, n int) (late [][]growth.Candidate, err error) {
	results := make([]measured, len(list))
	err = panics.Each(ctx, n, len(list), func(ctx context.Context, i int) (err error) {
		part, cancel := w.weighUntil(ctx, most, n)
		defer cancel()
		results[i], err = w.place(part, list[i])
		return err
	})
	for i, r := range results {
		switch {
		case !r.done:
			late = append(late, list[i])
		case r.finding == nil:
			w.refuted++
		case w.enterCost(r.finding):
			w.costly = append(w.costly, r.finding)
		}
	}
	return late, err
}

// place measures the inputs of one place until one costs too much, or ctx ends.
func (w *weighing) place(ctx context.Context, list []growth.Candidate) (measured, error) {
	f, list := w.weighed.of(list)
	if f != nil {
		return measured{finding: f, done: true}, nil
	}
	f, err := costs.Weigh(ctx, w.Trial, list, w.bounds)
	if ctx.Err() != nil {
		err = nil // it comes of that
	}
	return measured{finding: f, done: f != nil || ctx.Err() == nil}, err
}

// tell says what there was no time for, and what is no finding.
func (w *weighing) tell() {
	if w.left > 0 {
		w.Trial.Warn("inputs of " + report.Plural(w.left, "place") + " may cost too much, and there was no time to measure them: a longer -fuzztime gives more")
	}
	if w.refuted > 0 {
		w.Trial.Note("inputs of %s seemed to cost too much, and do not when measured", report.Plural(w.refuted, "place"))
	}
}
