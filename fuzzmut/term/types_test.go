package term_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

func seal(tb testing.TB, t *term.Type) *term.Type {
	tb.Helper()
	if err := t.Seal(); err != nil {
		tb.Fatal(err)
	}
	return t
}

func intType(low, high int64, bits int) *term.Type {
	return &term.Type{Name: fmt.Sprintf("int%d", bits), Kind: term.Int, Bits: bits, Min: uint64(low), Max: uint64(high)}
}

func uintType(low, high uint64, bits int) *term.Type {
	return &term.Type{Name: fmt.Sprintf("uint%d", bits), Kind: term.Uint, Bits: bits, Min: low, Max: high}
}

// treeType is a binary tree with a number in each node.
func treeType() *term.Type {
	t := &term.Type{Name: "*Tree", Kind: term.Sum}
	node := &term.Type{Name: "Tree", Kind: term.Product, Fields: []term.Field{
		{Name: "Left", Type: t}, {Name: "Key", Type: intType(math.MinInt64, math.MaxInt64, 64)}, {Name: "Right", Type: t},
	}}
	t.Alts = []term.Alt{{Name: "nil"}, {Name: "Tree", Type: node}}
	return t
}

// randomType draws a type, which may contain itself, and which has a finite term.
func randomType(seed uint64) *term.Type {
	for {
		r := rand.New(rand.NewPCG(seed, 1))
		if t := drawType(r, 4, nil); t.Seal() == nil {
			return t
		}
		seed++
	}
}

// drawType draws a type from what it is inside of, or a new one.
func drawType(r *rand.Rand, depth int, outer []*term.Type) *term.Type {
	if len(outer) > 0 && r.IntN(5) == 0 {
		return outer[r.IntN(len(outer))]
	}
	t := &term.Type{Name: fmt.Sprintf("T%d", len(outer))}
	outer = append(outer[:len(outer):len(outer)], t)
	kinds := 7
	if depth == 0 {
		kinds = 4
	}
	switch t.Kind = term.Kind(r.IntN(kinds)); t.Kind {
	case term.Int:
		drawInt(r, t)
	case term.Uint:
		drawUint(r, t)
	case term.Float:
		t.Bits = 32 << r.IntN(2)
		if r.IntN(2) == 0 {
			t.FloatMin, t.FloatMax = 0.5, float64(1+r.IntN(500))
		}
	case term.Text:
		drawLengths(r, t)
	case term.List:
		drawLengths(r, t)
		t.Elem = drawType(r, depth-1, outer)
		if r.IntN(3) == 0 {
			t.Set, t.MinLen = true, 0
			t.Elem = &term.Type{Name: "pair", Kind: term.Product, Fields: []term.Field{
				{Name: "key", Type: drawType(r, 0, nil)}, {Name: "value", Type: t.Elem},
			}}
		}
	case term.Product:
		for i := range r.IntN(4) {
			t.Fields = append(t.Fields, term.Field{Name: fmt.Sprint("F", i), Type: drawType(r, depth-1, outer)})
		}
	case term.Sum:
		for i := range 1 + r.IntN(4) {
			a := term.Alt{Name: fmt.Sprint("A", i)}
			if r.IntN(3) > 0 {
				a.Type = drawType(r, depth-1, outer)
			}
			t.Alts = append(t.Alts, a)
		}
	}
	return t
}

func drawInt(r *rand.Rand, t *term.Type) {
	t.Bits = 8 << r.IntN(4)
	low, high := int64(math.MinInt64)>>(64-t.Bits), int64(math.MaxInt64)>>(64-t.Bits)
	if r.IntN(2) == 0 {
		a, b := low+r.Int64N(high)+r.Int64N(high), low+r.Int64N(high)+r.Int64N(high)
		low, high = min(a, b), max(a, b)
	}
	t.Min, t.Max = uint64(low), uint64(high)
}

func drawUint(r *rand.Rand, t *term.Type) {
	t.Bits = 8 << r.IntN(4)
	t.Max = math.MaxUint64 >> (64 - t.Bits)
	if r.IntN(2) == 0 {
		a, b := r.Uint64N(t.Max), r.Uint64N(t.Max)
		t.Min, t.Max = min(a, b), max(a, b)
	}
}

func drawLengths(r *rand.Rand, t *term.Type) {
	t.Nilable = r.IntN(2) == 0
	t.MinLen, t.MaxLen = r.IntN(3), -1
	if r.IntN(2) == 0 {
		t.MaxLen = t.MinLen + r.IntN(4)
	}
}
