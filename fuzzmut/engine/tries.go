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

// left is how many are left.
func (t *tries) left() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.list)
}

// addTries gives a round inputs from elsewhere: samples once there are no others.
func (e *Engine) addTries(req *wire.Fuzz) {
	n := int(min(req.Execs, tryMost))
	some := e.tries.take(n)
	if req.Paced = len(some) == 0; req.Paced {
		some = e.samples.take(n)
	}
	for _, input := range some {
		req.Try = append(req.Try, input.Wire())
	}
}

// Untried returns how many inputs from elsewhere were not run, apart from samples: the time
// was over.
func (e *Engine) Untried() int { return e.tries.left() }

// UntriedSamples are those of a budget that its search has not run: there was no room for them, or
// what is bred brought more.
func (e *Engine) UntriedSamples(b *Budget) []*corpus.Input {
	e.samples.mu.Lock()
	defer e.samples.mu.Unlock()
	return slices.Concat(e.samples.list, b.Samples[len(b.fewSamples()):])
}

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
	if req.Paced {
		s.e.samples.add(rest)
	} else {
		s.e.tries.add(rest)
	}
}
