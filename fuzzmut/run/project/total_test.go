package project

import (
	"testing"
	"time"
)

// What a fuzz test leaves is for those that follow, of its package and of others.
func TestTotalIsDivided(t *testing.T) {
	p := &Project{total: total{most: FuzzTime{Duration: time.Minute}}}
	p.Options.Total = 100 * time.Second
	for i, c := range []struct {
		follow, later int
		want, used    time.Duration
	}{
		{1, 2, 25 * time.Second, 25 * time.Second},
		{0, 2, 25 * time.Second, 5 * time.Second},
		{0, 1, 35 * time.Second, 5 * time.Second},
		{0, 0, 60 * time.Second, 70 * time.Second},
		{0, 0, leastPart, 0},
	} {
		p.total.later = c.later
		p.giveTime(c.follow)
		if got := p.Options.FuzzTime.Duration; got != c.want {
			t.Errorf("fuzz test %d: %v, want %v", i, got, c.want)
		}
		p.Fuzzed(c.used)
	}
}

// A fuzz test leaves its time to others only if there are some, and nobody has said otherwise.
func TestYieldsToThoseThatFollow(t *testing.T) {
	for name, c := range map[string]struct {
		total       time.Duration
		untilKilled bool
		until       FuzzTime
		follow      int
		later       int
		want        bool
	}{
		"others of the package":    {time.Minute, true, FuzzTime{}, 1, 0, true},
		"other packages":           {time.Minute, true, FuzzTime{}, 0, 1, true},
		"the last one":             {time.Minute, true, FuzzTime{}, 0, 0, false},
		"no total":                 {0, true, FuzzTime{}, 1, 1, false},
		"-fuzztime is given":       {time.Minute, false, FuzzTime{}, 1, 0, false},
		"-until says when it ends": {time.Minute, true, FuzzTime{Execs: 100}, 1, 0, false},
	} {
		p := &Project{UntilKilled: c.untilKilled, total: total{most: FuzzTime{Duration: time.Minute}, later: c.later}}
		p.Options.Total, p.Options.Until = c.total, c.until
		p.giveTime(c.follow)
		if got := p.Yields(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
