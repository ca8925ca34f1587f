package engine

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
)

// The first deaths for memory are all looked at. Later ones count for a failure that has inputs as small.
func TestDeathsForMemoryAreKnownAfterSome(t *testing.T) {
	f, h := failures.New(func(failures.Failure) {}), hoards{}
	f.Add(failures.Failure{Input: corpus.Of("ab"), Key: "large"}, 1)
	f.Add(failures.Failure{Input: corpus.Of("a"), Key: "small"}, 1)
	for _, key := range []string{"none", "large", "small", "small"} {
		h.add(key)
	}
	for i := range hoardsSeen {
		if key, ok := h.known(f, corpus.Of("abc")); ok {
			t.Fatalf("death %d counts for %q", i, key)
		}
	}
	for input, want := range map[string]string{"abc": "large", "b": "small", "": ""} {
		if key, ok := h.known(f, corpus.Of(input)); key != want || ok != (want != "") {
			t.Errorf("%q counts for %q, want %q", input, key, want)
		}
	}
}
