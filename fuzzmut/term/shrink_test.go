package term_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// greatest is the greatest key of a tree.
func greatest(x *term.Term) int64 {
	if x.Alt() == 0 {
		return math.MinInt64
	}
	node := x.Kids[0].Kids
	return max(greatest(node[0]), int64(node[1].Bits), greatest(node[2]))
}

func TestShrinkFindsTheSmallestTree(t *testing.T) {
	tree := seal(t, treeType())
	r := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		x := tree.Draw(r, 12)
		if greatest(x) < 10 {
			continue
		}
		least, minimal := term.Shrink(x, 0, func(y *term.Term) bool { return greatest(y) >= 10 })
		if got := least.String(); got != "Tree({nil() 10 nil()})" || !minimal {
			t.Errorf("%v: got %s, minimal %v", x, got, minimal)
		}
	}
}

// Whatever the type and the property: shrinking ends, at a term that has no smaller
// one with the property.
func TestShrinkEndsAtALocalMinimum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for seed := range uint64(400) {
		typ := randomType(seed)
		x := typ.Draw(r, 4)
		bits := rand.New(rand.NewPCG(seed, 9)).Uint64()
		// Holds for x and, as chance has it, for one in four others.
		fails := func(y *term.Term) bool {
			h := bits
			for _, b := range encode(t, y) {
				h = (h ^ uint64(b)) * 0x100000001b3
			}
			return h>>7%4 == 0 || term.Equal(x, y)
		}
		least, minimal := term.Shrink(x, 0, fails)
		if !minimal || !fails(least) {
			t.Fatalf("%v: %v is minimal %v, fails %v", x, least, minimal, fails(least))
		}
		for y := range term.Smaller(least) {
			if fails(y) && !term.Equal(y, least) {
				t.Fatalf("%v is not minimal: %v fails", least, y)
			}
		}
	}
}

func TestShrinkStopsAtItsLimit(t *testing.T) {
	tree := seal(t, treeType())
	x := term.Choice(tree, 1, tree.Alts[1].Type.Default())
	for range 4 {
		x = term.Choice(tree, 1, x.Kids[0].With([]*term.Term{x, x.Kids[0].Kids[1], x}))
	}
	calls := 0
	_, minimal := term.Shrink(x, 5, func(*term.Term) bool { calls++; return false })
	if calls != 5 || minimal {
		t.Errorf("%d calls, minimal %v", calls, minimal)
	}
}

// The bytes of a slice of a named type are numbers: they become smaller, not letters.
func TestNumericTextsShrinkAsNumbers(t *testing.T) {
	typ := &term.Type{Name: "[]Level", Kind: term.Text, MaxLen: -1, Numeric: true}
	if err := typ.Seal(); err != nil {
		t.Fatal(err)
	}
	least, minimal := term.Shrink(&term.Term{Type: typ, Text: "\xc8\x07abc"}, 1000, func(x *term.Term) bool {
		return strings.ContainsFunc(x.Text, func(r rune) bool { return r >= 50 })
	})
	if least.Text != "\x32" || !minimal {
		t.Errorf("%q, minimal %t", least.Text, minimal)
	}
}

// A key that is put in and looked up has to stay the same in both places, and becomes small in both.
func TestValuesInSeveralPlacesShrinkTogether(t *testing.T) {
	key := &term.Type{Name: "string", Kind: term.Text, MaxLen: -1}
	number := intType(-1<<63, 1<<63-1, 64)
	call := &term.Type{Name: "call", Kind: term.Product, Fields: []term.Field{{Name: "Key", Type: key}, {Name: "N", Type: number}}}
	calls := seal(t, &term.Type{Name: "calls", Kind: term.List, MaxLen: -1, Elem: call})
	x := term.NewList(calls, nil)
	for _, c := range []struct {
		key string
		n   uint64
	}{{"sixteen", 7}, {"bytes and more", 123456}, {"of this", 9}, {"bytes and more", 123456}, {"", 0}} {
		k := &term.Term{Type: key, Text: c.key}
		x.Kids = append(x.Kids, &term.Term{Type: call, Kids: []*term.Term{k, term.Number(number, c.n)}})
	}
	least, minimal := term.Shrink(x, 0, func(y *term.Term) bool {
		for i, a := range y.Kids {
			for _, b := range y.Kids[:i] {
				if len(a.Kids[0].Text) >= 2 && a.Kids[0].Text == b.Kids[0].Text && a.Kids[1].Bits >= 10 && a.Kids[1].Bits == b.Kids[1].Bits {
					return true
				}
			}
		}
		return false
	})
	if got := least.String(); got != `[{"aa" 10} {"aa" 10}]` || !minimal {
		t.Errorf("got %s, minimal %v", got, minimal)
	}
}
