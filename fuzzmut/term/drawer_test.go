package term_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

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

// leavesOf are the bits of the parts of a term that have no parts.
func leavesOf(x *term.Term) (bits []uint64) {
	if x.Type.Kind != term.Product {
		return []uint64{x.Bits}
	}
	for _, k := range x.Kids {
		bits = append(bits, leavesOf(k)...)
	}
	return bits
}

// flatLayout puts the parts of a flat type that have no parts one after the other, 8 bytes each.
func flatLayout(t *term.Type, at *uintptr) *term.Layout {
	l := &term.Layout{Type: t}
	if t.Kind != term.Product {
		l.Store = term.Stored64
		return l
	}
	for _, f := range t.Fields {
		l.Inside = append(l.Inside, term.Inside{Offset: *at, Layout: flatLayout(f.Type, new(uintptr))})
		*at += uintptr(8 * parts(f.Type))
	}
	return l
}

// parts counts those that have no parts.
func parts(t *term.Type) int {
	if t.Kind != term.Product {
		return 1
	}
	n := 0
	for _, f := range t.Fields {
		n += parts(f.Type)
	}
	return n
}

// isFlat reports whether bits say all of the type's terms, and whether it has any parts.
func isFlat(t *term.Type) bool {
	for _, u := range t.All() {
		if u.Kind == term.Text || u.Kind == term.List || slices.ContainsFunc(u.Alts, func(a term.Alt) bool { return a.Type != nil }) {
			return false
		}
	}
	return parts(t) > 0
}

// bitsOf draws the bits of a flat type.
func bitsOf(t *term.Type) func(seed uint64, size int) []uint64 {
	w, bits := flatLayout(t, new(uintptr)).Writer(), make([]uint64, parts(t))
	return func(seed uint64, size int) []uint64 {
		w.Draw(unsafe.Pointer(&bits[0]), seed, size)
		return bits
	}
}

// What is written is the term of the same number. Package derive tests it for Go's types.
func TestWritersDrawTheSameBits(t *testing.T) {
	flat := 0
	for seed := range uint64(3000) {
		typ := randomType(seed)
		if !isFlat(typ) {
			continue
		}
		flat++
		draw := bitsOf(typ)
		for i, size := range []int{50, 3, 0, 20, 7, 1 << 20} {
			want := leavesOf(typ.Drawn(seed+uint64(i), size))
			if got := draw(seed+uint64(i), size); !slices.Equal(got, want) {
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
	draw, r := bitsOf(typ), rand.New(rand.NewPCG(1, 1))
	const n = 20000
	counts := make(map[string]int)
	for range n {
		bits := draw(r.Uint64(), 100)
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

// Of the numbers of a type, a quarter and those that are drawn twice are one of the eight before, and few are one of those before them:
// it is they that are drawn twice.
func TestNumbersOccurAgain(t *testing.T) {
	n := intType(-1<<63, 1<<63-1, 64)
	row := &term.Type{Name: "row", Kind: term.Product}
	for range 30 {
		row.Fields = append(row.Fields, term.Field{Name: "N", Type: n})
	}
	draw := bitsOf(seal(t, row))
	again, older, all := 0, 0, 0
	for seed := range uint64(2000) {
		list := draw(seed*seed, 1<<15-1)
		for i := 1; i < len(list); i++ {
			all++
			last := list[max(i-8, 0):i]
			if slices.Contains(last, list[i]) {
				again++
			} else if slices.Contains(list[:max(i-8, 0)], list[i]) {
				older++
			}
		}
	}
	if share := float64(again) / float64(all); share < 0.24 || share > 0.33 || older > all/50 {
		t.Errorf("of %d numbers %d are one of the eight before, and %d are an older one", all, again, older)
	}
}
