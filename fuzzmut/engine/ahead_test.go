package engine

import (
	"testing"
	"time"
)

// Costly inputs are looked for ahead of their share once for each worker, not once for each process, and for no longer
// than their share of the whole search.
func TestTimeAheadOfTheShareIsGivenOutOnce(t *testing.T) {
	for _, c := range []struct {
		lasts          time.Duration
		share, workers int
		want           []time.Duration // of the processes, in turn
	}{
		{time.Minute, 50, 2, []time.Duration{aheadMost, aheadMost, 0, 0}},
		{5 * time.Second, 50, 1, []time.Duration{100 * time.Millisecond, 0}},
		{0, 50, 1, []time.Duration{aheadMost, 0}},
		{time.Second, 2, 1, []time.Duration{aheadMost, 0}},
		{time.Minute, 0, 1, []time.Duration{aheadMost, 0}},
	} {
		var a ahead
		a.begin(c.lasts, c.share, c.workers)
		for i, want := range c.want {
			if got := a.take(); got != want {
				t.Errorf("%v, one part in %d, %d workers: process %d has %v, want %v", c.lasts, c.share, c.workers, i, got, want)
			}
		}
	}
}
