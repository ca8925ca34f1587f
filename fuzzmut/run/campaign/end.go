package campaign

import (
	"context"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// What follows a search has a separate time: endLeast, or the part endShare of -fuzztime
// if that is more. Each phase ends at a point of it, in percent. The time that one leaves
// is there for those after it, so that the later ones have some in any case. Without a
// -fuzztime by the clock there is no such bound: then the clock must not decide anything.
const (
	endLeast = 5 * time.Second
	endShare = 4

	gleanEnd  = 42  // the live mutants on new inputs
	chooseEnd = 60  // which of the inputs become entries
	scoreEnd  = 81  // the mutants on the resulting corpus
	staticEnd = 88  // and those in package initialization; entries of earlier runs that are redundant
	goldenEnd = 100 // golden values
)

// endTimes are the times at which the phases after a search end.
type endTimes struct {
	begin time.Time
	all   time.Duration // 0: there is no bound
}

// endBudget is the time for what follows a search that is bounded by the clock.
func endBudget(fuzzTime time.Duration) time.Duration { return max(endLeast, fuzzTime/endShare) }

// newEndTimes begins to count the time.
func (c *Campaign) newEndTimes() endTimes {
	t := c.Trial.Project.Options.FuzzTime.Duration
	if t <= 0 || c.opts.Job != "" {
		return endTimes{}
	}
	return endTimes{time.Now(), endBudget(t)}
}

// phase returns the context of a phase that ends at a part of the time, in percent.
func (e endTimes) phase(ctx context.Context, end int) (context.Context, context.CancelFunc) {
	if e.all == 0 {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, e.begin.Add(e.all*time.Duration(end)/100))
}

// lateOf counts what there was no time for, but for golden values.
func (c *Campaign) lateOf(mutants []report.Mutant) report.Late {
	l := report.Late{Entries: c.late, Cached: c.Trial.Engine.Untried()}
	for i := range mutants {
		if mutants[i].Unconfirmed {
			l.Unconfirmed++
		}
		switch m := &mutants[i]; {
		case m.Reason != evaluate.NoTime:
		case m.Status == report.Static:
			l.Static++
		default:
			l.Mutants++
		}
	}
	return l
}
