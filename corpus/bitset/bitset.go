// Package bitset has sets of small numbers: of mutants, of features, of statements.
package bitset

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

// Set is a set of small numbers that are not negative: a bit for each number up to the
// highest member. The zero value is the empty set. Sets need not have the same length
// to be compared.
type Set []uint64

const wordBits = 64

// New returns an empty set with room for the numbers below limit.
func New(limit int) Set { return make(Set, (limit+wordBits-1)/wordBits) }

// Of returns the set of the members.
func Of[N int | uint32](members ...N) Set {
	var s Set
	for _, i := range members {
		s.Add(int(i))
	}
	return s
}

// FromBytes returns the set of the bits in b, the lowest of each byte first. What is
// left after the last eight bytes is ignored.
func FromBytes(b []byte) Set {
	var s Set
	for ; len(b) >= 8; b = b[8:] {
		s = append(s, binary.LittleEndian.Uint64(b))
	}
	return s
}

// Add puts i, which is not negative, into the set.
func (s *Set) Add(i int) {
	for len(*s) <= i/wordBits {
		*s = append(*s, 0)
	}
	(*s)[i/wordBits] |= 1 << (i % wordBits)
}

// AddAll puts the members of t into the set.
func (s *Set) AddAll(t Set) {
	if len(*s) < len(t) {
		*s = append(*s, make(Set, len(t)-len(*s))...)
	}
	for i, w := range t {
		(*s)[i] |= w
	}
}

// Has reports whether i is in the set.
func (s Set) Has(i int) bool {
	return i/wordBits < len(s) && s[i/wordBits]>>(i%wordBits)&1 != 0
}

// Len returns the number of members.
func (s Set) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// All yields the members in ascending order.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i*wordBits + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// Members returns the members in ascending order.
func (s Set) Members() []int {
	list := make([]int, 0, s.Len())
	for i := range s.All() {
		list = append(list, i)
	}
	return list
}

// Equal reports whether the two have the same members.
func (s Set) Equal(t Set) bool {
	for i := range max(len(s), len(t)) {
		if s.Word(i) != t.Word(i) {
			return false
		}
	}
	return true
}

// Key returns a string that is the same for sets with the same members only.
func (s Set) Key() string {
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	b := make([]byte, 0, 8*len(s))
	for _, w := range s {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

// Or returns the members of either.
func (s Set) Or(t Set) Set { return s.combine(t, func(a, b uint64) uint64 { return a | b }) }

// And returns the members of both.
func (s Set) And(t Set) Set { return s.combine(t, func(a, b uint64) uint64 { return a & b }) }

// Xor returns the members of exactly one of the two.
func (s Set) Xor(t Set) Set { return s.combine(t, func(a, b uint64) uint64 { return a ^ b }) }

func (s Set) combine(t Set, op func(a, b uint64) uint64) Set {
	c := make(Set, max(len(s), len(t)))
	for i := range c {
		c[i] = op(s.Word(i), t.Word(i))
	}
	return c
}

// Shared returns the number of members that the two have in common.
func (s Set) Shared(t Set) int {
	n := 0
	for i := range min(len(s), len(t)) {
		n += bits.OnesCount64(s[i] & t[i])
	}
	return n
}

// Word returns the members from 64·i to 64·i+63 as bits, the lowest first.
func (s Set) Word(i int) uint64 {
	if i < len(s) {
		return s[i]
	}
	return 0
}
