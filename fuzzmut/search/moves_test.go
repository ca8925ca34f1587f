package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// exprType is numbers, sums of two and negations, and lists of them.
func exprType(tb testing.TB) *term.Type {
	number := &term.Type{Name: "int", Kind: term.Int, Bits: 64, Min: 1 << 63, Max: math.MaxInt64}
	e := &term.Type{Name: "expr", Kind: term.Sum}
	two := &term.Type{Name: "two", Kind: term.Product, Fields: []term.Field{{Name: "X", Type: e}, {Name: "Y", Type: e}}}
	one := &term.Type{Name: "one", Kind: term.Product, Fields: []term.Field{{Name: "X", Type: e}}}
	e.Alts = []term.Alt{{Name: "num", Type: number}, {Name: "add", Type: two}, {Name: "neg", Type: one}, {Name: "none"}}
	if err := e.Seal(); err != nil {
		tb.Fatal(err)
	}
	return e
}

func num(e *term.Type, n uint64) *term.Term {
	return term.Choice(e, 0, term.Number(e.Alts[0].Type, n))
}

func node(e *term.Type, alt int, kids ...*term.Term) *term.Term {
	return term.Choice(e, alt, &term.Term{Type: e.Alts[alt].Type, Kids: kids})
}

func TestNeighboursOfASum(t *testing.T) {
	e := exprType(t)
	x := node(e, 1, num(e, 1), term.Choice(e, 3, nil))
	var got []string
	for _, n := range neighbours(rand.New(rand.NewPCG(1, 1)), x, 5, 1) {
		got = append(got, n().String())
	}
	want := []string{
		"num(1)", "none()", // its parts of the same type
		"num(0)",               // every alternative, with its parts in all ways
		"add({num(1) num(1)})", // but the one that it is
		"add({none() num(1)})", "add({none() none()})",
		"neg({num(1)})", "neg({none()})",
		"none()",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestNeighboursOfAList(t *testing.T) {
	e := exprType(t)
	list := &term.Type{Name: "list", Kind: term.List, MaxLen: 3, Elem: e}
	if err := list.Seal(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		x    *term.Term
		want []string
	}{
		{term.NewList(list, nil), []string{"[none()]"}},
		{term.NewList(list, []*term.Term{num(e, 1), num(e, 2)}), []string{"[]", "[num(2)]", "[num(1) num(1) num(2)]"}},
		{term.NewList(list, []*term.Term{num(e, 1), num(e, 2), num(e, 3)}), []string{"[]", "[num(2) num(3)]"}},
	} {
		var got []string
		for _, n := range neighbours(nil, tt.x, 5, 1) {
			got = append(got, n().String())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %q, want %q", tt.x, got, tt.want)
		}
	}
}

// The mutations of FuzzChick: each of them occurs, and every outcome is a term of the
// type that differs in few places.
func TestMutate(t *testing.T) {
	e := exprType(t)
	x := node(e, 1, num(e, 1), node(e, 2, num(e, 2)))
	r := rand.New(rand.NewPCG(1, 1))
	seen := make(map[string]bool)
	for range 3000 {
		y := mutate(r, x, 3)
		if _, err := term.Encode(y); err != nil || y.Type != e {
			t.Fatalf("%v: %v", y, err)
		}
		seen[y.String()] = true
	}
	for what, s := range map[string]string{
		"a number becomes 0":          "add({num(0) neg({num(2)})})",
		"a subterm":                   "neg({num(2)})",
		"a subterm below":             "add({num(1) num(2)})",
		"an alternative with fewer":   "neg({num(1)})",
		"one with more is drawn":      "add({num(1) add({num(2) num(0)})})",
		"an alternative with nothing": "none()",
	} {
		if !seen[s] {
			t.Errorf("%s: %s does not occur", what, s)
		}
	}
}

func TestPathsTellHowSoonATraceIsNew(t *testing.T) {
	p := make(paths)
	for _, tt := range []struct {
		path  []uint16
		depth int
		isNew bool
	}{
		{[]uint16{1, 2, 3}, 0, true},
		{[]uint16{1, 2, 3}, 0, false},
		{[]uint16{1, 2, 4}, 2, true},
		{[]uint16{1, 2}, 0, false},
		{[]uint16{2}, 0, true},
	} {
		if depth, isNew := p.add(tt.path); depth != tt.depth || isNew != tt.isNew {
			t.Errorf("%v: got %d, %v, want %d, %v", tt.path, depth, isNew, tt.depth, tt.isNew)
		}
	}
}

func TestBatchesComeByDepthTheLastOneFirst(t *testing.T) {
	var queue []*batch
	for i, depth := range []int{3, 1, 2, 1} {
		queue = insert(queue, &batch{depth: depth, ancestors: i}, false)
	}
	var got []int
	for _, b := range queue {
		got = append(got, b.ancestors)
	}
	if want := []int{3, 1, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What is the same in both halves stays the same.
func TestPutBoth(t *testing.T) {
	e := exprType(t)
	pair := &term.Type{Name: "pair", Kind: term.Product, Fields: []term.Field{{Name: "A", Type: e}, {Name: "B", Type: e}}}
	if err := pair.Seal(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	half := node(e, 1, num(e, 1), num(e, 2))
	x := &term.Term{Type: pair, Kids: []*term.Term{half, half}}
	y := putBoth(r, x, term.Path{1, 0, 1}, num(e, 5))
	if got := y.String(); got != "{add({num(1) num(5)}) add({num(1) num(5)})}" {
		t.Errorf("got %s", got)
	}
}

// In two halves that are alike, a part changes in both, and the one next to it in one.
func TestEstranged(t *testing.T) {
	number := &term.Type{Name: "int", Kind: term.Int, Bits: 8, Min: 0, Max: 9}
	cell := &term.Type{Name: "cell", Kind: term.Product, Fields: []term.Field{{Name: "Label", Type: number}, {Name: "Value", Type: number}}}
	pair := &term.Type{Name: "pair", Kind: term.Product, Fields: []term.Field{{Name: "S", Type: cell}, {Name: "T", Type: cell}}}
	if err := pair.Seal(); err != nil {
		t.Fatal(err)
	}
	half := &term.Term{Type: cell, Kids: []*term.Term{term.Number(number, 1), term.Number(number, 2)}}
	x := &term.Term{Type: pair, Kids: []*term.Term{half, half}}
	s := newMix(base{t: pair, r: rand.New(rand.NewPCG(1, 1)), o: Options{Size: 3}})
	found := 0
	for range 1000 {
		y := s.estranged(x)
		a, b := y.Kids[0].Kids, y.Kids[1].Kids
		if a[0].Bits != 1 && a[0].Bits == b[0].Bits && a[1].Bits != b[1].Bits {
			found++
		}
	}
	if found < 50 {
		t.Errorf("%d of 1000 have another label in both, and values that differ", found)
	}
}

// A mutant visits the paths that its parent has been through, unless it inherits
// that; and goes before its parent if it left the known paths sooner, unless all wait
// their turn.
func TestMutagenOptions(t *testing.T) {
	e := exprType(t)
	for _, tt := range []struct {
		o     MutagenOptions
		paths int // of the mutant
		first int // ancestors of the first in the queue
	}{
		{MutagenOptions{}, 4, 1},
		{MutagenOptions{Inherit: true}, 3, 1},
		{MutagenOptions{Unordered: true}, 4, 0},
	} {
		s := newMutagen(base{t: e, r: rand.New(rand.NewPCG(1, 1)), o: Options{Size: 3, Mutagen: tt.o}})
		s.last = node(e, 2, num(e, 1))
		s.Learn(Feedback{Path: []uint16{1, 2, 3}})
		s.Next()
		s.last = node(e, 2, num(e, 2))
		s.Learn(Feedback{Path: []uint16{2}})
		if len(s.passed) != 2 || s.passed[0].ancestors != tt.first {
			t.Fatalf("%+v: %d inputs, the first with %d ancestors", tt.o, len(s.passed), s.passed[0].ancestors)
		}
		if mutant := s.passed[1-tt.first]; len(mutant.paths) != tt.paths && tt.first == 1 {
			t.Errorf("%+v: the mutant has %d paths ahead, want %d", tt.o, len(mutant.paths), tt.paths)
		}
	}
}

// Of many mutants about half inherit if that is mixed.
func TestMutagenMixed(t *testing.T) {
	e := exprType(t)
	s := newMutagen(base{t: e, r: rand.New(rand.NewPCG(1, 1)), o: Options{Size: 3, Mutagen: MutagenOptions{Mixed: true}}})
	inherited := 0
	for range 200 {
		if s.inherits() {
			inherited++
		}
	}
	if inherited < 60 || inherited > 140 {
		t.Errorf("%d of 200 inherit", inherited)
	}
}

// With fragments an input gets parts of another one that was new, and only of the type.
func TestMutagenFragments(t *testing.T) {
	e := exprType(t)
	for _, fragments := range []bool{false, true} {
		s := newMutagen(base{t: e, r: rand.New(rand.NewPCG(1, 1)), o: Options{Size: 3, Mutagen: MutagenOptions{Fragments: fragments}}})
		s.last = node(e, 1, num(e, 77), num(e, 78))
		s.Learn(Feedback{Path: []uint16{1, 2}})
		s.last = node(e, 2, num(e, 1))
		s.Learn(Feedback{Path: []uint16{1, 3, 4}})
		got := 0
		for range 500 {
			if s.Next().String() == "neg({add({num(77) num(78)})})" {
				got++
			}
		}
		if (got > 0) != fragments {
			t.Errorf("fragments %v: %d mutants with a part of the other", fragments, got)
		}
	}
}

// After many tests that bring nothing, paths are forgotten and numbers are drawn more
// often.
func TestMutagenResets(t *testing.T) {
	for _, noReset := range []bool{false, true} {
		s := newMutagen(base{t: exprType(t), r: rand.New(rand.NewPCG(1, 1)), o: Options{Size: 2, Mutagen: MutagenOptions{NoReset: noReset}}})
		for range 100_000 {
			s.Next()
			s.Learn(Feedback{Path: []uint16{1}, Discarded: true})
		}
		if got := s.samples > 1; got == noReset {
			t.Errorf("NoReset %v: %d samples", noReset, s.samples)
		}
	}
}
