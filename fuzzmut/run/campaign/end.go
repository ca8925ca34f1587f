package campaign

import (
	"context"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// What follows a search has a separate time: endLeast, or the part endShare of -fuzztime
// if that is more. Each phase ends at a point of it, in percent. The time that one leaves
// is there for those after it, so that the later ones have some in any case. Without a
// -fuzztime by the clock there is no such bound: then the clock must not decide anything.
const (
	endLeast = 5 * time.Second
	endShare = 4
)

// Where executions bound a run, the mutants that act before the first input may burn fuel for
// about five seconds, or for a quarter of the time of cheap executions if that is more.
const (
	earlyLeast = 5_000_000_000
	earlyExec  = 5_000 // for each execution
)

// earlyBudget says what the mutants that act before the first input may burn, where no clock
// bounds that.
func (c *Campaign) earlyBudget() trial.Early {
	e := trial.Early{First: func(m uint32) bool { return c.Left[m] }, Known: c.Started}
	if c.endTime() == 0 && c.opts.Job == "" {
		e.Fuel = max(earlyLeast, earlyExec*c.Trial.Engine.Status().Inputs)
	}
	return e
}

// A phase is a part of what follows a search.
type phase int

const (
	gleaning phase = iota // the live mutants on new inputs
	choosing              // which of the inputs become entries
	keeping               // golden values
	scoring               // the mutants on the resulting corpus
	starting              // and those in package initialization
	tidying               // entries of earlier runs that are redundant
	sorting               // failing inputs, which has a separate time
	phases
)

// phaseEnds are the parts of the time at which phases end, in percent.
var phaseEnds = [phases]int{gleaning: 26, choosing: 58, keeping: 76, scoring: 92, starting: 100, tidying: 100}

// leftEnds are phaseEnds where the last run has left mutants in package initialization: else
// those before would take their time each time.
var leftEnds = [phases]int{gleaning: 24, choosing: 54, keeping: 70, scoring: 84, starting: 100, tidying: 100}

// endTimes are the times at which the phases after a search end, and what they have taken.
type endTimes struct {
	begin time.Time
	all   time.Duration // 0: there is no bound
	ends  *[phases]int
	took  [phases]time.Duration
}

// endsOf returns the parts of the time at which the phases of this search end.
func (c *Campaign) endsOf() *[phases]int {
	if len(c.Left) > 0 {
		return &leftEnds
	}
	return &phaseEnds
}

// endBudget is the time for what follows a search that is bounded by the clock.
func endBudget(fuzzTime time.Duration) time.Duration { return max(endLeast, fuzzTime/endShare) }

// resultPrice is about what a mutant takes when the result is put together and shown.
const resultPrice = 4 * time.Microsecond

// phaseTime is the part of endTime for the phases: a hundred thousand mutants take half a second
// to be shown.
func (c *Campaign) phaseTime() time.Duration {
	all := c.endTime()
	return max(all/2, all-time.Duration(len(c.Trial.Package.Program.Mutants))*resultPrice)
}

// endTime is the time for what follows this search; 0: there is no bound.
func (c *Campaign) endTime() time.Duration {
	t := c.Trial.Project.Options.FuzzTime.Duration
	if t <= 0 || c.opts.Job != "" {
		return 0
	}
	return endBudget(t)
}

// cut bounds what follows a search that the user has ended after some time.
func (e *endTimes) cut(fuzzed time.Duration) { e.all = min(e.all, endBudget(fuzzed)) }

// phase begins a phase, and returns its context, which ends at its part of the time. The
// phase ends with the call of done.
func (e *endTimes) phase(ctx context.Context, p phase) (_ context.Context, done func()) {
	begin, cancel := time.Now(), context.CancelFunc(func() {})
	if e.all > 0 && e.ends[p] > 0 {
		ctx, cancel = context.WithDeadline(ctx, e.endOf(p, begin))
	}
	return ctx, func() {
		e.took[p] += time.Since(begin)
		cancel()
	}
}

// endOf is when a phase ends that begins at a time. Golden values have their whole part also if what comes before them took
// longer, as where one input takes a second: the next run of verify would have nothing to compare.
func (e *endTimes) endOf(p phase, begin time.Time) time.Time {
	part := func(percent int) time.Duration { return e.all * time.Duration(percent) / 100 }
	end := part(e.ends[p])
	if p == keeping {
		end = min(max(end, begin.Sub(e.begin)+part(e.ends[keeping]-e.ends[choosing])), e.all)
	}
	return e.begin.Add(end)
}

// after says what the phases have taken.
func (e *endTimes) after() report.After {
	return report.After{
		LiveSeconds: e.took[gleaning].Seconds(), ChoiceSeconds: e.took[choosing].Seconds(), ScoreSeconds: (e.took[scoring] + e.took[tidying]).Seconds(),
		StaticSeconds: e.took[starting].Seconds(), GoldenSeconds: e.took[keeping].Seconds(), FailingSeconds: e.took[sorting].Seconds(),
	}
}

// lateOf counts what there was no time for, but for golden values. The mutants are those of
// a replay, in the order of their numbers.
func (c *Campaign) lateOf(now *trial.Replay, mutants []report.Mutant) report.Late {
	l := lateMutants(mutants, now.Start.Left)
	l.Entries, l.Cached = c.late, c.Trial.Engine.Untried()
	return l
}

// lateMutants counts the mutants that there was no time for. atStart says why those were left
// that act before the first input, by number: some of them can be switched, and are like the
// others but for that.
func lateMutants(mutants []report.Mutant, atStart map[uint32]string) (l report.Late) {
	for i := range mutants {
		m := &mutants[i]
		if m.Unconfirmed {
			l.Unconfirmed++
		}
		switch {
		case m.Reason == evaluate.NoBudget:
			l.Static++
		case m.Reason != evaluate.NoTime:
		case atStart[uint32(i+1)] == evaluate.NoTime:
			l.Static++
		default:
			l.Mutants++
		}
	}
	return l
}
