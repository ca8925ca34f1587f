package campaign

import (
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// What follows takes a quarter of -fuzztime, or 5 s; without a time there is no bound.
func TestWhatFollowsASearchEnds(t *testing.T) {
	for fuzzTime, want := range map[time.Duration]time.Duration{
		time.Second: 5 * time.Second, 20 * time.Second: 5 * time.Second, time.Minute: 15 * time.Second,
	} {
		if got := endBudget(fuzzTime); got != want {
			t.Errorf("%v: %v, want %v", fuzzTime, got, want)
		}
	}
	for _, c := range []struct{ all, fuzzed, want time.Duration }{
		{15 * time.Second, 7 * time.Second, 5 * time.Second},
		{15 * time.Second, 40 * time.Second, 10 * time.Second},
		{4 * time.Second, time.Second, 4 * time.Second},
		{0, time.Second, 0}, // no bound by the clock
	} {
		times := &endTimes{all: c.all}
		if times.cut(c.fuzzed); times.all != c.want {
			t.Errorf("%v, interrupted after %v: %v, want %v", c.all, c.fuzzed, times.all, c.want)
		}
	}
	left := new(Campaign)
	left.Left = map[uint32]bool{3: true}
	for _, c := range []*Campaign{new(Campaign), left} {
		phasesEnd(t, c.endsOf())
	}
	if more, usual := starts(left), starts(new(Campaign)); more < 2*usual {
		t.Errorf("mutants of the start that were left have %d %% of the time, others %d %%", more, usual)
	}
}

// Golden values are cheap, and the next run of verify needs them: the mutants on the corpus can't take their time.
func TestGoldenValuesComeBeforeTheScore(t *testing.T) {
	if keeping <= choosing || keeping >= scoring {
		t.Error("golden values are not recorded as soon as the entries are chosen")
	}
}

// What comes before golden values may take longer than its part, and they have theirs: but for the end of all.
func TestGoldenValuesHaveTheirPart(t *testing.T) {
	begin := time.Now()
	e := &endTimes{begin: begin, all: 100 * time.Second, ends: &[phases]int{choosing: 50, keeping: 70, scoring: 90}}
	for _, c := range []struct {
		phase     phase
		from, end time.Duration // in seconds
	}{
		{keeping, 0, 70}, {keeping, 50, 70}, {keeping, 60, 80}, {keeping, 95, 100}, {scoring, 95, 90},
	} {
		if got := e.endOf(c.phase, begin.Add(c.from*time.Second)).Sub(begin); got != c.end*time.Second {
			t.Errorf("phase %d from %d: ends at %v, want %d s", c.phase, c.from, got, c.end)
		}
	}
}

// starts is the part of the time that mutants of the start have in any case, in percent.
func starts(c *Campaign) int { ends := c.endsOf(); return ends[starting] - ends[scoring] }

func phasesEnd(t *testing.T, ends *[phases]int) {
	t.Helper()
	begin := time.Now()
	last := begin
	e := &endTimes{begin: begin, all: time.Minute, ends: ends}
	for p := range sorting {
		ctx, done := e.phase(t.Context(), p)
		at, ok := ctx.Deadline()
		if !ok || at.Before(last) {
			t.Errorf("phase %d ends %v after the search, the one before at %v", p, at.Sub(begin), last.Sub(begin))
		}
		last = at
		done()
		if ctx.Err() == nil || e.took[p] <= 0 {
			t.Errorf("phase %d has ended: %v, after %v", p, ctx.Err(), e.took[p])
		}
	}
	if all := last.Sub(begin); all != time.Minute {
		t.Errorf("all ends after %v", all)
	}
	for _, c := range []struct {
		e *endTimes
		p phase
	}{{&endTimes{}, gleaning}, {e, sorting}} {
		ctx, done := c.e.phase(t.Context(), c.p)
		if _, ok := ctx.Deadline(); ok {
			t.Errorf("phase %d has a bound", c.p)
		}
		done()
	}
}

// What was left of the start counts there, whether the mutant can be switched or not.
func TestMutantsThatThereWasNoTimeForAreCounted(t *testing.T) {
	const none = "acts before the first input"
	late, static := report.Mutant{Status: report.Pending, Reason: evaluate.NoTime}, report.Mutant{Status: report.Static, Reason: evaluate.NoTime}
	got := lateMutants([]report.Mutant{
		{Status: report.Killed},
		{Status: report.Killed, Unconfirmed: true},
		late, late, static,
		{Status: report.Static, Reason: none},
		{Status: report.Pending, Reason: evaluate.KilledFromOutside},
		{Status: report.Survived},
		late,
		{Status: report.Static, Reason: evaluate.NoBudget},
		{Status: report.Pending, Reason: evaluate.NoBudget},
	}, map[uint32]string{1: evaluate.NoTime, 4: evaluate.NoTime, 5: evaluate.NoTime, 6: none, 9: evaluate.Interrupted})
	if want := (report.Late{Unconfirmed: 1, Mutants: 2, Static: 4}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
