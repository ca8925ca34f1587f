package observe

import (
	"reflect"
)

// A Snapshot is a value as it was when it was observed. It is immutable.
type Snapshot struct {
	o    *Observer
	root *node
	hash uint64
}

// Hash returns the hash of the content.
func (s *Snapshot) Hash() uint64 { return s.hash }

type nodeKind uint8

const (
	kindNil       nodeKind = iota
	kindNumber             // bits, imag
	kindString             // text; bits is its full length in bytes
	kindBulk               // text is memory; bits is its full length in bytes
	kindList               // kids; bits is the full length
	kindStruct             // kids
	kindMap                // kids: key, value, key, value, … by the keys' hashes; bits is the length
	kindPointer            // one kid
	kindInterface          // one kid; plan is the dynamic type's
	kindPresent            // something opaque that is not nil
	kindIgnored
	kindHidden    // a field that a mask hides
	kindError     // text; a kid is what callers see beside it
	kindPanic     // text
	kindTime      // bits is seconds since 1970, imag nanoseconds
	kindTypeName  // text
	kindTruncated // bits is a map's length
	kindCycle     // bits is the number of levels up
	kindSeen      // bits is the number of values ago
)

// A node is one value in a snapshot's tree. Nodes are shared where objects were.
type node struct {
	p     *plan // nil for a nil interface
	hash  uint64
	bits  uint64
	imag  uint64
	text  string
	kids  []*node
	value *reflect.Value // a copy, for p.equal
	kind  nodeKind
	soft  bool // holds a value that p.equal decides about
}

// Equal reports whether a and b have the same content, or content that the Equal
// methods and comparison functions of the types involved take for the same. It
// uses the Observer that took a.
func Equal(a, b *Snapshot) bool {
	if a.hash == b.hash {
		return true
	}
	if !a.root.soft || !b.root.soft {
		return false
	}
	return a.comparer().equal(a.root, b.root)
}

func (s *Snapshot) comparer() *comparer {
	return &comparer{guard: s.o.opts.GuardCompare, known: make(map[[2]*node]bool)}
}

// A comparer compares two trees. It calls methods of the observed program.
type comparer struct {
	guard  func(func()) any
	known  map[[2]*node]bool // pairs of soft nodes compared before
	hidden bool              // diff has reached what a caller may not see
	weak   Weakness          // of what diff has reached
	field  string            // the innermost that diff has entered
	// unsorted: that field, or the value, is a list that has the same elements in both.
	unsorted bool
}

func (c *comparer) equal(a, b *node) bool {
	if a.hash == b.hash && a.kind == b.kind {
		return true
	}
	if !a.soft || !b.soft || !sameType(a, b) {
		return false
	}
	pair := [2]*node{a, b}
	if eq, ok := c.known[pair]; ok {
		return eq
	}
	eq := c.decide(a, b)
	c.known[pair] = eq
	return eq
}

func (c *comparer) decide(a, b *node) bool {
	if a.value != nil && b.value != nil {
		eq := false
		panicked := c.guard(func() { eq = a.p.equal(*a.value, *b.value) })
		return eq && panicked == nil
	}
	if a.kind != b.kind || a.bits != b.bits || a.text != b.text || len(a.kids) != len(b.kids) {
		return false
	}
	if a.kind == kindMap {
		return c.equalMaps(a, b)
	}
	for i := range a.kids {
		if !c.equal(a.kids[i], b.kids[i]) {
			return false
		}
	}
	return true
}

// equalMaps compares maps of the same length. Keys that are equal only by a method
// have their entries in different places.
func (c *comparer) equalMaps(a, b *node) bool {
	used := make([]bool, len(b.kids)/2)
	for i := 0; i < len(a.kids); i += 2 {
		if !c.hasEntry(b, a.kids[i], a.kids[i+1], used) {
			return false
		}
	}
	return true
}

func (c *comparer) hasEntry(m, key, value *node, used []bool) bool {
	for j := range used {
		if !used[j] && c.equal(key, m.kids[2*j]) && c.equal(value, m.kids[2*j+1]) {
			used[j] = true
			return true
		}
	}
	return false
}

// sameType reports whether a and b are of one type. Snapshots may come from
// different observers, whose plans are different.
func sameType(a, b *node) bool {
	if a.p == nil || b.p == nil {
		return a.p == b.p
	}
	return a.p.typ == b.p.typ
}
