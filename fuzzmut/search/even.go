package search

// mostNoted bounds the blocks that a way notes, and so its memory: ways are not distinguished by
// blocks with larger numbers.
const mostNoted = 1 << 12

// some draws n ways of a list.
func (s *mix) some(ways []*way, n int) []*way {
	s.few = s.few[:0]
	for range n {
		s.few = append(s.few, ways[s.r.IntN(len(ways))])
	}
	return s.few
}

// evenly draws ways of a list and halves them again and again: by any block, keep those that run
// it, or the others, with even odds. So a way of a rare kind is left more often than in
// proportion. What a fault needs may be rare: of the inputs that load a register and pass, one in
// 80 lets the observer see the pc.
func (s *mix) evenly(ways []*way) []*way {
	const (
		drawn  = 64
		few    = 4
		blocks = 40 // that are tried: those that no way runs, or all, halve nothing
	)
	left := s.some(ways, min(drawn, len(ways)))
	for range blocks {
		if len(left) <= few || len(s.byBlock) == 0 {
			break
		}
		left = s.half(left)
	}
	return left
}

// half keeps those of some ways that run a block, or the others; all if it distinguishes none.
func (s *mix) half(ways []*way) []*way {
	by, run := s.r.IntN(min(len(s.byBlock), mostNoted)), 0
	for i, w := range ways {
		if w.blocks.Bit(by) == 1 {
			ways[run], ways[i] = w, ways[run]
			run++
		}
	}
	switch {
	case run == 0 || run == len(ways):
		return ways
	case s.r.IntN(2) == 0:
		return ways[:run]
	}
	return ways[run:]
}
