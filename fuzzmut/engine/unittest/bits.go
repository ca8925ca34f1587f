package unittest

import (
	"encoding/binary"
	"slices"
)

// bits is a set of mutants.
type bits []uint64

func bitsOf(b []byte) bits {
	var s bits
	for ; len(b) >= 8; b = b[8:] {
		s = append(s, binary.LittleEndian.Uint64(b))
	}
	return s
}

// bitsWith returns a set of the members listed.
func bitsWith(list []uint32) bits {
	var s bits
	for _, i := range list {
		s = s.add(make(bits, i/64+1))
		s[i/64] |= 1 << (i % 64)
	}
	return s
}

func (s bits) has(i uint32) bool {
	w := int(i / 64)
	return w < len(s) && s[w]>>(i%64)&1 != 0
}

// add returns s with the members of t.
func (s bits) add(t bits) bits {
	if len(s) < len(t) {
		s = append(s, make(bits, len(t)-len(s))...)
	}
	for i, w := range t {
		s[i] |= w
	}
	return s
}

func (s bits) equal(t bits) bool { return slices.Equal(s, t) }
