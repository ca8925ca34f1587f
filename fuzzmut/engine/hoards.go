package engine

import (
	"slices"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
)

// hoards are the failures of inputs that take too much memory. Where they ask for it shows only when one is run alone,
// which takes some processes, and their deaths do not say which of them they are.
type hoards struct {
	mu   sync.Mutex
	keys []string
	seen int // deaths
}

// hoardsSeen is how many of these deaths are looked at, whatever is known: there may be several places.
const hoardsSeen = 8

// known returns the key of a failure that stands for an input whose process was ended for its memory, if it need not be
// run alone: some were, and there is one that has its inputs.
func (h *hoards) known(f *failures.Collector, input *corpus.Input) (key string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen++; h.seen <= hoardsSeen {
		return "", false
	}
	for _, key := range h.keys {
		if f.Suffices(key, input) {
			return key, true
		}
	}
	return "", false
}

// add takes in such a failure.
func (h *hoards) add(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Contains(h.keys, key) {
		h.keys = append(h.keys, key)
	}
}
