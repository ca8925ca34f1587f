package term

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The first numbers of wyrand with the seed 1234567, as its definition with numbers of any length gives them: they
// are what tells a constant that is written wrong.
func TestRandomIsWyrand(t *testing.T) {
	r := Random(1234567)
	want := []uint64{1039220411907061708, 7824934774743837796, 15045726798686391609, 11897712078968232033, 16181740736517372213}
	for i, n := range want {
		if got := r.Uint64(); got != n {
			t.Errorf("number %d is %d, want %d", i, got, n)
		}
	}
}

// Numbers below n are as likely as each other, for each n: of those below 3 * 2^62, a product
// alone has every third one twice as often.
func TestNumbersBelowAreAsLikely(t *testing.T) {
	const rounds = 60000
	for _, n := range []uint64{1, 3, 10, 1 << 40, 3 << 62, math.MaxUint64} {
		r, thirds := Random(n), [3]float64{}
		even := 0.0
		for range rounds {
			x := r.Uint64N(n)
			if x >= n {
				t.Fatalf("%d is not below %d", x, n)
			}
			for i := range thirds {
				if x >= n/3*uint64(i) && x-n/3*uint64(i) < n/3 {
					thirds[i]++
				}
			}
			even += float64(1 - x%3/2)
		}
		if n < 3 {
			continue
		}
		if n%3 == 0 && (slices.Min(thirds[:]) < 0.96*rounds/3 || slices.Max(thirds[:]) > 1.04*rounds/3) {
			t.Errorf("below %d: the thirds have %v of %d", n, thirds, rounds)
		}
		if n > 10 && (even < 0.64*rounds || even > 0.69*rounds) {
			t.Errorf("below %d: %v of %d have the remainder 0 or 1 by 3", n, even, rounds)
		}
	}
}

// A function of the user draws from the same numbers.
func TestGeneratorsDrawFromTheNumbersOfTheTerm(t *testing.T) {
	own := &Type{Name: "N", Kind: Uint, Bits: 64, Max: math.MaxUint64}
	own.Generate = func(r *rand.Rand, _ int) *Term { return Number(own, r.Uint64()) }
	pair := &Type{Name: "pair", Kind: Product, Fields: []Field{{"A", own}, {"B", own}}}
	if err := pair.Seal(); err != nil {
		t.Fatal(err)
	}
	w := pair.Drawer()
	for seed := range uint64(10) {
		x := w.Drawn(seed, 10)
		if a, b := x.Kids[0].Bits, x.Kids[1].Bits; a == b {
			t.Errorf("seed %d: both are %d", seed, a)
		}
		if y := pair.Drawn(seed, 10); !Equal(x, y) {
			t.Errorf("seed %d: %v, and %v", seed, x, y)
		}
	}
}
