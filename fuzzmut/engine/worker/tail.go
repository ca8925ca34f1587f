package worker

import "sync"

// A tail keeps the head and the tail of what is written to it: the first lines
// of a traceback say what happened, and a target that floods its output costs
// no memory.
type tail struct {
	mu   sync.Mutex
	head []byte
	ring []byte
	cut  int // bytes dropped between head and ring
}

const (
	headMost = 256 << 10
	tailMost = 64 << 10
)

func newTail() *tail { return &tail{} }

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if room := headMost - len(t.head); room > 0 {
		k := min(room, len(p))
		t.head = append(t.head, p[:k]...)
		p = p[k:]
	}
	t.ring = append(t.ring, p...)
	// Twice the room before it is trimmed, so that small writes do not copy the
	// whole of it each time.
	if len(t.ring) > 2*tailMost {
		drop := len(t.ring) - tailMost
		t.cut += drop
		t.ring = append(t.ring[:0], t.ring[drop:]...)
	}
	return n, nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := string(t.head)
	if t.cut > 0 {
		s += "\n…\n"
	}
	return s + string(t.ring)
}
