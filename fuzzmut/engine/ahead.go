package engine

import (
	"sync"
	"time"
)

// aheadMost is the processor time that a worker's search for costly inputs may take ahead of its share.
const aheadMost = 200 * time.Millisecond

// ahead gives that out: what there is for a search, and no more, however many processes it has.
type ahead struct {
	each time.Duration // for a process

	mu   sync.Mutex
	left time.Duration
}

// begin sets what a search has that is to last for some time, where one part in share of it goes to costly
// inputs. No more than that is due in the end. A time of 0 is not known.
func (a *ahead) begin(lasts time.Duration, share, workers int) {
	if a.each = aheadMost; lasts > 0 {
		a.each = min(a.each, lasts/time.Duration(max(share, 1)))
	}
	a.left = a.each * time.Duration(workers)
}

// take returns what a new process has.
func (a *ahead) take() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := min(a.each, a.left)
	a.left -= t
	return t
}
