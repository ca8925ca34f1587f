package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// However many ways there are, memory is bounded, and every block that an input ran can
// still be reached from one.
func TestWaysAreForgotten(t *testing.T) {
	typ := &term.Type{Name: "list", Kind: term.List, MaxLen: -1, Elem: numberType(t)}
	if err := typ.Seal(); err != nil {
		t.Fatal(err)
	}
	for _, elems := range []int{1, 300} {
		s := newMix(base{t: typ, o: Options{Size: 10}})
		most := 0
		for i := range 40000 {
			list := make([]*term.Term, elems)
			for j := range list {
				list[j] = term.Number(typ.Elem, uint64(i))
			}
			counts := make([]uint8, 40)
			for b := range 16 {
				counts[b] = uint8(i >> b & 1)
			}
			counts[20+i%20] = 1
			s.Take(term.NewList(typ, list), Feedback{Counts: counts})
			most = max(most, len(s.order))
		}
		size, known := 0, make(map[*way]bool)
		for _, w := range s.order {
			size, known[w] = size+w.size, true
		}
		if size != s.size || size > mostSize || len(s.order) > mostWays || len(s.ways) != len(s.order) || most < 1000 {
			t.Errorf("lists of %d: %d ways, %d at most, of size %d, noted %d", elems, len(s.order), most, size, s.size)
		}
		for i, b := range s.byBlock {
			if b == nil {
				continue
			}
			if slices.ContainsFunc(b.ways, func(w *way) bool { return !known[w] }) {
				t.Errorf("block %d has a way that was forgotten", i)
			}
			if len(b.ways) == 0 {
				t.Errorf("block %d has no way", i)
			}
		}
	}
}

// Where only discarded inputs have been, these are mutated, until one passes.
func TestDiscardedInputsAreMutatedWhereNoneHasPassed(t *testing.T) {
	e := exprType(t)
	s := newMix(base{t: e, r: rand.New(rand.NewPCG(1, 1)), o: Options{Size: 3}})
	far, passed := node(e, 1, num(e, 77), num(e, 78)), num(e, 1)
	chosen := func(x *term.Term) (n int) {
		for range 1000 {
			if s.chooseWay().x == x {
				n++
			}
		}
		return n
	}
	s.Take(passed, Feedback{Counts: []uint8{1}})
	s.Take(far, Feedback{Counts: []uint8{1, 1}, Discarded: true})
	if n := chosen(far); n < 200 || n > 900 {
		t.Errorf("an input that came as far as none before it was chosen %d of 1000 times", n)
	}
	s.Take(num(e, 2), Feedback{Counts: []uint8{1, 1}})
	if n := chosen(far); n > 0 {
		t.Errorf("it was chosen %d times after another one passed there", n)
	}
}
