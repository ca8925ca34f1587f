package term

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Kind is the kind of a type.
type Kind uint8

// The kinds of types.
const (
	Int     Kind = iota // signed
	Uint                // unsigned
	Float               // IEEE 754
	Text                // bytes
	Product             // fields, each with its type
	List                // elements of one type
	Sum                 // one of several alternatives
)

// A Type is a set of terms. Types may refer to themselves. Make one, complete it with
// all it refers to, and call [Type.Seal] before anything else.
type Type struct {
	Name string // for messages
	Kind Kind

	Bits     int    // of Int, Uint and Float: 8 to 64
	Min, Max uint64 // of Int and Uint, inclusive; an int64 has its two's complement

	FloatMin, FloatMax float64 // of Float, inclusive; both 0 for all, NaN and infinities included

	MinLen, MaxLen int  // of Text in bytes and List in elements; MaxLen < 0 for no bound
	Numeric        bool // Text: its bytes are rather numbers than letters
	Nilable        bool // Text and List: no value at all differs from an empty one

	Fields []Field // of Product
	Elem   *Type   // of List
	Set    bool    // List of products, ordered by their first fields, which all differ
	Alts   []Alt   // of Sum, at least one

	// Related says that parts of a term are of use together where they are the same: a search
	// draws half of the terms by DrawVaried, in which numbers and texts occur again.
	Related bool

	// Generate draws a term, as Type.Draw does, in place of what is derived from
	// the type, and Mutate changes one; nil for the derived ones.
	Generate func(r *rand.Rand, size int) *Term
	Mutate   func(r *rand.Rand, x *Term) *Term

	sealed    bool
	height    int     // of the least deep term
	cost      int     // nodes of the default term
	least     int     // alternative of the default term
	recursive bool    // a term may hold another one of the type
	constant  bool    // of Sum: no alternative holds anything
	fixed     bool    // no list, text or recursive type is inside: a term has a bounded number of parts
	span      int     // of types and fields that a term may be made of
	leaves    []int   // of Sum: the alternatives that do not lead back to it
	empty     []*Term // of Sum: the terms of alternatives that hold nothing
	start     uint64  // of Int and Uint: the origin
	below     uint64  // of Int and Uint: how far it goes below the origin, and above
	above     uint64
	small     []Term // of Int and Uint: the terms of the small numbers, from leastSmall on
}

// The numbers that are drawn most often have one term each, in the types that have them.
const (
	leastSmall = -128
	mostSmall  = 127
)

// A Field is a part of a product.
type Field struct {
	Name string
	Type *Type
}

// An Alt is an alternative of a sum. One without a Type holds nothing.
type Alt struct {
	Name string
	Type *Type
}

const never = math.MaxInt32 // height and cost of a type without a finite term

// Seal completes a type and all that it refers to. It returns an error that names a
// type which has no finite term within the limits, because it contains itself
// without an end or is too large.
func (t *Type) Seal() error {
	all := t.reach(nil, make(map[*Type]bool))
	for _, u := range all {
		u.height, u.cost = never, never
	}
	for changed := true; changed; {
		changed = false
		for _, u := range all {
			changed = u.measure() || changed
		}
	}
	for _, u := range all {
		switch {
		case u.height >= never:
			return fmt.Errorf("%s contains itself without end", u.Name)
		case u.height > MaxDepth || u.cost > MaxNodes:
			return fmt.Errorf("%s is too large: its smallest value has %d parts in %d levels; the limits are %d and %d",
				u.Name, u.cost, u.height, MaxNodes, MaxDepth)
		}
		u.sealed = true
	}
	for _, u := range all {
		u.recursive = u.holds(u)
	}
	for _, u := range all {
		u.survey()
	}
	return nil
}

// survey notes what drawing has to know of the types that a type is made of.
func (t *Type) survey() {
	t.fixed, t.span, t.constant = true, leastSpan, true
	for _, a := range t.Alts {
		t.constant = t.constant && a.Type == nil
	}
	for _, u := range t.All() {
		t.fixed = t.fixed && !u.recursive && u.Kind != List && u.Kind != Text
		t.span += 1 + len(u.Fields)
	}
	t.leaves, t.empty = nil, make([]*Term, len(t.Alts))
	for i, a := range t.Alts {
		if a.Type == nil || !a.Type.recursive {
			t.leaves = append(t.leaves, i)
		}
		if a.Type == nil {
			t.empty[i] = &Term{Type: t, Bits: uint64(i)}
		}
	}
	if t.Kind == Int || t.Kind == Uint {
		t.start = t.origin()
		t.below, t.above = t.start-t.Min, t.Max-t.start
		small := make([]Term, mostSmall-leastSmall+1)
		for i := range small {
			small[i].Type, small[i].Bits = t, uint64(leastSmall+i)
		}
		t.small = small
	}
}

// known is the term of a small number, or nil. There is one for numbers that t has not, too: they
// are what a caller makes of them.
func (t *Type) known(bits uint64) *Term {
	if i := bits + -leastSmall; i < uint64(len(t.small)) {
		return &t.small[i]
	}
	return nil
}

// leastSpan leaves room to terms of the smallest types.
const leastSpan = 8

// reach appends the types that t is made of, itself first.
func (t *Type) reach(all []*Type, seen map[*Type]bool) []*Type {
	if t == nil || seen[t] {
		return all
	}
	seen[t] = true
	all = append(all, t)
	for _, u := range t.parts() {
		all = u.reach(all, seen)
	}
	return all
}

// All returns the types that t is made of, itself first.
func (t *Type) All() []*Type { return t.reach(nil, make(map[*Type]bool)) }

// holds reports whether a term of t may have one of u inside.
func (t *Type) holds(u *Type) bool {
	seen := make(map[*Type]bool)
	for _, p := range t.parts() {
		p.reach(nil, seen)
	}
	return seen[u]
}

// parts returns the types of a term's immediate parts.
func (t *Type) parts() []*Type {
	var list []*Type
	for _, f := range t.Fields {
		list = append(list, f.Type)
	}
	if t.Elem != nil {
		list = append(list, t.Elem)
	}
	for _, a := range t.Alts {
		if a.Type != nil {
			list = append(list, a.Type)
		}
	}
	return list
}

// measure computes height, cost and least from those of the parts as they are known
// so far, and reports whether that changed anything.
func (t *Type) measure() bool {
	height, cost, least := 0, 1, 0
	switch t.Kind {
	case Product:
		for _, f := range t.Fields {
			height = max(height, f.Type.height)
			cost = min(cost+f.Type.cost, never)
		}
	case List:
		if t.MinLen > 0 {
			height = min(1+t.Elem.height, never)
			cost = min(1+t.MinLen*min(t.Elem.cost, never), never)
		}
	case Sum:
		height, cost = never, never
		for i := range t.Alts {
			if h, c := t.altHeight(i), t.altCost(i); h < height {
				height, cost, least = h, c, i
			}
		}
	}
	changed := height != t.height || cost != t.cost || least != t.least
	t.height, t.cost, t.least = height, cost, least
	return changed
}

// altHeight is the height of the least deep term of an alternative, and altCost the
// number of nodes of the default one.
func (t *Type) altHeight(i int) int {
	if t.Alts[i].Type == nil {
		return 0
	}
	return min(1+t.Alts[i].Type.height, never)
}

func (t *Type) altCost(i int) int {
	if t.Alts[i].Type == nil {
		return 1
	}
	return min(1+t.Alts[i].Type.cost, never)
}

// Least is the number of the alternative that is least deep.
func (t *Type) Least() int { return t.least }

// Recursive reports whether a term of the type may hold another one of it.
func (t *Type) Recursive() bool { return t.recursive }

// origin is the number that is nearest to 0 among those of an Int or Uint.
func (t *Type) origin() uint64 {
	switch {
	case t.inRange(0):
		return 0
	case t.Kind == Int && int64(t.Max) < 0:
		return t.Max
	}
	return t.Min
}

// inRange reports whether a number belongs to an Int or Uint.
func (t *Type) inRange(n uint64) bool {
	if t.Kind == Int {
		return int64(t.Min) <= int64(n) && int64(n) <= int64(t.Max)
	}
	return t.Min <= n && n <= t.Max
}

// wrap maps any number to one of the range: those of the range to themselves.
func (t *Type) wrap(n uint64) uint64 {
	if t.inRange(n) {
		return n
	}
	span := t.Max - t.Min + 1 // not 0: then all are in the range
	return t.Min + (n-t.Min)%span
}

// clamp maps any float to one of the type.
func (t *Type) clamp(f float64) float64 {
	switch {
	case t.FloatMin == 0 && t.FloatMax == 0:
		return f
	case !(f >= t.FloatMin): // NaN, too
		return t.FloatMin
	case f > t.FloatMax:
		return t.FloatMax
	}
	return f
}

// room reports whether a list or text may have more than n elements.
func (t *Type) room(n int) bool { return t.MaxLen < 0 || n < t.MaxLen }

// Present is the Bits of a text without bytes, or a list without elements, that is
// there or not, if that makes a difference.
func (t *Type) Present(there bool) uint64 {
	if there && t.Nilable {
		return 1
	}
	return 0
}
