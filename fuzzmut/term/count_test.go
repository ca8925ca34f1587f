package term_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// The parts of a class are all there is in it, each at its own path, and a
// changed term is counted again.
func TestCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for seed := range uint64(300) {
		x := randomType(seed).Draw(r, 3)
		for range 2 {
			for _, c := range []term.Class{term.Free, term.Leaves, term.Numbers} {
				checkCount(t, x, c)
			}
			if n := x.Count(term.Free); n > 0 {
				p := x.Nth(term.Free, r.IntN(n))
				x = x.Put(p, x.At(p).Type.Draw(r, 3))
			}
		}
	}
}

func checkCount(t *testing.T, x *term.Term, c term.Class) {
	t.Helper()
	var want []term.Path
	for _, p := range term.Paths(x) {
		y := x.At(p)
		number := y.Type.Kind <= term.Float
		free := number || y.Type.Kind == term.Text || y.Type.Kind == term.List || y.Type.Kind == term.Sum && len(y.Type.Alts) > 1
		leaf := free && y.Type.Kind != term.List && len(y.Kids) == 0
		if (map[term.Class]bool{term.Free: free, term.Leaves: leaf, term.Numbers: number})[c] {
			want = append(want, p)
		}
	}
	var got []term.Path
	for i := range x.Count(c) {
		got = append(got, x.Nth(c, i))
	}
	less := func(a, b term.Path) int { return slices.Compare(a, b) }
	slices.SortFunc(want, less)
	slices.SortFunc(got, less)
	if !slices.EqualFunc(got, want, func(a, b term.Path) bool { return slices.Equal(a, b) }) {
		t.Errorf("class %d of %v: %v, want %v", c, x, got, want)
	}
}
