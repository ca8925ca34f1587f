package observe

import "unsafe"

// A tracker remembers the pointers of one walk, so that objects met again cost
// nothing and cycles end. It finds the strongly connected sets of the object graph
// as they are completed (Tarjan, "Depth-first search and linear graph algorithms",
// 1972):
//
//   - open: under walk, on the path from the root. A pointer to it closes a cycle
//     and is named by how many levels up it leads.
//   - waiting: walked, but it leads back to an open object, so that its hash holds
//     such names and means something only from here. A pointer to it is named by
//     how many values ago it was met.
//   - closed: walked, and all it reaches is closed: its hash depends on its content
//     alone and can be used again anywhere.
//   - stale: waiting, until the open object it led back to was closed. Walked again.
//
// All names are relative, so equal structures have equal hashes wherever they are.
type tracker struct {
	visits  []visit
	waiting []int32 // indices of open and waiting visits, oldest first
	low     int32   // least place in waiting led back to by what has been walked since it was last set;
	// places are as good an order as times of discovery
	slots []slot // hash table over visits; its size is a power of two
	gen   uint32 // of the slots that are in use
}

type visit struct {
	ptr   unsafe.Pointer
	p     *plan
	n     int // elements, of a slice
	state visitState
	depth int
	at    int32  // place in tracker.waiting, when open or waiting
	start uint64 // the walker's count before this object
	size  uint64 // values walked, when closed
	hash  uint64
	node  *node
}

type visitState uint8

const (
	visitOpen visitState = iota
	visitWaiting
	visitClosed
	visitStale
)

type slot struct {
	gen   uint32
	visit int32
}

const noLow = 1<<31 - 1

// tracked walks an object that can reach itself: one visit per walk where possible.
func (w *walker) tracked(p *plan, ptr unsafe.Pointer, n int, walk func() (uint64, *node)) (uint64, *node) {
	if w.isolated > 0 {
		if w.depth >= isolatedDepth {
			w.truncated = true
			return w.leaf(p, kindTruncated, mix(markDeep, 0))
		}
		return w.deeper(p, walk)
	}
	if w.depth >= maxDepth {
		return w.deeper(p, walk)
	}
	t := &w.track
	i, met := t.find(p, ptr, n)
	if met && t.visits[i].state != visitStale {
		return w.again(p, i)
	}
	v := &t.visits[i]
	v.state, v.depth, v.start = visitOpen, w.depth, w.count
	at := int32(len(t.waiting))
	v.at = at
	t.waiting = append(t.waiting, i)
	outerLow, outerTruncated := t.low, w.truncated
	t.low, w.truncated = noLow, false

	w.depth++
	h, nd := walk()
	w.depth--

	v = &t.visits[i] // may have moved
	v.hash, v.node, v.size = h, nd, w.count-v.start
	if t.low >= at { // nothing older is led back to
		for _, j := range t.waiting[at:] {
			t.visits[j].state = visitStale
		}
		t.waiting = t.waiting[:at]
		if !w.truncated {
			v.state = visitClosed
		}
		t.low = outerLow
	} else {
		v.state = visitWaiting
		t.low = min(t.low, outerLow)
	}
	w.truncated = w.truncated || outerTruncated
	return h, nd
}

// again is tracked for an object that was met before.
func (w *walker) again(p *plan, i int32) (uint64, *node) {
	v := &w.track.visits[i]
	switch v.state {
	case visitClosed:
		w.count += v.size
		w.nodes--
		return v.hash, v.node
	case visitOpen:
		up := uint64(w.depth - v.depth)
		w.track.low = min(w.track.low, v.at)
		return w.mark(p, kindCycle, mix(markCycle, up), up)
	default: // visitWaiting
		ago := w.count - v.start
		w.track.low = min(w.track.low, v.at)
		return w.mark(p, kindSeen, mix(markSeen, ago), ago)
	}
}

func (w *walker) mark(p *plan, kind nodeKind, h, bits uint64) (uint64, *node) {
	h, n := w.leaf(p, kind, h)
	if n != nil {
		n.bits = bits
	}
	return h, n
}

// find returns the visit of an object, a new one if it was not met before.
func (t *tracker) find(p *plan, ptr unsafe.Pointer, n int) (i int32, met bool) {
	if len(t.visits)*2 >= len(t.slots) {
		t.grow()
	}
	if len(t.visits) == 0 {
		t.low = noLow
	}
	mask := uint64(len(t.slots) - 1)
	for at := slotHash(p, ptr, n) & mask; ; at = (at + 1) & mask {
		s := &t.slots[at]
		if s.gen != t.gen {
			s.gen, s.visit = t.gen, int32(len(t.visits))
			t.visits = append(t.visits, visit{ptr: ptr, p: p, n: n})
			return s.visit, false
		}
		if v := &t.visits[s.visit]; v.ptr == ptr && v.p == p && v.n == n {
			return s.visit, true
		}
	}
}

// slotHash depends on addresses; nothing but the place in the table depends on it.
func slotHash(p *plan, ptr unsafe.Pointer, n int) uint64 {
	return mix(uint64(uintptr(ptr)), p.id^uint64(n))
}

func (t *tracker) grow() {
	t.slots = make([]slot, max(32, 2*len(t.slots)))
	t.gen = 1
	mask := uint64(len(t.slots) - 1)
	for i := range t.visits {
		v := &t.visits[i]
		at := slotHash(v.p, v.ptr, v.n) & mask
		for t.slots[at].gen == t.gen {
			at = (at + 1) & mask
		}
		t.slots[at] = slot{gen: t.gen, visit: int32(i)}
	}
}

// maxKept is the number of visits for which memory is kept between walks.
const maxKept = 4096

// reset forgets the walk's objects.
func (t *tracker) reset() {
	if len(t.visits) > maxKept {
		*t = tracker{}
		return
	}
	clear(t.visits) // keeps nothing alive
	t.visits, t.waiting = t.visits[:0], t.waiting[:0]
	t.gen++
	if t.gen == 0 { // wrapped around: old slots would look used
		clear(t.slots)
		t.gen = 1
	}
}
