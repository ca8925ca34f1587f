package engine

import (
	"slices"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// deadlyMost bounds how many inputs a process is to spare: it gets them all when it begins.
const deadlyMost = 1 << 12

// deadly are inputs on which the original ends its process, or blocks in it, by wire.HashOf. A study that begins
// again in the next process would reach the same one first, and end there.
type deadly struct {
	mu     sync.Mutex
	hashes []uint64
}

// spare takes in an input that ends the process: it is no parent, and no study runs it again.
func (s *slot) spare(input *corpus.Input) {
	s.e.Pool.Drop(input)
	s.rounds.deadly.add(input)
}

func (d *deadly) add(input *corpus.Input) {
	h := wire.HashOf(input.Wire())
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.hashes) < deadlyMost && !slices.Contains(d.hashes, h) {
		d.hashes = append(d.hashes, h)
	}
}

// list returns all of them.
func (d *deadly) list() []uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.hashes[:len(d.hashes):len(d.hashes)]
}
