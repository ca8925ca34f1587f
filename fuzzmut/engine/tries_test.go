package engine

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What a round has not tried is tried by another one: none is lost with its process.
func TestWhatWasNotTriedIsGivenBack(t *testing.T) {
	inputs := []*corpus.Input{corpus.Of("a"), corpus.Of("b"), corpus.Of("c"), corpus.Of("d")}
	for name, c := range map[string]struct {
		done int
		died *corpus.Input
		left []string
	}{
		"all of it":                {3, nil, []string{"d"}},
		"some of it":               {1, nil, []string{"d", "b", "c"}},
		"it died of one":           {-1, corpus.Of("b"), []string{"d", "c"}},
		"it died of another":       {-1, corpus.Of("x"), []string{"d", "a", "b", "c"}},
		"nobody knows what it ran": {-1, nil, []string{"d", "a", "b", "c"}},
	} {
		e := newTestEngine(Config{})
		e.tries.add(inputs)
		req := &wire.Fuzz{}
		for _, in := range e.tries.take(3) {
			req.Try = append(req.Try, in.Wire())
		}
		newTestSlot(e).untried(req, c.done, c.died)
		if n := len(e.Untried()); n != len(c.left) {
			t.Errorf("%s: %d are left", name, n)
		}
		var left []string
		for _, in := range e.tries.take(10) {
			left = append(left, in.Values()[0].(string))
		}
		if !slices.Equal(left, c.left) {
			t.Errorf("%s: %q are left, want %q", name, left, c.left)
		}
	}
}
