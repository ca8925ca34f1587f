package unittest

import (
	"slices"
	"sync"
)

// Slots bound the processes of several runs that go on at the same time. Each run holds one
// slot from its beginning to its end, so that none waits for the others. Further slots go to
// the run with the lowest rank that wants one. The nil Slots bound nothing.
type Slots struct {
	mu      sync.Mutex
	free    [2]int // for processes that work, and for those that do little but wait
	waiting [2][]*waiter
}

// waiter is a goroutine that wants a slot.
type waiter struct {
	rank  int
	given chan struct{} // closed under the lock
}

// NewSlots returns slots for n processes at a time.
func NewSlots(n int) *Slots { return &Slots{free: [2]int{n, waiters * n}} }

// Take takes a slot for a run of that rank, and returns the function that gives it back. It
// waits until one is free, or quit is closed: then it returns nil.
func (s *Slots) Take(rank int, quit <-chan struct{}) (free func()) { return s.take(0, rank, quit) }

func (s *Slots) take(kind, rank int, quit <-chan struct{}) (free func()) {
	if s == nil {
		return func() {}
	}
	give := func() { s.give(kind) }
	s.mu.Lock()
	if s.free[kind] > 0 && len(s.waiting[kind]) == 0 {
		s.free[kind]--
		s.mu.Unlock()
		return give
	}
	w := &waiter{rank: rank, given: make(chan struct{})}
	s.waiting[kind] = append(s.waiting[kind], w)
	s.mu.Unlock()
	select {
	case <-w.given:
		return give
	case <-quit:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting[kind], w)
	if i < 0 { // given meanwhile
		return give
	}
	s.waiting[kind] = slices.Delete(s.waiting[kind], i, i+1)
	return nil
}

// give gives a slot back, to the one of lowest rank that waits, of these to the first.
func (s *Slots) give(kind int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.waiting[kind]
	if len(list) == 0 {
		s.free[kind]++
		return
	}
	next := 0
	for i, w := range list {
		if w.rank < list[next].rank {
			next = i
		}
	}
	close(list[next].given)
	s.waiting[kind] = slices.Delete(list, next, next+1)
}

// crew is how many processes there may be at a time, and whether they do little but wait.
type crew struct {
	size  int
	waits bool
}

// take takes a slot for one more process of the crew, as Slots.Take does.
func (c crew) take(o *Options, quit <-chan struct{}) (free func()) {
	kind := 0
	if c.waits {
		kind = 1
	}
	return o.Slots.take(kind, o.Rank, quit)
}

// working are as many as may work at a time.
func (o *Options) working() crew { return crew{size: o.Parallel} }
