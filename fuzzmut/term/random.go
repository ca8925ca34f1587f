package term

import (
	"math/bits"
	"math/rand/v2"
)

// Random is a source of random numbers that takes little, which is most of what it takes to draw a small
// value: wyrand (Wang Yi, wyhash). Any value is a seed, and copies go on with the same numbers.
type Random uint64

// step is how far a number is from the next one, before both are mixed.
const step = 0xa0761d6478bd642f

// Uint64 returns the next number.
func (r *Random) Uint64() uint64 {
	*r += step
	return r.mixed()
}

// mixed is the number that has come last.
func (r Random) mixed() uint64 {
	high, low := bits.Mul64(uint64(r), uint64(r)^0xe7037ed1a0b428db)
	return high ^ low
}

// Uint64N returns a number below n, which is not 0; all are as likely.
func (r *Random) Uint64N(n uint64) uint64 {
	high, low := bits.Mul64(r.Uint64(), n)
	if low < n {
		high = r.unbiased(high, low, n)
	}
	return high
}

// unbiased draws again where a product is one of those that numbers have in excess of others.
func (r *Random) unbiased(high, low, n uint64) uint64 {
	for excess := -n % n; low < excess; {
		high, low = bits.Mul64(r.Uint64(), n)
	}
	return high
}

// IntN returns a number below n, which is at least 1.
func (r *Random) IntN(n int) int { return int(r.Uint64N(uint64(n))) }

// rand has functions of users draw from the same source.
func (d *drawing) rand() *rand.Rand {
	if d.std == nil {
		d.std = rand.New(&d.Random)
	}
	return d.std
}
