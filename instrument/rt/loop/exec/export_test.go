package exec

// BoundHeap bounds what the heap of a mutant may have beyond the original's, which is
// what lives now: what other tests have left is no mutant's. Nobody tells the heap of
// collections.
func (x *Executor) BoundHeap(bound uint64) {
	h := newHeap(0)
	h.original.Store(liveNow() / 2)
	h.bound = bound
	x.ration.heap = h
}
