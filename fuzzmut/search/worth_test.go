package search

import (
	"math/rand/v2"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// pairType is a product of a small number and of a text.
func pairType(t *testing.T) *term.Type {
	t.Helper()
	number := &term.Type{Name: "number", Kind: term.Uint, Bits: 8, Max: 9}
	text := &term.Type{Name: "text", Kind: term.Text, MaxLen: 3}
	pair := &term.Type{Name: "pair", Kind: term.Product, Fields: []term.Field{{Name: "n", Type: number}, {Name: "t", Type: text}}}
	if err := pair.Seal(); err != nil {
		t.Fatal(err)
	}
	return pair
}

func TestTermsThatDifferHaveOtherHashes(t *testing.T) {
	pair := pairType(t)
	r := rand.New(rand.NewPCG(1, 1))
	seen := make(map[uint64]*term.Term)
	for range 10000 {
		x := pair.Draw(r, 3)
		h := hash(hashStart, x)
		if y := seen[h]; y != nil && !term.Equal(x, y) {
			t.Fatalf("%v and %v have the same hash", x, y)
		}
		seen[h] = x
	}
	if len(seen) < 100 {
		t.Errorf("only %d terms were drawn", len(seen))
	}
}

func TestRecentKnowsWhatWasThere(t *testing.T) {
	pair := pairType(t)
	var r recent
	x := pair.Default()
	y := x.Put(term.Path{0}, term.Number(pair.Fields[0].Type, 5))
	for i, c := range []struct {
		x    *term.Term
		want bool
	}{{x, true}, {x, false}, {y, true}, {x, false}, {y, false}} {
		if got := r.add(c.x); got != c.want {
			t.Errorf("%d: %v is new: %v, want %v", i, c.x, got, c.want)
		}
	}
}

// Where only changes of numbers bring anything, these are made most of the time, and the
// others still sometimes.
func TestPlacesAreWhereChangesBringSomething(t *testing.T) {
	pair := pairType(t)
	s := newMix(base{t: pair, r: rand.New(rand.NewPCG(1, 1)), o: Options{Size: 3}})
	x := pair.Default()
	numbers, texts := 0, 0
	for i := range 4000 {
		s.tests, s.changed = i, s.changed[:0]
		p, ok := s.path(x, term.Free)
		if !ok {
			t.Fatal("no path")
		}
		isNumber := p[0] == 0
		if i >= 2000 && isNumber {
			numbers++
		} else if i >= 2000 {
			texts++
		}
		s.weigh(isNumber)
	}
	if numbers < 5*texts || texts == 0 {
		t.Errorf("%d numbers and %d texts", numbers, texts)
	}
}

func TestEditedListsKeepTheirBounds(t *testing.T) {
	elem := &term.Type{Name: "elem", Kind: term.Uint, Bits: 8, Max: 255}
	list := &term.Type{Name: "list", Kind: term.List, Elem: elem, MinLen: 1, MaxLen: 3}
	if err := list.Seal(); err != nil {
		t.Fatal(err)
	}
	s := newMix(base{t: list, r: rand.New(rand.NewPCG(1, 1)), o: Options{Size: 3}})
	x := list.Default()
	lengths := make(map[int]int)
	for range 1000 {
		x = s.edited(x)
		lengths[len(x.Kids)]++
	}
	if len(lengths) != 3 || lengths[1] == 0 || lengths[2] == 0 || lengths[3] == 0 {
		t.Errorf("lengths and how often they came: %v", lengths)
	}
}
