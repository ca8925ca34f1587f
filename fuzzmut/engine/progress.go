package engine

import (
	"sort"
	"time"
)

// moment is how far a search has come.
type moment struct {
	time   time.Duration // fuzzed
	issued int64         // inputs given out
}

// progress is when a search found something new.
type progress struct {
	steps []step // news ascends; the first is what there was at the beginning
}

// step is a moment at which something new was there.
type step struct {
	moment
	news int
}

// note takes in how much there is, and reports whether something of it is new. What is there
// at the beginning is.
func (g *progress) note(now moment, news int) bool {
	if n := len(g.steps); n > 0 && news <= g.steps[n-1].news {
		return false
	}
	g.steps = append(g.steps, step{now, news})
	return true
}

// last is when something was new the last time; something was.
func (g *progress) last() moment {
	if len(g.steps) == 0 {
		return moment{}
	}
	return g.steps[len(g.steps)-1].moment
}

// since is how much was new later than a moment for which earlier holds, as it does for all
// moments before.
func (g *progress) since(earlier func(moment) bool) int {
	if len(g.steps) == 0 {
		return 0
	}
	at := sort.Search(len(g.steps), func(i int) bool { return i > 0 && !earlier(g.steps[i].moment) })
	return g.steps[len(g.steps)-1].news - g.steps[at-1].news
}

// Recent is how much was new in the last half of the search: in the last half of its inputs,
// or of its time if that bounds it. It is called between parts.
func (s *Search) Recent() int {
	a := &s.rounds.allowance
	a.stale(s.rounds.e.news())
	now := a.now()
	return a.progress.since(func(m moment) bool {
		if a.budget.Inputs > 0 {
			return m.issued*2 <= now.issued
		}
		return m.time*2 <= now.time
	})
}

// Spent is what the search has used so far, but for the part in progress.
func (s *Search) Spent() (time.Duration, int64) {
	now := s.rounds.allowance.now()
	return now.time, now.issued
}
