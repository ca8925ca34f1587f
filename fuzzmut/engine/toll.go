package engine

import "time"

// A toll is what it takes of the time of fuzzing that a mutant ends its process: the mutant may have blocked for seconds, what
// ended is to be explained, and another process starts. A program with goroutines that wait for each other has tens of such
// mutants, and without a bound nothing else would run. So after each of them as much time belongs to inputs alone.
type toll struct {
	since time.Time // for which nothing was done but for a mutant; zero: another process works
	until time.Time // when mutants run again
}

// died takes in that a mutant has ended a process, in which nothing had happened for some time.
func (t *toll) died(now time.Time, waited time.Duration) { t.since = now.Add(-waited) }

// replaced takes in that another process works.
func (t *toll) replaced(now time.Time) {
	if t.since.IsZero() {
		return
	}
	t.until, t.since = now.Add(now.Sub(t.since)), time.Time{}
}

// rest is how long no mutants run from now on.
func (t *toll) rest(now time.Time) time.Duration { return max(t.until.Sub(now), 0) }
