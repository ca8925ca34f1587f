package search

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
	if len(*v) < len(counts) {
		*v = append(*v, make([]uint8, len(counts)-len(*v))...)
	}
	for i, n := range counts {
		if n == 0 {
			continue
		}
		if b := bucket(n); (*v)[i]&b == 0 {
			(*v)[i] |= b
			fresh++
		}
	}
	return fresh
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
