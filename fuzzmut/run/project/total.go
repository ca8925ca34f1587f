package project

import "time"

// total divides Options.Total among the fuzz tests.
type total struct {
	most    FuzzTime // of each fuzz test
	bounded bool     // somebody has asked for most
	left    FuzzTime
	later   int // packages that follow
}

// giveTime sets Options.FuzzTime for a fuzz test that is followed by others of its package:
// of what is left of Options.Total, each has the same part, and each package that follows
// as much as one of them. What a fuzz test does not use is left for the others.
func (p *Project) giveTime(follow int) {
	if p.Options.Total.Duration > 0 {
		t := p.total.most.Part(p.total.left.Duration, follow+p.total.later)
		t.Duration = t.Duration.Round(readable)
		p.Options.FuzzTime = t
	}
}

// readable is what durations that a person reads are rounded to.
const readable = 100 * time.Millisecond

// Fuzzed notes that a fuzz test was fuzzed for that long.
func (p *Project) Fuzzed(d time.Duration) { p.total.left.Duration -= d }
