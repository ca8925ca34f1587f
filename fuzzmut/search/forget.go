package search

import (
	"cmp"
	"slices"
)

// Bounds on the ways that a mix knows, beyond which it forgets half of them.
const (
	mostWays = 1 << 14
	mostSize = 1 << 20 // of their inputs, together
)

// forget bounds the memory that ways take. Those that were parents most often go; but
// for each block the smallest input that runs it stays.
func (s *mix) forget() {
	if len(s.order) <= mostWays && s.size <= mostSize {
		return
	}
	stays := make(map[*way]bool)
	size := 0
	stay := func(w *way) {
		if !stays[w] {
			stays[w] = true
			size += w.size
		}
	}
	for _, b := range s.blocks {
		if len(b.ways) == 0 {
			continue
		}
		stay(slices.MinFunc(b.ways, func(v, w *way) int { return cmp.Compare(v.size, w.size) }))
	}
	for _, w := range slices.SortedStableFunc(slices.Values(s.order), func(v, w *way) int { return cmp.Compare(v.used, w.used) }) {
		if len(stays) >= mostWays/2 || size >= mostSize/2 {
			break
		}
		stay(w)
	}
	gone := func(w *way) bool { return !stays[w] }
	s.order = slices.DeleteFunc(s.order, gone)
	for _, b := range s.blocks {
		b.ways = slices.DeleteFunc(b.ways, gone)
	}
	for key, w := range s.ways {
		if gone(w) {
			delete(s.ways, key)
		}
	}
	s.size = size
}
