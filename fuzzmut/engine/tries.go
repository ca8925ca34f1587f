package engine

import (
	"bytes"
	"slices"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// tryMost bounds the inputs from elsewhere that a round is given: what a process leaves when
// it dies is few.
const tryMost = 64

// tries are inputs from elsewhere that are yet to be run. Its lock is a leaf.
type tries struct {
	mu   sync.Mutex
	list []*corpus.Input
}

// add adds inputs after the existing ones.
func (t *tries) add(inputs []*corpus.Input) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, inputs...)
}

// take takes up to n of them.
func (t *tries) take(n int) []*corpus.Input {
	t.mu.Lock()
	defer t.mu.Unlock()
	n = min(n, len(t.list))
	some := t.list[:n:n]
	t.list = t.list[n:]
	return some
}

// left are those that are left.
func (t *tries) left() []*corpus.Input {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.list)
}

// Untried returns the inputs from elsewhere that were not run: the time was over.
func (e *Engine) Untried() []*corpus.Input { return e.tries.left() }

// untried gives back what a round has not tried. done is how many it has; -1 if the process
// has died, on an input of its state. If that is one of them, those up to it were tried; else
// nobody knows, and all are tried again, after the others.
func (s *slot) untried(req *wire.Fuzz, done int, died *corpus.Input) {
	if done < 0 && died != nil {
		key := []byte(died.Key())
		done = slices.IndexFunc(req.Try, func(in []byte) bool { return bytes.Equal(in, key) }) + 1
	}
	var rest []*corpus.Input
	for _, data := range req.Try[min(max(done, 0), len(req.Try)):] {
		if in, err := corpus.FromWorker(data); err == nil {
			rest = append(rest, in)
		}
	}
	s.e.tries.add(rest)
}
