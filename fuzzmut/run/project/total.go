package project

import "time"

// total divides Options.Total among the fuzz tests.
type total struct {
	most  FuzzTime // of each fuzz test
	spent time.Duration
	later int  // packages that follow
	heirs bool // of what is left: fuzz tests follow
}

// giveTime sets Options.FuzzTime for a fuzz test that is followed by others of its package:
// of what is left of Options.Total, each has the same part, and each package that follows
// as much as one of them. What a fuzz test does not use is left for the others.
func (p *Project) giveTime(follow int) {
	p.total.heirs = follow+p.total.later > 0
	if p.Options.Total > 0 {
		t := p.total.most.Part(p.Options.Total-p.total.spent, follow+p.total.later)
		t.Duration = t.Duration.Round(100 * time.Millisecond) // a person reads it
		p.Options.FuzzTime = t
	}
}

// Fuzzed notes that a fuzz test was fuzzed for that long.
func (p *Project) Fuzzed(d time.Duration) { p.total.spent += d }

// Yields reports whether a fuzz test leaves its time to those that follow, once it has brought
// nothing new for half of what it has used: -total is one budget, and nobody has asked for a
// time of each.
func (p *Project) Yields() bool {
	return p.Options.Total > 0 && p.total.heirs && p.UntilKilled && p.Options.Until == (FuzzTime{})
}
