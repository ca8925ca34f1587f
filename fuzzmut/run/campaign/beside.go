package campaign

import (
	"sync"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// beside works beside the search, as long as something waits for it.
type beside struct {
	mu   sync.Mutex    // guards what follows, and what waits
	busy bool          // the work goes on
	done chan struct{} // closed when nothing is left; nil before the first start
}

// start has work begin, unless it goes on. The caller holds mu; work clears busy once nothing is left.
func (b *beside) start(t *trial.Trial, work func() error) {
	if b.busy {
		return
	}
	b.busy, b.done = true, make(chan struct{})
	go func(done chan struct{}) {
		defer close(done)
		if err := panics.Do(work); err != nil {
			t.Project.Faults.Note(err)
		}
	}(b.done)
}

// wait waits for what was begun.
func (b *beside) wait() {
	b.mu.Lock()
	done := b.done
	b.mu.Unlock()
	if done != nil {
		<-done
	}
}
