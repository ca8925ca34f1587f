package havoc

import "math/bits"

// Rand is a small, fast pseudo-random generator with 64 bits of state: a Weyl
// sequence whose terms are mixed by one 128-bit multiplication. It is not for
// secrets. One Rand serves one goroutine.
type Rand struct {
	state uint64
}

const (
	weyl = 0x9e3779b97f4a7c15 // odd: the sequence has period 2^64
	salt = 0xa3ec647659359acd // any number with about as many ones as zeros
)

// NewRand returns a generator seeded with seed. Nearby seeds give unrelated
// sequences.
func NewRand(seed uint64) *Rand {
	return &Rand{state: (seed ^ salt) * weyl}
}

// State returns the generator's whole state.
func (r *Rand) State() uint64 { return r.state }

// SetState makes the generator go on from where State was called.
func (r *Rand) SetState(s uint64) { r.state = s }

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.state += weyl
	hi, lo := bits.Mul64(r.state, r.state^salt)
	return hi ^ lo
}

// Intn returns a random number in [0, n). n must be positive. No number is more than
// n/2^64 likelier than another.
func (r *Rand) Intn(n int) int {
	return below(r.Uint64(), n)
}

// below turns 64 random bits into a number in [0, n). It depends on the high bits
// only, for the n that occur, so that the low ones can serve for something else.
func below(u uint64, n int) int {
	hi, _ := bits.Mul64(u, uint64(n))
	return int(hi)
}

// OneIn is true once in n calls on average.
func (r *Rand) OneIn(n int) bool { return r.Intn(n) == 0 }

// Mix is a bijection that spreads bits: the finaliser of splitmix64.
func Mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
