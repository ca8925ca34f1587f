package triage

import "math/bits"

// Vector is a set of small numbers: of the mutants that repair a failing input, or
// of the statements that it covers. The zero value is the empty set. Vectors need
// not have the same length to be compared.
type Vector []uint64

const wordBits = 64

// VectorOf returns the set of the members.
func VectorOf(members ...int) Vector {
	var v Vector
	for _, i := range members {
		v.Add(i)
	}
	return v
}

// Add puts i, which is not negative, into the set.
func (v *Vector) Add(i int) {
	for len(*v) <= i/wordBits {
		*v = append(*v, 0)
	}
	(*v)[i/wordBits] |= 1 << (i % wordBits)
}

// Remove takes i out of the set.
func (v Vector) Remove(i int) {
	if i/wordBits < len(v) {
		v[i/wordBits] &^= 1 << (i % wordBits)
	}
}

// Has reports whether i is in the set.
func (v Vector) Has(i int) bool {
	return i/wordBits < len(v) && v[i/wordBits]>>(i%wordBits)&1 != 0
}

// Len returns the number of members.
func (v Vector) Len() int {
	n := 0
	for _, w := range v {
		n += bits.OnesCount64(w)
	}
	return n
}

// Members returns the members in ascending order.
func (v Vector) Members() []int {
	list := make([]int, 0, v.Len())
	for i, w := range v {
		for ; w != 0; w &= w - 1 {
			list = append(list, i*wordBits+bits.TrailingZeros64(w))
		}
	}
	return list
}

// Equal reports whether the two have the same members.
func (v Vector) Equal(u Vector) bool {
	for i := range max(len(u), len(v)) {
		if v.word(i) != u.word(i) {
			return false
		}
	}
	return true
}

// Key returns a string that is the same for sets with the same members only.
func (v Vector) Key() string {
	for len(v) > 0 && v[len(v)-1] == 0 {
		v = v[:len(v)-1]
	}
	b := make([]byte, 0, 8*len(v))
	for _, w := range v {
		for i := range 8 {
			b = append(b, byte(w>>(8*i)))
		}
	}
	return string(b)
}

// Or returns the members of either.
func (v Vector) Or(u Vector) Vector { return v.combine(u, func(a, b uint64) uint64 { return a | b }) }

// And returns the members of both.
func (v Vector) And(u Vector) Vector { return v.combine(u, func(a, b uint64) uint64 { return a & b }) }

// Xor returns the members of exactly one of the two.
func (v Vector) Xor(u Vector) Vector { return v.combine(u, func(a, b uint64) uint64 { return a ^ b }) }

func (v Vector) combine(u Vector, op func(a, b uint64) uint64) Vector {
	c := make(Vector, max(len(u), len(v)))
	for i := range c {
		c[i] = op(v.word(i), u.word(i))
	}
	return c
}

// Shared returns the number of members that the two have in common.
func (v Vector) Shared(u Vector) int {
	n := 0
	for i := range min(len(u), len(v)) {
		n += bits.OnesCount64(u[i] & v[i])
	}
	return n
}

func (v Vector) word(i int) uint64 {
	if i < len(v) {
		return v[i]
	}
	return 0
}
