package search

import "encoding/binary"

// hit is a block that ran, and how often.
type hit struct {
	block int
	n     uint8
}

// hitsOf appends those of counts to a list. Most blocks of a large program did not run: they are
// skipped eight at a time.
func hitsOf(list []hit, counts []uint8) []hit {
	i := 0
	for ; i+8 <= len(counts); i += 8 {
		if binary.NativeEndian.Uint64(counts[i:]) != 0 {
			list = hitsFrom(list, counts, i, i+8)
		}
	}
	return hitsFrom(list, counts, i, len(counts))
}

// hitsFrom appends those from one block to another.
func hitsFrom(list []hit, counts []uint8, from, to int) []hit {
	for i := from; i < to; i++ {
		if counts[i] > 0 {
			list = append(list, hit{i, counts[i]})
		}
	}
	return list
}

// virgin remembers the hit counts that each block has had, in the classes of AFL.
type virgin []uint8

// bucket maps a count to a bit: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more.
func bucket(n uint8) uint8 {
	switch {
	case n < 4:
		return 1 << n >> 1
	case n < 8:
		return 8
	case n < 16:
		return 16
	case n < 32:
		return 32
	case n < 128:
		return 64
	}
	return 128
}

// add notes counts, and returns how many of them were new.
func (v *virgin) add(counts []uint8) (fresh int) {
	v.grow(len(counts))
	for i, n := range counts {
		if n > 0 && v.isNew(i, n) {
			fresh++
		}
	}
	return fresh
}

// addHits is add for those of a program with some blocks.
func (v *virgin) addHits(hits []hit, blocks int) (fresh int) {
	v.grow(blocks)
	for _, h := range hits {
		if v.isNew(h.block, h.n) {
			fresh++
		}
	}
	return fresh
}

// grow makes room for the blocks of a program.
func (v *virgin) grow(blocks int) {
	if len(*v) < blocks {
		*v = append(*v, make([]uint8, blocks-len(*v))...)
	}
}

// isNew notes the count of a block, and reports whether it had none of that class.
func (v virgin) isNew(block int, n uint8) bool {
	b := bucket(n)
	before := v[block]
	v[block] |= b
	return before&b == 0
}

// hits counts the blocks that ran, and how often they did in all.
func hits(counts []uint8) (blocks, total int) {
	for _, n := range counts {
		if n > 0 {
			blocks++
			total += int(n)
		}
	}
	return blocks, total
}

// paths remembers the beginnings of paths, by their hashes: the nodes of a trie.
type paths map[uint64]bool

// longest is how much of a path is looked at, which bounds what a long one costs.
const longest = 100

const (
	hashStart = 14695981039346656037 // FNV-1a
	hashPrime = 1099511628211
)

// add notes a path, and returns the number of blocks after which it left all seen
// before; isNew is false if it did not.
func (p paths) add(path []uint16) (depth int, isNew bool) {
	h := uint64(hashStart)
	for i, b := range path[:min(len(path), longest)] {
		h = (h ^ uint64(b)) * hashPrime
		if p[h] {
			continue
		}
		p[h] = true
		if !isNew {
			depth, isNew = i, true
		}
	}
	return depth, isNew
}
