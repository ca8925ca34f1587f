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
		if n := e.Untried(); n != len(c.left) {
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

// Samples come once there is nothing else, and are given back to those that are left of them.
func TestSamplesComeLast(t *testing.T) {
	e := newTestEngine(Config{})
	e.tries.add([]*corpus.Input{corpus.Of("a")})
	e.samples.add([]*corpus.Input{corpus.Of("s"), corpus.Of("t")})
	for _, want := range []struct {
		paced bool
		tries int
	}{{false, 1}, {true, 2}, {true, 0}} {
		req := &wire.Fuzz{Execs: 10}
		if e.addTries(req); req.Paced != want.paced || len(req.Try) != want.tries {
			t.Errorf("%d inputs, paced %v, want %+v", len(req.Try), req.Paced, want)
		}
	}
	req := &wire.Fuzz{Paced: true, Try: [][]byte{corpus.Of("s").Wire()}}
	newTestSlot(e).untried(req, 0, nil)
	if e.Untried() != 0 || e.samples.left() != 1 {
		t.Errorf("%d inputs are left, %d samples", e.Untried(), e.samples.left())
	}
}

func TestFewInputsHaveFewSamples(t *testing.T) {
	for _, c := range []struct {
		inputs int64
		want   int
	}{{0, 3}, {7, 0}, {16, 2}, {10_000, 3}} {
		b := Budget{Inputs: c.inputs, Samples: []*corpus.Input{corpus.Of("a"), corpus.Of("b"), corpus.Of("c")}}
		if got := len(b.fewSamples()); got != c.want {
			t.Errorf("%d inputs: %d samples, want %d", c.inputs, got, c.want)
		}
		// What was not run is left for another search.
		e := newTestEngine(Config{})
		e.NewSearch(b)
		tried := len(e.samples.take(1))
		if left := e.UntriedSamples(&b); len(left) != len(b.Samples)-tried || tried > 0 && left[0].Values()[0] != "b" {
			t.Errorf("%d inputs: %v are left of %d", c.inputs, left, len(b.Samples))
		}
	}
}
