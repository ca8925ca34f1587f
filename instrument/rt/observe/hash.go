package observe

import "math/bits"

// The hash multiplies 64-bit words into a 128-bit product and folds its halves. It
// has no seed: a value's hash is the same in every process and on every machine.
const (
	hashA = 0x9e3779b97f4a7c15 // odd, from the golden ratio
	hashB = 0xd6e8feb86659fd93 // odd, no relation to hashA
)

// mix folds x into h.
func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^hashA, x^hashB)
	return hi ^ lo
}

// hashString hashes the bytes of s and its length.
func hashString(s string) uint64 {
	h := mix(hashB, uint64(len(s)))
	for len(s) > 16 {
		hi, lo := bits.Mul64(h^le64(s), le64(s[8:])^hashB)
		h = bits.RotateLeft64(h, 29) ^ hi ^ lo
		s = s[16:]
	}
	var a, b uint64
	switch {
	case len(s) >= 8:
		a, b = le64(s), le64(s[len(s)-8:])
	case len(s) >= 4:
		a, b = le32(s), le32(s[len(s)-4:])
	case len(s) > 0:
		a, b = uint64(s[0]), uint64(s[len(s)/2])<<8|uint64(s[len(s)-1])
	}
	return mix(mix(h, a), b)
}

func le32(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

func le64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
