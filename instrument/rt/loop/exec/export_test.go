package exec

import fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"

// BoundHeap bounds what the heap of a mutant may have beyond the original's, which is
// what lives now: what other tests have left is no mutant's. Nobody tells the heap of
// collections.
func (x *Executor) BoundHeap(bound uint64) {
	h := newHeap(0)
	h.original.Store(liveNow() / 2)
	h.bound = bound
	x.ration.heap = h
}

// Burn does what rewritten code does at the head of a function or a loop.
func Burn(counters []uint8, counter int) {
	counters[counter]++
	if fuzzmutrt.Fuel--; fuzzmutrt.Fuel < 0 {
		fuzzmutrt.Out()
	}
}

// SpareFuel is what follows each panic of a doomed execution.
const SpareFuel = spareFuel
