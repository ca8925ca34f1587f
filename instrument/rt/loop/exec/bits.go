package exec

import "math/bits"

// ListBits lists the members of a bit set, ascending.
func ListBits(set []uint64) []uint32 {
	var list []uint32
	for i, w := range set {
		for w != 0 {
			list = append(list, uint32(i*64+bits.TrailingZeros64(w)))
			w &= w - 1
		}
	}
	return list
}
