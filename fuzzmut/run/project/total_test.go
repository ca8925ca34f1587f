package project

import (
	"testing"
	"time"
)

// What a fuzz test leaves is for those that follow, of its package and of others.
func TestTotalIsDivided(t *testing.T) {
	p := &Project{total: total{left: FuzzTime{Duration: 100 * time.Second}, most: FuzzTime{Duration: time.Minute}}}
	p.Options.Total = p.total.left
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
