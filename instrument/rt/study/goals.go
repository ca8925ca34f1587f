package study

import (
	"math"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
)

// A Goal stands for a comparison that is to come out differently: that of a site
// or, where equality is asked for, of a site and a value that is looked for there. A
// function that compares its argument with a keyword serves many of these.
type Goal uint64

// maxGoals bounds the goals of a site, for those that compare with what the input
// holds: all others count as one.
const maxGoals = 64

// Goals are what is known of all comparisons so far.
type Goals struct {
	seen   map[Goal]uint8 // 1: held, 2: did not hold
	tries  map[Goal]int
	probes map[Goal]int
	atSite map[uint32]int // goals
}

// NewGoals returns Goals that nothing is known about.
func NewGoals() *Goals {
	return &Goals{seen: make(map[Goal]uint8), tries: make(map[Goal]int), probes: make(map[Goal]int), atSite: make(map[uint32]int)}
}

// See notes how comparisons came out. It reports whether one that was known to come out
// in one way has come out in the other.
func (g *Goals) See(list []Comparison) (turned bool) {
	for i := range list {
		c := &list[i]
		goal := g.Of(c)
		was := g.seen[goal]
		if was == 0 {
			g.atSite[c.Site]++
		}
		is := was | 2
		if c.Held {
			is = was | 1
		}
		g.seen[goal] = is
		turned = turned || was != 0 && is != was
	}
	return turned
}

// Open reports whether a comparison has come out in one way only so far.
func (g *Goals) Open(c *Comparison) bool { return !g.Met(g.Of(c)) }

// Met reports whether a goal's comparison has come out in both ways.
func (g *Goals) Met(goal Goal) bool { return g.seen[goal] == 3 }

// Of returns the goal that a comparison stands for.
func (g *Goals) Of(c *Comparison) Goal {
	site := Goal(havoc.Mix(uint64(c.Site) + 1))
	if !c.seeks() {
		return site
	}
	goal := site ^ Goal(c.sought())
	if _, known := g.seen[goal]; !known && g.atSite[c.Site] >= maxGoals {
		return site
	}
	return goal
}

// Try counts an attempt at a goal and returns how many there were before.
func (g *Goals) Try(goal Goal) int {
	n := g.tries[goal]
	g.tries[goal] = n + 1
	return n
}

// maxProbed is for how many inputs a goal is worth being probed.
const maxProbed = 4

// Probe counts that an input is probed for a goal. It reports whether that is worth
// the while: what was probed often without an effect is not likely to be in reach.
func (g *Goals) Probe(goal Goal) bool {
	g.probes[goal]++
	return g.probes[goal] <= maxProbed
}

// seeks reports whether one value is looked for.
func (c *Comparison) seeks() bool {
	switch c.Op {
	case codes.Less, codes.LessEqual, codes.Greater, codes.GreaterEqual:
		return false
	}
	return true
}

// sought is a hash of the value that is looked for.
func (c *Comparison) sought() uint64 {
	bits, text := c.Y, c.YText
	if c.XConst && !c.YConst {
		bits, text = c.X, c.XText
	}
	if c.Kind != codes.Text {
		return havoc.Mix(bits)
	}
	h := uint64(math.MaxUint64)
	for i := range len(text) {
		h = havoc.Mix(h ^ uint64(text[i]))
	}
	return h
}
