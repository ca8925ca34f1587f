package term

import (
	"math"
	"math/bits"
)

// variety is how a term differs from others of its type.
type variety struct {
	varied bool
	repeat int     // of four numbers or texts, how many occurred before
	swarm  bool    // leave out alternatives
	coins  uint64  // random bits, below the highest one that is set
	kinds  []habit // of the types met so far
}

// habit is what a term has of a type.
type habit struct {
	t       *Type
	numbers [mostLast]uint64 // to occur again, and texts
	texts   [mostLast]*Term
	n       int   // of them, and of those before
	alts    []int // of a sum, those that are allowed
}

// swarmFrom is how many alternatives a sum has from which some may be left out.
const swarmFrom = 3

// mostLast is how many numbers and texts may occur again: the last ones, in the order in which they were
// drawn. Which of them is replaced does not depend on what the others are: to find that out takes longer than
// to draw a number.
const mostLast = 8

// vary chooses how the term that is drawn differs from others.
func (d *drawing) vary() {
	c := chance(d.Uint64())
	d.varyLeaves(c)
	d.width = d.shorter(c.below(9, 16, d.halvings()))
	d.size = d.shorter(c.below(42, 1, 2) * c.below(43, 1, 2) * c.below(44, 16, d.halvings()))
}

// varyLeaves chooses how numbers and alternatives differ. The bits of c from 9 to 24 and from 42 to 59 are
// not used.
func (d *drawing) varyLeaves(c chance) {
	d.varied, d.repeat = true, c.below(0, 8, 3)
	d.swarm = c.below(8, 1, 2) == 0
	// A factor of 0 takes less than a branch, since nothing predicts which way that goes.
	d.reach = d.shorter(c.below(25, 1, 2) * c.below(26, 16, d.halvings()))
	d.coins = uint64(c)>>60 | 1<<4
}

// coin returns 0 or 1.
func (d *drawing) coin() int {
	if d.coins <= 1 {
		d.coins = d.Uint64() | 1<<63
	}
	side := d.coins & 1
	d.coins >>= 1
	return int(side)
}

// halvings is how often the size can be halved until it is 0, and one more.
func (d *drawing) halvings() int { return bits.Len(uint(d.size)) + 1 }

// shorter is the size, halved n times.
func (d *drawing) shorter(n int) int { return d.size >> (n & 63) }

// habit is valid until the next call.
func (v *variety) habit(t *Type) *habit {
	for i := range v.kinds {
		if v.kinds[i].t == t {
			return &v.kinds[i]
		}
	}
	if n := len(v.kinds); n < cap(v.kinds) {
		v.kinds = v.kinds[:n+1]
	} else {
		v.kinds = append(v.kinds, habit{})
	}
	h := &v.kinds[len(v.kinds)-1]
	h.t = t
	h.forget()
	return h
}

// forget has a habit begin again.
func (h *habit) forget() { h.n, h.alts = 0, h.alts[:0] }

// again draws a number or text, or one that occurred before.
func (d *drawing) again(t *Type) *Term {
	h := d.habit(t)
	if t.Kind != Text {
		return d.number(t, d.variedBits(t, h))
	}
	at := h.n % mostLast
	if h.n > 0 && d.IntN(4) < d.repeat {
		h.texts[at] = h.texts[d.IntN(h.kept())]
	} else {
		h.texts[at] = d.leaf(t)
	}
	h.n++
	return h.texts[at]
}

// variedBits draws a number of the type, or one that occurred before.
func (d *drawing) variedBits(t *Type, h *habit) uint64 {
	c := chance(d.Uint64())
	at := h.n % mostLast
	if h.n > 0 && c.below(0, 2, 4) < d.repeat {
		h.numbers[at] = h.numbers[c.below(8, 16, h.kept())]
	} else {
		h.numbers[at] = d.freshBits(t, c)
	}
	h.n++
	return h.numbers[at]
}

// kept is how many numbers or texts may occur again.
func (h *habit) kept() int { return min(h.n, mostLast) }

// freshBits draws a number of the type. The bits of c from 24 on are not used yet.
func (d *drawing) freshBits(t *Type, c chance) uint64 {
	if t.Kind == Float {
		return d.freshFloat(t, c)
	}
	return d.freshWhole(t, c)
}

// freshWhole is freshBits of a whole number.
func (d *drawing) freshWhole(t *Type, c chance) uint64 {
	if c.below(28, 3, 8) == 0 {
		return t.wrap(c.wide(&d.Random))
	}
	low := min(t.below, uint64(d.reach))
	return t.start - low + d.upTo(low+min(t.above, uint64(d.reach)), c)
}

// freshFloat is freshBits of a float.
func (d *drawing) freshFloat(t *Type, c chance) uint64 {
	if c.below(28, 3, 8) == 0 {
		return t.wideFloat(c, &d.Random)
	}
	var f float64
	switch span := t.FloatMax - t.FloatMin; {
	case span > 0 && span <= 2*float64(d.reach): // most numbers would be its ends
		f = t.FloatMin + span*float64(c.below(32, 16, 1<<16+1))/(1<<16)
	default:
		f = float64(int64(d.upTo(2*uint64(d.reach), c)) - int64(d.reach))
		f /= float64(1 + c.below(24, 1, 2)*c.below(25, 3, 8))
	}
	return math.Float64bits(t.rounded(f))
}

// upTo draws a number up to n, by the last 32 bits of c if that is enough for all to be about as
// likely.
func (d *drawing) upTo(n uint64, c chance) uint64 {
	if n >= 1<<16 {
		return d.Uint64N(n + 1)
	}
	return uint64(c) >> 32 * (n + 1) >> 32
}

// A chance is a random number that decides several things at once, each by other bits: to draw one
// takes longer than to decide.
type chance uint64

// below returns a number from 0 to n-1, decided by some bits: more than n needs, or n is a power of 2.
func (c chance) below(from, bits uint, n int) int {
	return int(uint64(c) >> from & (1<<bits - 1) * uint64(n) >> bits)
}

// variedAlt draws an alternative. What the term has of the type is looked up if it is nil, and needed.
func (d *drawing) variedAlt(t *Type, h *habit) int {
	switch {
	case len(t.Alts) == 2:
		return d.coin()
	case len(t.Alts) < swarmFrom || !d.swarm:
		return d.IntN(len(t.Alts))
	case h == nil:
		h = d.habit(t)
	}
	return d.allowed(t, h)
}

// allowed draws an alternative of those that the term has.
func (d *drawing) allowed(t *Type, h *habit) int {
	if len(h.alts) == 0 {
		for i := range t.Alts {
			if d.IntN(2) == 0 {
				h.alts = append(h.alts, i)
			}
		}
		if len(h.alts) == 0 {
			h.alts = append(h.alts, d.IntN(len(t.Alts)))
		}
	}
	return h.alts[d.IntN(len(h.alts))]
}
