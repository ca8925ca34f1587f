package term_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// A drawer uses its memory again: what is drawn is the same.
func TestDrawersDrawTheSame(t *testing.T) {
	for seed := range uint64(300) {
		typ := randomType(seed)
		w, r, same := typ.Drawer(), rand.New(rand.NewPCG(seed, 3)), rand.New(rand.NewPCG(seed, 3))
		for _, size := range []int{50, 3, 0, 20, 7} {
			number := r.Uint64()
			x, y, z := w.Drawn(number, size), typ.Drawn(number, size), typ.DrawVaried(same, size)
			if !term.Equal(x, y) || !term.Equal(y, z) {
				t.Fatalf("type %d, size %d: %v, %v and %v", seed, size, x, y, z)
			}
		}
	}
}

// leavesOf are the parts of a term that have no parts, and their types.
func leavesOf(x *term.Term) (types []*term.Type, bits []uint64) {
	if x.Type.Kind != term.Product {
		return []*term.Type{x.Type}, []uint64{x.Bits}
	}
	for _, k := range x.Kids {
		t, b := leavesOf(k)
		types, bits = append(types, t...), append(bits, b...)
	}
	return types, bits
}

// The bits of a flat type are those of the term, whichever of the two is drawn.
func TestDrawersDrawTheSameBits(t *testing.T) {
	flat := 0
	for seed := range uint64(3000) {
		typ := randomType(seed)
		types := typ.Flat()
		if types == nil {
			continue
		}
		flat++
		w := typ.Drawer()
		for i, size := range []int{50, 3, 0, 20, 7, 1 << 20} {
			wantTypes, want := leavesOf(typ.Drawn(seed+uint64(i), size))
			if got := w.Bits(seed+uint64(i), size); !slices.Equal(got, want) || !slices.Equal(types, wantTypes) {
				t.Fatalf("type %d, size %d: %v in place of %v", seed, size, got, want)
			}
		}
	}
	if flat < 100 {
		t.Errorf("%d types are flat", flat)
	}
}

// One random number decides on several things. Each is as likely as where each has a random number of
// its own, and whatever the others are: the shares were counted so.
func TestChancesAreAsLikelyAsTheyShould(t *testing.T) {
	typ := seal(t, &term.Type{Name: "numbers", Kind: term.Product, Fields: slices.Repeat([]term.Field{{Name: "N", Type: intType(-1<<63, 1<<63-1, 64)}}, 8)})
	w, r := typ.Drawer(), rand.New(rand.NewPCG(1, 1))
	const n = 20000
	counts := make(map[string]int)
	for range n {
		bits := w.Bits(r.Uint64(), 100)
		again, wide, largest := 0, 0, int64(0)
		for i, b := range bits {
			if v := int64(b); v < -100 || v > 100 {
				wide++
			} else {
				largest = max(largest, v, -v)
			}
			if slices.Contains(bits[:i], b) {
				again++
			}
		}
		for name, holds := range map[string]bool{
			"a number again": again > 0, "four again": again > 3, "a wide one": wide > 0, "three wide ones": wide > 2,
			"all below 10": largest < 10, "one above 80": largest > 80, "all below 10, none again": largest < 10 && again == 0,
		} {
			if holds {
				counts[name]++
			}
		}
	}
	for name, want := range map[string]float64{
		"a number again": 0.76, "four again": 0.31, "a wide one": 0.506, "three wide ones": 0.088, "all below 10": 0.257, "one above 80": 0.386,
		"all below 10, none again": 0.0048,
	} {
		if got := float64(counts[name]) / n; got < 0.93*want-0.001 || got > 1.07*want+0.001 {
			t.Errorf("%s: the share is %.4f, want %.4f", name, got, want)
		}
	}
}
