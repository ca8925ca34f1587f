package project

import "time"

// total divides Options.Total among the fuzz tests.
type total struct {
	most  FuzzTime // of each fuzz test
	spent time.Duration
	later int // packages that follow
}

// giveTime sets Options.FuzzTime for a fuzz test that is followed by others of its package:
// of what is left of Options.Total, each has the same part, and each package that follows
// as much as one of them. What a fuzz test does not use is left for the others.
func (p *Project) giveTime(follow int) {
	if p.Options.Total > 0 {
		p.Options.FuzzTime = p.total.most.Part(p.Options.Total-p.total.spent, follow+p.total.later)
	}
}

// Fuzzed notes that a fuzz test was fuzzed for that long.
func (p *Project) Fuzzed(d time.Duration) { p.total.spent += d }
