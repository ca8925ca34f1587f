package term

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The limits of a term. Within them, sizes are bounded by that of the input.
const (
	MaxDepth = 1000    // alternatives and lists inside each other
	MaxNodes = 1 << 16 // terms that a term is made of
)

// A Term is a value of a type. Terms are shared and never changed.
type Term struct {
	Type *Type
	Bits uint64  // Int, Uint: the number, extended to 64 bits; Float: the bits of the float64; Sum: the alternative; Text, List: 1 for one that is there though empty
	Text string  // of Text
	Kids []*Term // Product: fields; List: elements; Sum: what the alternative holds, if anything

	counts uint64 // see Count; 0 before the first
}

// Number returns an Int, Uint or Float.
func Number(t *Type, bits uint64) *Term {
	if x := t.known(bits); x != nil {
		return x
	}
	return &Term{Type: t, Bits: bits}
}

// Choice returns a Sum of an alternative that holds kid, or nothing if kid is nil.
func Choice(t *Type, alt int, kid *Term) *Term {
	if kid == nil {
		if alt < len(t.empty) && t.empty[alt] != nil {
			return t.empty[alt]
		}
		return &Term{Type: t, Bits: uint64(alt)}
	}
	return &Term{Type: t, Bits: uint64(alt), Kids: []*Term{kid}}
}

// Alt is the number of a Sum's alternative.
func (x *Term) Alt() int { return int(x.Bits) }

// Float is the value of a Float.
func (x *Term) Float() float64 { return math.Float64frombits(x.Bits) }

// With returns x with other kids.
func (x *Term) With(kids []*Term) *Term {
	return &Term{Type: x.Type, Bits: x.Bits, Text: x.Text, Kids: kids}
}

// Nodes counts the terms that x is made of.
func (x *Term) Nodes() int {
	n := 1
	for _, k := range x.Kids {
		n += k.Nodes()
	}
	return n
}

// Size is the number of terms that x is made of and of the bytes of its texts.
func (x *Term) Size() int {
	n := 1 + len(x.Text)
	for _, k := range x.Kids {
		n += k.Size()
	}
	return n
}

// Equal reports whether two terms of a type are the same.
func Equal(x, y *Term) bool {
	return x == y || x.Type == y.Type && x.Bits == y.Bits && x.Text == y.Text && slices.EqualFunc(x.Kids, y.Kids, Equal)
}

// Default returns the term that no bytes at all stand for.
func (t *Type) Default() *Term {
	switch t.Kind {
	case Int, Uint:
		return Number(t, t.origin())
	case Float:
		return Number(t, math.Float64bits(t.clamp(0)))
	case Text:
		return &Term{Type: t, Text: strings.Repeat("\x00", t.MinLen), Bits: t.Present(t.MinLen > 0)}
	case List:
		return NewList(t, nil)
	case Sum:
		if a := t.Alts[t.least]; a.Type != nil {
			return Choice(t, t.least, a.Type.Default())
		}
		return Choice(t, t.least, nil)
	}
	x := &Term{Type: t, Kids: make([]*Term, len(t.Fields))}
	for i, f := range t.Fields {
		x.Kids[i] = f.Type.Default()
	}
	return x
}

// NewList returns a list of a type with these elements, and default ones as the
// least length demands. A set is ordered, and of elements with the same key the
// first one stays. Without any element, it is no list at all if the type has that.
func NewList(t *Type, elems []*Term) *Term {
	if t.Set {
		elems = asSet(elems)
	}
	for len(elems) < t.MinLen {
		elems = append(elems[:len(elems):len(elems)], t.Elem.Default())
	}
	return &Term{Type: t, Kids: elems}
}

// asSet orders products by the encodings of their keys and keeps the first of each.
func asSet(elems []*Term) []*Term {
	// Keys are in one text, and elements are numbers: to move pointers takes longer while the collector runs.
	type keyed struct{ elem, from, to int }
	list, e := make([]keyed, len(elems)), laxEncoder()
	for i, x := range elems {
		list[i] = keyed{i, len(e.out), len(e.add(x.Kids[0]))}
	}
	compare := func(a, b keyed) int { return bytes.Compare(e.out[a.from:a.to], e.out[b.from:b.to]) }
	slices.SortStableFunc(list, compare)
	list = slices.CompactFunc(list, func(a, b keyed) bool { return compare(a, b) == 0 })
	out := make([]*Term, len(list))
	for i, k := range list {
		out[i] = elems[k.elem]
	}
	return out
}

// String shows a term for debugging.
func (x *Term) String() string {
	switch x.Type.Kind {
	case Int:
		return fmt.Sprint(int64(x.Bits))
	case Uint:
		return fmt.Sprint(x.Bits)
	case Float:
		return fmt.Sprint(x.Float())
	case Text:
		return fmt.Sprintf("%q", x.Text)
	}
	parts := make([]string, len(x.Kids))
	for i, k := range x.Kids {
		parts[i] = k.String()
	}
	inside := strings.Join(parts, " ")
	switch x.Type.Kind {
	case List:
		return "[" + inside + "]"
	case Sum:
		return x.Type.Alts[x.Alt()].Name + "(" + inside + ")"
	}
	return "{" + inside + "}"
}

// Holding returns a term of type t that has x inside or is x, with defaults around
// it; nil if x has no place in t.
func Holding(t *Type, x *Term) *Term {
	return holding(t, x, make(map[*Type]bool))
}

func holding(t *Type, x *Term, seen map[*Type]bool) *Term {
	if t == x.Type {
		return x
	}
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch t.Kind {
	case Product:
		for i, f := range t.Fields {
			if kid := holding(f.Type, x, seen); kid != nil {
				whole := t.Default()
				whole.Kids[i] = kid
				return whole
			}
		}
	case List:
		if kid := holding(t.Elem, x, seen); kid != nil && t.room(0) {
			return NewList(t, []*Term{kid})
		}
	case Sum:
		for i, a := range t.Alts {
			if a.Type == nil {
				continue
			}
			if kid := holding(a.Type, x, seen); kid != nil {
				return Choice(t, i, kid)
			}
		}
	}
	return nil
}

// Next returns the number that is so far from x, or one of the type's range in its
// place.
func (x *Term) Next(by int) *Term {
	if x.Type.Kind == Float {
		return Number(x.Type, math.Float64bits(x.Type.clamp(x.Float()+float64(by))))
	}
	return Number(x.Type, x.Type.wrap(x.Bits+uint64(by)))
}
