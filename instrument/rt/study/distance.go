package study

import (
	"math"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// Distance returns how far x is from y + offset, -1, 0 or 1, in a comparison of
// numbers. Mutants that move a limit, < to <= or < 10 to < 11, differ from the
// original only next to where the operands are equal. ok is false where there is
// no such measure.
func Distance(o *fuzzmutrt.Operands, offset int) (d uint64, ok bool) {
	if o.Kind == codes.Text || o.Op > codes.NotEqual || o.Kind == codes.Float && offset != 0 {
		return 0, false
	}
	x, y := o.X, o.Y
	switch o.Kind {
	case codes.Float:
		x, y = ordered(x), ordered(y)
	case codes.Signed:
		x, y = x^1<<63, y^1<<63
	}
	switch {
	case offset > 0 && y < math.MaxUint64:
		y++
	case offset < 0 && y > 0:
		y--
	case offset != 0:
		return 0, false
	}
	return max(x, y) - min(x, y), true
}

// ordered maps the bits of floats to numbers in the same order, so that differences
// say how many floats lie between. Both zeros are one.
func ordered(bits uint64) uint64 {
	if bits>>63 == 1 {
		return 1<<63 - bits&^(1<<63)
	}
	return 1<<63 + bits
}
