package engine

import (
	"testing"
	"time"
)

// After a mutant has ended a process, mutants rest as long as that took: with the time that was waited for it.
func TestMutantsRestAsLongAsADeathTook(t *testing.T) {
	begin := time.Now()
	at := func(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }
	var l toll
	if l.replaced(at(0)); l.rest(at(0)) != 0 {
		t.Errorf("the first process rests for %v", l.rest(at(0)))
	}
	l.died(at(3000), 2500*time.Millisecond)
	l.replaced(at(4000))
	for ms, want := range map[int]time.Duration{4000: 3500 * time.Millisecond, 7000: 500 * time.Millisecond, 8000: 0} {
		if got := l.rest(at(ms)); got != want {
			t.Errorf("after %d ms mutants rest for %v, want %v", ms, got, want)
		}
	}
	if l.replaced(at(9000)); l.rest(at(9000)) != 0 {
		t.Error("mutants rest after a process that ended by itself")
	}
}
