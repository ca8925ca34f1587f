package search

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// numberType is one of all 16-bit numbers.
func numberType(t *testing.T) *term.Type {
	t.Helper()
	typ := &term.Type{Name: "n", Kind: term.Uint, Bits: 16, Max: 1<<16 - 1}
	if err := typ.Seal(); err != nil {
		t.Fatal(err)
	}
	return typ
}

// An input that kills a mutant is mutated, though nothing that it covers is new; so is
// one that comes from outside.
func TestKillsAndGiftsAreMutated(t *testing.T) {
	for _, name := range []string{"fuzzchick", "mutagen", "default"} {
		typ := &term.Type{Name: "pair", Kind: term.Product}
		typ.Fields = []term.Field{{Name: "mark", Type: numberType(t)}, {Name: "other", Type: numberType(t)}}
		if err := typ.Seal(); err != nil {
			t.Fatal(err)
		}
		children := func(kills int) (n int) {
			s, err := New(name, typ, Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			marked := func(x *term.Term) bool { return x.Kids[0].Bits == 40000 }
			for i := range 5000 {
				f := Feedback{Counts: []uint8{1, 1}, Path: []uint16{0, 1}}
				if i == 50 {
					gift := f
					gift.Kills = kills
					x := &term.Term{Type: typ, Kids: []*term.Term{term.Number(typ.Fields[0].Type, 40000), term.Number(typ.Fields[1].Type, 9)}}
					s.(Taker).Take(x, gift)
				}
				x := s.Next()
				if marked(x) {
					n++
				}
				s.Learn(f)
			}
			return n
		}
		if with, without := children(1), children(0); with <= without {
			t.Errorf("%s: %d children of an input that kills, and %d of the same that does not", name, with, without)
		}
	}
}

func TestPreferredTermsStayInTheRange(t *testing.T) {
	typ := &term.Type{Name: "n", Kind: term.Uint, Bits: 8, Min: 3, Max: 9}
	if err := typ.Seal(); err != nil {
		t.Fatal(err)
	}
	Prefer(typ, []uint64{200, 5, 0}, nil)
	b := NewBreeder(typ, Options{Seed: 1})
	for range 200 {
		if x := b.mix.draw(); x.Type != typ || x.Bits < 3 || x.Bits > 9 {
			t.Fatalf("drew %v", x)
		}
	}
}
