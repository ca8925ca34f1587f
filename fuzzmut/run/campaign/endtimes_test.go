package campaign

import (
	"context"
	"testing"
	"time"
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
	begin := time.Now()
	last := begin
	for _, end := range []int{gleanEnd, chooseEnd, scoreEnd, staticEnd, goldenEnd} {
		ctx, cancel := endTimes{begin, time.Minute}.phase(context.Background(), end)
		at, ok := ctx.Deadline()
		if !ok || !at.After(last) {
			t.Errorf("a phase ends %v after the search, the one before at %v", at.Sub(begin), last.Sub(begin))
		}
		last = at
		cancel()
	}
	if all := last.Sub(begin); all != time.Minute {
		t.Errorf("all ends after %v", all)
	}
	ctx, cancel := endTimes{}.phase(context.Background(), gleanEnd)
	defer cancel()
	if _, ok := ctx.Deadline(); ok {
		t.Error("there is a bound without a time")
	}
}
