package term

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"sync"
)

// Draw returns a random term. Numbers lie between -size and size where the type has
// them, lists and texts have up to size elements, and terms inside terms of the same
// type go size levels deep. Beyond that, all parts share a budget that grows linearly
// with size: no type, recursive or nested, has terms that are larger on average than
// the numbers say. What is less deep is drawn first, and has its part of the budget
// before what is deeper.
//
// What a type's own Generate draws is its own affair.
func (t *Type) Draw(r *rand.Rand, size int) *Term {
	return t.drawn(r.Uint64(), size, false)
}

// DrawVaried is Draw with more differences between terms, up to size: some have small
// numbers in long lists, others large ones in short lists; some lack alternatives
// (Groce et al., Swarm Testing, 2012, §2), and in some numbers and texts occur again.
// Sometimes a number is any of its type, or one that ends a range of numbers or comes
// next to the end.
func (t *Type) DrawVaried(r *rand.Rand, size int) *Term {
	return t.Drawn(r.Uint64(), size)
}

// Drawn returns the term that DrawVaried draws with this random number: one decides on all of a term.
func (t *Type) Drawn(seed uint64, size int) *Term { return t.drawn(seed, size, true) }

// drawing is a term that is being drawn, a level of it after the other.
type drawing struct {
	Random
	std *rand.Rand // draws from Random; nil: nobody needs it
	arena
	variety        // none, unless it is varied
	size    int    // of lists and texts
	reach   int    // of numbers
	width   int    // of lists in terms of recursive types: narrow ones leave the budget for deep terms
	left    int    // of the budget
	open    []hole // parts to draw
	sets    []*Term
}

// hole is where a part is missing.
type hole struct {
	t     *Type
	at    **Term
	depth int // what is left of size for terms of recursive types
}

// mostBudget bounds that of a draw, whatever its size: a term can't have more parts.
const mostBudget = MaxNodes / 2

func (t *Type) drawn(seed uint64, size int, varied bool) *Term {
	d := drawings.Get().(*drawing)
	x := d.whole(t, seed, size, varied)
	d.arena = arena{} // it belongs to the term
	if cap(d.open) <= mostOpen {
		drawings.Put(d)
	}
	return x
}

// drawings are for other draws: what they have room for is not allocated again.
var drawings = sync.Pool{New: func() any { return new(drawing) }}

// mostOpen bounds the room that is kept.
const mostOpen = 1 << 12

// begin prepares for a term.
func (d *drawing) begin(t *Type, seed uint64, size int, varied bool) {
	size = max(size, 0)
	d.Random, d.size, d.reach, d.left = Random(seed), size, size, min(t.span*size, mostBudget)
	d.varied = varied
	if varied {
		d.vary()
	} else {
		d.width = size >> d.IntN(bits.Len(uint(size))+1)
	}
}

// whole draws a term.
func (d *drawing) whole(t *Type, seed uint64, size int, varied bool) *Term {
	d.begin(t, seed, size, varied)
	size = max(size, 0)
	d.open, d.sets, d.kinds = d.open[:0], d.sets[:0], d.kinds[:0]
	var x *Term
	if t.Kind == Sum && t.Generate == nil {
		x = d.choice(t, d.topAlt(t), size)
	} else {
		x = d.term(t, size)
	}
	for i := 0; i < len(d.open); i++ {
		h := d.open[i]
		*h.at = d.term(h.t, h.depth)
	}
	for i := len(d.sets) - 1; i >= 0; i-- { // what is inside comes first
		s := d.sets[i]
		s.Kids = NewList(s.Type, s.Kids).Kids
	}
	return x
}

// fill draws a part now if it can't have parts beyond counting, and later otherwise.
func (d *drawing) fill(at **Term, t *Type, depth int) {
	if t.fixed || t.Kind == Product {
		*at = d.term(t, depth)
		return
	}
	d.open = append(d.open, hole{t, at, depth})
}

// term draws a term whose parts may still be missing.
func (d *drawing) term(t *Type, depth int) *Term {
	if t.Generate != nil {
		x := t.Generate(d.rand(), d.size)
		d.left -= x.Nodes()
		return x
	}
	switch t.Kind {
	case Int, Uint, Float, Text:
		if d.varied {
			return d.again(t)
		}
		return d.leaf(t)
	case List:
		return d.list(t, depth)
	case Sum:
		return d.choice(t, d.alt(t, depth), depth)
	}
	x := d.arena.term(t)
	x.Kids = d.arena.list(len(t.Fields))
	for i, f := range t.Fields {
		d.fill(&x.Kids[i], f.Type, depth)
	}
	return x
}

// leaf draws a number or text.
func (d *drawing) leaf(t *Type) *Term {
	switch t.Kind {
	case Text:
		n := d.length(t, d.size)
		d.left -= n / bytesPerPart
		x := d.arena.term(t)
		x.Text, x.Bits = t.drawText(&d.Random, n), t.Present(n > 0)
		return x
	case Float:
		return d.number(t, math.Float64bits(t.drawFloat(&d.Random, d.reach)))
	}
	return d.number(t, t.drawNumber(&d.Random, d.reach))
}

// bytesPerPart is how many bytes of a text take as much of the budget as a part.
const bytesPerPart = 8

func (d *drawing) list(t *Type, depth int) *Term {
	n, depth := d.elements(t, depth)
	x := d.arena.term(t)
	x.Kids = d.arena.list(n)
	for i := range x.Kids {
		d.fill(&x.Kids[i], t.Elem, depth)
	}
	if t.Set && n > 0 {
		d.sets = append(d.sets, x)
	}
	return x
}

// elements draws how many a list has, and returns what is left of the depth for each.
func (d *drawing) elements(t *Type, depth int) (n, below int) {
	most := d.size
	if t.recursive {
		most = min(most, d.width)
		if depth <= 0 {
			most = 0
		}
		depth--
	}
	n = d.length(t, most)
	d.left -= n
	return n, depth
}

// length draws a length of at most most, as long as the budget lasts, or the least that
// the type has.
func (d *drawing) length(t *Type, most int) int {
	return t.drawLength(&d.Random, min(most, max(d.left, 0)))
}

// alt draws an alternative: a leaf if no depth or budget is left.
func (d *drawing) alt(t *Type, depth int) int {
	if d.left <= 0 {
		depth = 0
	}
	if !d.varied || t.recursive && depth <= 0 {
		return t.drawAlt(&d.Random, depth)
	}
	return d.variedAlt(t, nil)
}

// topAlt draws the alternative of a whole term: seldom nothing at all, where others
// hold something.
func (d *drawing) topAlt(t *Type) int {
	alt := d.alt(t, d.size)
	for range 3 {
		if t.Alts[alt].Type != nil || t.constant {
			break
		}
		alt = d.alt(t, d.size)
	}
	return alt
}

func (d *drawing) choice(t *Type, alt, depth int) *Term {
	u := t.Alts[alt].Type
	x := d.arena.choice(t, alt)
	if u != nil {
		d.fill(&x.Kids[0], u, d.inside(t, depth))
	}
	return x
}

// inside counts what an alternative holds, and returns what is left of the depth for it.
func (d *drawing) inside(t *Type, depth int) int {
	if t.recursive {
		d.left--
		depth--
	}
	return depth
}

// wide is a power of two, a number next to one, or any number of as many bits, which is drawn; negative ones,
// too. The bits of c below 32 are not used.
func (c chance) wide(r *Random) uint64 {
	if c.anyOf() {
		return c.wideBy(r.Uint64())
	}
	return c.signed(c.power())
}

// anyOf reports whether wide is any number of as many bits.
func (c chance) anyOf() bool { return c.below(48, 2, 4) == 2 }

// wideBy is wide by a random number, which it may not need: that takes less than a branch.
func (c chance) wideBy(n uint64) uint64 {
	x := c.power()
	if n >>= 64 - c.bits(); c.anyOf() {
		x = n
	}
	return c.signed(x)
}

// bits is how many a wide number has.
func (c chance) bits() int { return c.below(32, 16, 65) }

// power is a power of two, or next to one.
func (c chance) power() uint64 { return uint64(1)<<c.bits() + besidePower[c.below(48, 2, 4)] } // 1<<64 is 0

// signed is n or -n.
func (c chance) signed(n uint64) uint64 {
	sign := uint64(c.below(50, 1, 2))
	return (n ^ -sign) + sign
}

// besidePower is added to a power of two: a table takes less than branches, which nothing predicts.
var besidePower = [4]uint64{^uint64(0), 1, 0, 0}

// wideFloat draws the bits of a finite number: a whole one as wide says, one of any bits, or one of those
// next to the infinities and to 0. The bits of c below 24 and those from 28 to 31 are not used.
func (t *Type) wideFloat(c chance, r *Random) uint64 {
	n := r.Uint64()
	if t.Bits == 32 {
		n = c.wideFloat32(n)
	} else {
		n = c.wideFloat64(n)
	}
	return math.Float64bits(t.clamp(math.Float64frombits(n)))
}

// wideFloat64 is wideFloat by a random number. Which number it is is no branch, since nothing predicts that.
func (c chance) wideFloat64(n uint64) uint64 {
	x := math.Float64bits(float64(int64(c.wideBy(n))))
	if n&inf64 == inf64 { // it is not finite
		n = x
	}
	return c.oneOf(ends64[c.below(32, 16, len(ends64))], n, x)
}

// wideFloat32 does the same for a float of 32 bits.
func (c chance) wideFloat32(n uint64) uint64 {
	x := math.Float64bits(float64(float32(int64(c.wideBy(n)))))
	f := math.Float64bits(float64(math.Float32frombits(uint32(n))))
	if f&inf64 == inf64 {
		f = x
	}
	return c.oneOf(ends32[c.below(32, 16, len(ends32))], f, x)
}

// oneOf is the end, some number, or, as often as both, the whole one.
func (c chance) oneOf(end, some, whole uint64) uint64 {
	kind := c.below(24, 2, 4)
	if kind == 1 {
		whole = some
	}
	if kind == 0 {
		whole = end
	}
	return whole
}

const inf64 = 0x7ff << 52 // the bits of an infinity, which all numbers have that are not finite

// ends64 and ends32 are the floats next to the infinities and to 0.
var (
	ends64 = bitsOf(math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, math.Copysign(0, -1))
	ends32 = bitsOf(math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, math.Copysign(0, -1))
)

func bitsOf(list ...float64) (all [5]uint64) {
	for i, f := range list {
		all[i] = math.Float64bits(f)
	}
	return all
}

// drawNumber draws from those of the type that are at most size from its origin.
func (t *Type) drawNumber(r *Random, size int) uint64 {
	reach := uint64(max(size, 0))
	low := min(t.below, reach)
	return t.start - low + r.Uint64N(low+min(t.above, reach)+1)
}

func (t *Type) drawFloat(r *Random, size int) float64 {
	f := float64(r.IntN(2*max(size, 0)+1) - size)
	if r.IntN(2) == 0 {
		f /= float64(1 + r.IntN(8))
	}
	return t.rounded(f)
}

// rounded is the float of the type that is next to f, or in its place.
func (t *Type) rounded(f float64) float64 {
	if t.Bits == 32 {
		f = float64(float32(f))
	}
	return t.clamp(f)
}

// drawLength draws a length of at most size, or the least that the type has.
func (t *Type) drawLength(r *Random, size int) int {
	most := max(size, t.MinLen)
	if t.MaxLen >= 0 {
		most = min(most, t.MaxLen)
	}
	return t.MinLen + r.IntN(most-t.MinLen+1)
}

// drawText mixes letters and digits with any bytes, so that some are text and some
// are not. Of bytes that are numbers, half of the texts have small ones.
func (t *Type) drawText(r *Random, n int) string {
	var text strings.Builder
	text.Grow(n)
	if t.Numeric && r.IntN(2) == 0 {
		for range n {
			text.WriteByte(byte(r.IntN(10)))
		}
		return text.String()
	}
	letters := r.IntN(4) > 0
	for range n {
		b := byte(r.Uint64())
		if letters {
			b = simpleBytes[r.IntN(len(simpleBytes))]
		}
		text.WriteByte(b)
	}
	return text.String()
}

// drawAlt draws an alternative: a leaf if no depth is left.
func (t *Type) drawAlt(r *Random, depth int) int {
	if !t.recursive || depth > 0 {
		return r.IntN(len(t.Alts))
	}
	if len(t.leaves) == 0 {
		return t.least
	}
	return t.leaves[r.IntN(len(t.leaves))]
}
