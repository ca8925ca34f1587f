package term

import (
	"math"
	"math/rand/v2"
)

// Draw returns a random term. Numbers lie between -size and size where the type has
// them, lists and texts have up to size elements, and terms inside terms of the same
// type go size levels deep.
func (t *Type) Draw(r *rand.Rand, size int) *Term {
	return t.draw(drawing{Rand: r}, size, size)
}

// DrawWide is Draw, but sometimes a number is any of its type, or one that ends a
// range of numbers or comes next to the end.
func (t *Type) DrawWide(r *rand.Rand, size int) *Term {
	return t.draw(drawing{r, true}, size, size)
}

// drawing is how terms are drawn.
type drawing struct {
	*rand.Rand
	wide bool
}

// depth is what is left of size for terms of recursive types.
func (t *Type) draw(r drawing, size, depth int) *Term {
	if t.Generate != nil {
		return t.Generate(r.Rand, size)
	}
	switch t.Kind {
	case Int, Uint:
		if r.wide && r.IntN(8) == 0 {
			return Number(t, t.wrap(wideNumber(r.Rand)))
		}
		return Number(t, t.drawNumber(r.Rand, size))
	case Float:
		return Number(t, math.Float64bits(t.drawFloat(r.Rand, size)))
	case Text:
		return t.drawText(r.Rand, t.drawLength(r.Rand, size))
	case List:
		n := t.drawLength(r.Rand, size)
		if t.recursive {
			if depth <= 0 {
				n = t.MinLen
			}
			depth--
		}
		elems := make([]*Term, n)
		for i := range elems {
			elems[i] = t.Elem.draw(r, size, depth)
		}
		return NewList(t, elems)
	case Sum:
		alt := t.drawAlt(r.Rand, depth)
		if t.recursive {
			depth--
		}
		if u := t.Alts[alt].Type; u != nil {
			return Choice(t, alt, u.draw(r, size, depth))
		}
		return Choice(t, alt, nil)
	}
	x := &Term{Type: t, Kids: make([]*Term, len(t.Fields))}
	for i, f := range t.Fields {
		x.Kids[i] = f.Type.draw(r, size, depth)
	}
	return x
}

// wideNumber draws a power of two, a number next to one, or any number of as many
// bits; negative ones, too.
func wideNumber(r *rand.Rand) uint64 {
	bits := r.IntN(65)
	n := uint64(1) << bits // 0 for 64
	switch r.IntN(4) {
	case 0:
		n--
	case 1:
		n++
	case 2:
		n = r.Uint64() >> (64 - bits)
	}
	if r.IntN(2) == 0 {
		n = -n
	}
	return n
}

// drawNumber draws from those of the type that are at most size from its origin.
func (t *Type) drawNumber(r *rand.Rand, size int) uint64 {
	origin, reach := t.origin(), uint64(max(size, 0))
	low, high := origin-t.Min, t.Max-origin // distances
	low, high = min(low, reach), min(high, reach)
	return origin - low + r.Uint64N(low+high+1)
}

func (t *Type) drawFloat(r *rand.Rand, size int) float64 {
	f := float64(r.IntN(2*max(size, 0)+1) - size)
	if r.IntN(2) == 0 {
		f /= float64(1 + r.IntN(8))
	}
	if t.Bits == 32 {
		f = float64(float32(f))
	}
	return t.clamp(f)
}

// drawLength draws a length of at most size, or the least that the type has.
func (t *Type) drawLength(r *rand.Rand, size int) int {
	most := max(size, t.MinLen)
	if t.MaxLen >= 0 {
		most = min(most, t.MaxLen)
	}
	return t.MinLen + r.IntN(most-t.MinLen+1)
}

// drawText mixes letters and digits with any bytes, so that some are text and some
// are not.
func (t *Type) drawText(r *rand.Rand, n int) *Term {
	text := make([]byte, n)
	letters := r.IntN(4) > 0
	for i := range text {
		text[i] = byte(r.Uint32())
		if letters {
			text[i] = simpleBytes[r.IntN(len(simpleBytes))]
		}
	}
	return &Term{Type: t, Text: string(text), Bits: t.Present(n > 0)}
}

// drawAlt draws an alternative: a leaf if no depth is left.
func (t *Type) drawAlt(r *rand.Rand, depth int) int {
	if !t.recursive || depth > 0 {
		return r.IntN(len(t.Alts))
	}
	var leaves []int
	for i, a := range t.Alts {
		if a.Type == nil || !a.Type.recursive {
			leaves = append(leaves, i)
		}
	}
	if len(leaves) == 0 {
		return t.least
	}
	return leaves[r.IntN(len(leaves))]
}
