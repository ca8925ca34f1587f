package term_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// leaf and branch are terms of treeType.
func leaf(tree *term.Type) *term.Term { return term.Choice(tree, 0, nil) }

func branch(tree *term.Type, left *term.Term, key int64, right *term.Term) *term.Term {
	node := tree.Alts[1].Type
	return term.Choice(tree, 1, &term.Term{Type: node, Kids: []*term.Term{left, term.Number(node.Fields[1].Type, uint64(key)), right}})
}

func TestTypesKnowWhatTheyAreMadeOf(t *testing.T) {
	tree := seal(t, treeType())
	node := tree.Alts[1].Type
	key := node.Fields[1].Type
	if all := tree.All(); !slices.Equal(all, []*term.Type{tree, node, key}) {
		t.Errorf("a tree is made of %v", all)
	}
	if all := key.All(); !slices.Equal(all, []*term.Type{key}) {
		t.Errorf("a number is made of %v", all)
	}
	if !tree.Recursive() || !node.Recursive() || key.Recursive() {
		t.Error("trees and nodes hold others of their type, keys do not")
	}
	deep := seal(t, &term.Type{Name: "deep", Kind: term.Sum, Alts: []term.Alt{{Name: "tree", Type: tree}, {Name: "key", Type: key}, {Name: "none"}}})
	if tree.Least() != 0 || deep.Least() != 2 || deep.Recursive() {
		t.Errorf("least alternatives %d and %d; recursive: %v", tree.Least(), deep.Least(), deep.Recursive())
	}
	if x := deep.Default(); x.String() != "none()" {
		t.Errorf("the default is %v", x)
	}
}

func TestSizes(t *testing.T) {
	tree := seal(t, treeType())
	text := seal(t, &term.Type{Name: "text", Kind: term.Text, MaxLen: -1})
	for _, c := range []struct {
		x           *term.Term
		nodes, size int
	}{
		{leaf(tree), 1, 1},
		{branch(tree, leaf(tree), 5, branch(tree, leaf(tree), 6, leaf(tree))), 9, 9},
		{&term.Term{Type: text, Text: "abc"}, 1, 4},
	} {
		if c.x.Nodes() != c.nodes || c.x.Size() != c.size {
			t.Errorf("%v: %d nodes, size %d; want %d, %d", c.x, c.x.Nodes(), c.x.Size(), c.nodes, c.size)
		}
	}
}

// Every part can be reached by its path, and put there again.
func TestPlacesLeadToTheParts(t *testing.T) {
	tree := seal(t, treeType())
	x := branch(tree, branch(tree, leaf(tree), 1, leaf(tree)), 2, leaf(tree))
	paths := term.Paths(x)
	if len(paths) != x.Nodes() {
		t.Fatalf("%d paths, %d nodes", len(paths), x.Nodes())
	}
	for i, p := range paths {
		if i > 0 && len(p) < len(paths[i-1]) {
			t.Errorf("%v comes after %v", p, paths[i-1])
		}
		part := x.At(p)
		if part == nil || !term.Equal(x.Put(p, part), x) {
			t.Errorf("at %v is %v", p, part)
		}
		if part.Type != tree {
			continue
		}
		y := x.Put(p, branch(tree, leaf(tree), 9, leaf(tree)))
		if got := y.At(p).String(); got != "Tree({nil() 9 nil()})" || x.String() != "Tree({Tree({nil() 1 nil()}) 2 nil()})" {
			t.Errorf("at %v of %v is %s; the original is %v", p, y, got, x)
		}
	}
	if got := x.At(term.Path{0, 7}); got != nil {
		t.Errorf("a path that is not there has %v", got)
	}
}

func TestHoldingPutsDefaultsAround(t *testing.T) {
	number := intType(-5, 5, 8)
	list := &term.Type{Name: "list", Kind: term.List, MaxLen: -1, Elem: number}
	none := &term.Type{Name: "none", Kind: term.List, MaxLen: 0, Elem: uintType(0, 9, 8)}
	pair := &term.Type{Name: "pair", Kind: term.Product, Fields: []term.Field{{Name: "A", Type: none}, {Name: "B", Type: list}}}
	whole := seal(t, &term.Type{Name: "whole", Kind: term.Sum, Alts: []term.Alt{{Name: "nil"}, {Name: "pair", Type: pair}}})
	for _, c := range []struct {
		part *term.Term
		want string
	}{
		{term.Number(number, 3), "pair({[] [3]})"},
		{term.NewList(list, nil), "pair({[] []})"},
		{term.Choice(whole, 0, nil), "nil()"},
		{term.Number(none.Elem, 3), "<nil>"}, // a list that has no elements
		{term.Number(seal(t, uintType(0, 1, 8)), 1), "<nil>"},
	} {
		got := "<nil>"
		if x := term.Holding(whole, c.part); x != nil {
			got = x.String()
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.part, got, c.want)
		}
	}
	tree := seal(t, treeType())
	if x := term.Holding(tree, term.Number(number, 3)); x != nil {
		t.Errorf("a type that holds itself, and no such number: %v", x)
	}
}

func TestNextStaysInTheRange(t *testing.T) {
	float := seal(t, &term.Type{Name: "float", Kind: term.Float, Bits: 64, FloatMin: -1, FloatMax: 2.5})
	for _, c := range []struct {
		t    *term.Type
		from uint64
		by   int
		want uint64
	}{
		{intType(-5, 5, 8), 3, 1, 4},
		{intType(-5, 5, 8), 5, 1, 1<<64 - 5},
		{uintType(10, 12, 8), 12, 2, 11},
		{uintType(0, math.MaxUint64, 64), math.MaxUint64, 1, 0},
		{uintType(10, 12, 8), 200, 0, 11}, // 200 is none of them
		{float, math.Float64bits(1), 1, math.Float64bits(2)},
		{float, math.Float64bits(2), 1, math.Float64bits(2.5)},
		{float, math.Float64bits(math.NaN()), 0, math.Float64bits(-1)},
	} {
		if got := term.Number(c.t, c.from).Next(c.by); got.Bits != c.want {
			t.Errorf("%v after %v of %d to %d is %v", c.by, term.Number(c.t, c.from), int64(c.t.Min), int64(c.t.Max), got)
		}
	}
	small := intType(-5, 5, 8)
	for by := -300; by <= 300; by++ {
		if x := int64(term.Number(small, 0).Next(by).Bits); x < -5 || x > 5 || by >= -5 && by <= 5 && x != int64(by) {
			t.Errorf("%d after 0 is %d", by, x)
		}
	}
}

// DrawVaried draws numbers of every size, and those next to powers of two; Draw keeps to
// its size.
func TestWideNumbers(t *testing.T) {
	number := seal(t, intType(math.MinInt64, math.MaxInt64, 64))
	r := rand.New(rand.NewPCG(1, 1))
	lengths, next, negative := make(map[int]bool), 0, 0
	for range 20_000 {
		if x := int64(number.Draw(r, 10).Bits); x < -10 || x > 10 {
			t.Fatalf("Draw gives %d", x)
		}
		x := int64(number.DrawVaried(r, 10).Bits)
		if x >= -10 && x <= 10 {
			continue
		}
		u := uint64(max(x, -x))
		lengths[bits.Len64(u)] = true
		for _, n := range []uint64{u - 1, u, u + 1} {
			if bits.OnesCount64(n) == 1 {
				next++
				break
			}
		}
		if x < 0 {
			negative++
		}
	}
	if len(lengths) < 58 || next < 500 || negative < 500 {
		t.Errorf("%d lengths in bits, %d next to a power of two, %d below zero", len(lengths), next, negative)
	}
	small := seal(t, uintType(3, 9, 8))
	for range 2000 {
		if x := small.DrawVaried(r, 10).Bits; x < 3 || x > 9 {
			t.Fatalf("out of range: %d", x)
		}
	}
}

func TestPresence(t *testing.T) {
	for _, nilable := range []bool{false, true} {
		typ := seal(t, &term.Type{Name: "text", Kind: term.Text, MaxLen: -1, Nilable: nilable})
		none, empty := &term.Term{Type: typ, Bits: typ.Present(false)}, &term.Term{Type: typ, Bits: typ.Present(true)}
		if term.Equal(none, empty) == nilable {
			t.Errorf("nilable %v: none and empty are the same: %v", nilable, !nilable)
		}
		a, b := encode(t, none), encode(t, empty)
		if string(a) == string(b) == nilable {
			t.Errorf("nilable %v: encodings %x and %x", nilable, a, b)
		}
	}
}

// Bytes knows no limits: what Encode refuses it writes all the same.
func TestBytesOfTermsOutOfBounds(t *testing.T) {
	number := seal(t, intType(0, 5, 8))
	x := term.Number(number, 3)
	if want := encode(t, x); fmt.Sprintf("%x", x.Bytes()) != fmt.Sprintf("%x", want) {
		t.Errorf("%x, want %x", x.Bytes(), want)
	}
	out := term.Number(number, 9)
	if _, err := term.Encode(out); err == nil {
		t.Fatal("9 is not in the range")
	}
	if y, _ := term.Decode(number, out.Bytes()); y.Bits > 5 {
		t.Errorf("decoded %v", y)
	}
}

// What floats shrink to, in whole steps: whole numbers before others, small before large,
// positive before negative.
func TestFloatsShrinkToSimplerOnes(t *testing.T) {
	float := seal(t, &term.Type{Name: "float", Kind: term.Float, Bits: 64})
	for _, c := range []struct {
		from  float64
		fails func(f float64) bool
		want  float64
	}{
		{math.NaN(), func(float64) bool { return true }, 0},
		{-7.25, func(f float64) bool { return f != 0 }, 1},
		{-7.25, func(f float64) bool { return f < 0 }, -1},
		{1234.5678, func(f float64) bool { return f > 100 }, 101},
		{0.1, func(f float64) bool { return f != math.Trunc(f) }, float64(float32(0.1))},
		{math.Inf(-1), func(f float64) bool { return math.IsInf(f, 0) }, math.Inf(1)},
		{math.NaN(), math.IsNaN, math.NaN()},
	} {
		least, minimal := term.Shrink(term.Number(float, math.Float64bits(c.from)), 10_000, func(x *term.Term) bool { return c.fails(x.Float()) })
		if got := least.Float(); !minimal || !c.fails(got) || fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v becomes %v (minimal: %v), want %v", c.from, got, minimal, c.want)
		}
	}
}
