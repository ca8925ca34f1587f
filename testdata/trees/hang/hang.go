// Package hang splits a stream into chunks.
package hang

import "errors"

// ErrShort is returned for a chunk that runs over the end.
var ErrShort = errors.New("hang: truncated chunk")

// Sizes returns the sizes of the chunks in b. A chunk begins with its size,
// which counts the size byte itself; a size of zero makes it loop for ever: a
// bug.
func Sizes(b []byte) ([]int, error) {
	var sizes []int
	for i := 0; i < len(b); {
		n := int(b[i])
		if n > len(b)-i {
			return sizes, ErrShort
		}
		if n > 0 {
			sizes = append(sizes, n)
		}
		i += n
	}
	return sizes, nil
}

// Work hashes b in 2^14 rounds for each of its first 16 bytes: slow, but finite.
func Work(b []byte) uint32 {
	h := uint32(2166136261)
	if len(b) > 16 {
		b = b[:16]
	}
	for _, c := range b {
		for range 1 << 14 {
			h ^= uint32(c)
			h *= 16777619
		}
	}
	return h
}
