package fuzzmutrt

// Wide is an integer of 128 bits in two's complement: what arithmetic on 64 bits would give if
// nothing was lost. What does not fit here either is one of the two ends of the range.
type Wide struct{ Hi, Lo uint64 }

const signBit = 1 << 63

var (
	mostWide  = Wide{signBit - 1, 1<<64 - 1}
	leastWide = Wide{signBit, 0}
)

// wide returns an integer as it is.
//
//go:norace
func wide[T Integers](v T) Wide {
	if isSigned[T]() {
		return Wide{uint64(int64(v) >> 63), uint64(v)}
	}
	return Wide{0, uint64(v)}
}

// isSigned reports whether a type has negative values.
//
//go:norace
func isSigned[T Integers]() bool {
	var zero T
	return zero-1 < 0
}

// negative reports whether w is below zero.
//
//go:norace
func (w Wide) negative() bool { return w.Hi&signBit != 0 }

// ends reports whether w is an end of the range, and stands for what is beyond it.
//
//go:norace
func (w Wide) ends() bool { return w == mostWide || w == leastWide }

// less reports whether w < v.
//
//go:norace
func (w Wide) less(v Wide) bool {
	if w.Hi != v.Hi {
		return int64(w.Hi) < int64(v.Hi)
	}
	return w.Lo < v.Lo
}

// neg is -w.
//
//go:norace
func (w Wide) neg() Wide {
	switch w {
	case leastWide:
		return mostWide
	case mostWide:
		return leastWide
	}
	lo := -w.Lo
	hi := ^w.Hi
	if lo == 0 {
		hi++
	}
	return Wide{hi, lo}
}

// add is w + v.
//
//go:norace
func (w Wide) add(v Wide) Wide {
	switch {
	case w.ends():
		return w
	case v.ends():
		return v
	}
	lo := w.Lo + v.Lo
	hi := w.Hi + v.Hi
	if lo < w.Lo {
		hi++
	}
	sum := Wide{hi, lo}
	if w.negative() == v.negative() && sum.negative() != w.negative() {
		return end(w.negative())
	}
	return sum
}

// end is the end of the range on one side.
//
//go:norace
func end(negative bool) Wide {
	if negative {
		return leastWide
	}
	return mostWide
}

// mul is w * v.
//
//go:norace
func (w Wide) mul(v Wide) Wide {
	zero := Wide{}
	if w == zero || v == zero {
		return zero
	}
	negative := w.negative() != v.negative()
	if w.negative() {
		w = w.neg()
	}
	if v.negative() {
		v = v.neg()
	}
	if w.Hi != 0 || v.Hi != 0 {
		return w.mulLong(v).signed(negative)
	}
	const half = 1<<32 - 1
	a, b, c, d := w.Lo>>32, w.Lo&half, v.Lo>>32, v.Lo&half
	low := b * d
	mid := a*d + low>>32
	mid2 := b*c + mid&half
	product := Wide{a*c + mid>>32 + mid2>>32, mid2<<32 | low&half}
	if product.negative() {
		return end(negative)
	}
	return product.signed(negative)
}

// mulLong is w * v of numbers that are not negative.
//
//go:norace
func (w Wide) mulLong(v Wide) (product Wide) {
	if w.ends() || v.ends() {
		return mostWide
	}
	for v != (Wide{}) {
		if v.Lo&1 != 0 {
			product = product.add(w)
		}
		if v = v.shr(1); v != (Wide{}) {
			w = w.add(w)
		}
	}
	return product
}

// signed is w or -w.
//
//go:norace
func (w Wide) signed(negative bool) Wide {
	if negative {
		return w.neg()
	}
	return w
}

// shl is w << n.
//
//go:norace
func (w Wide) shl(n uint64) Wide {
	for ; n > 0 && w != (Wide{}) && !w.ends(); n-- {
		w = w.add(w)
	}
	return w
}

// shr is w >> n.
//
//go:norace
func (w Wide) shr(n uint64) Wide {
	for ; n > 0 && !w.ends(); n-- {
		w = Wide{uint64(int64(w.Hi) >> 1), w.Lo>>1 | w.Hi<<63}
	}
	return w
}

// quo is w / v, rounded to zero. v is not zero.
//
//go:norace
func (w Wide) quo(v Wide) Wide {
	if w.ends() || v.ends() {
		return w
	}
	negative := w.negative() != v.negative()
	if w.negative() {
		w = w.neg()
	}
	if v.negative() {
		v = v.neg()
	}
	var q, r Wide
	for i := 127; i >= 0; i-- {
		r = r.shl(1)
		bit := w.Lo >> (i & 63) & 1
		if i > 63 {
			bit = w.Hi >> (i - 64) & 1
		}
		r.Lo |= bit
		q = Wide{q.Hi<<1 | q.Lo>>63, q.Lo << 1}
		if !r.less(v) {
			r = r.add(v.neg())
			q.Lo |= 1
		}
	}
	return q.signed(negative)
}

// fromFloat is the integer part of f.
//
//go:norace
func fromFloat(f float64) Wide {
	negative := f < 0
	if negative {
		f = -f
	}
	switch {
	case f != f:
		return leastWide
	case f >= 1<<126:
		return end(negative)
	}
	hi := uint64(f / (1 << 64))
	return Wide{hi, uint64(f - float64(hi)*(1<<64))}.signed(negative)
}

// String is w in decimal.
func (w Wide) String() string {
	switch w {
	case mostWide:
		return "more than 2^127"
	case leastWide:
		return "less than -2^127"
	case Wide{}:
		return "0"
	}
	negative := w.negative()
	if negative {
		w = w.neg()
	}
	var digits [40]byte
	i := len(digits)
	for ; w != (Wide{}); i-- {
		q := w.quo(Wide{0, 10})
		digits[i-1] = '0' + byte(w.add(q.mul(Wide{0, 10}).neg()).Lo)
		w = q
	}
	if negative {
		i--
		digits[i] = '-'
	}
	return string(digits[i:])
}
