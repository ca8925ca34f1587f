package fuzzing

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Samples take up to half of the turns where they bring more for what they cost, and one in 32
// where they bring less. Where neither brings anything, they are soon over.
func TestPaceOfSamples(t *testing.T) {
	const turns = 3200
	for name, c := range map[string]struct {
		given, bred arm // of each input
		least, most int // of the turns
	}{
		"more":             {arm{spent: 10, brought: 3}, arm{spent: 10, brought: 2}, turns * 4 / 10, turns / 2},
		"less":             {arm{spent: 10, brought: 2}, arm{spent: 10, brought: 3}, turns / 32, turns / 16},
		"more, but dear":   {arm{spent: 100, brought: 3}, arm{spent: 10, brought: 2}, turns / 32, turns / 16},
		"less, but cheap":  {arm{spent: 10, brought: 2}, arm{spent: 100, brought: 3}, turns * 4 / 10, turns / 2},
		"nothing":          {arm{spent: 10}, arm{spent: 10, brought: 1}, turns / 32, turns / 16},
		"nothing anywhere": {arm{spent: 10}, arm{spent: 10}, turns * 4 / 10, turns / 2},
	} {
		p := newPace()
		n := 0
		for range turns {
			if p.due() {
				n++
				p.bookGiven(c.given.spent, c.given.brought)
			} else {
				p.bred.add(c.bred.spent, c.bred.brought)
			}
		}
		if n < c.least || n > c.most {
			t.Errorf("%s: %d of %d turns, want %d to %d", name, n, turns, c.least, c.most)
		}
	}
}

// A pace goes on from one round to the next; what is no sample has each third turn.
func TestOnlySamplesArePaced(t *testing.T) {
	var counters [8]uint8
	f, out := newTestFuzzer(t, 0, func(*testing.T, string) {}, counters[:], nil)
	for _, c := range []struct {
		paced bool
		tried int
	}{{false, 3}, {true, 3}, {true, 2}, {false, 3}} {
		req := &wire.Fuzz{Seed: 1, Execs: 9, Filter: "none", Slow: 1000, Limit: 10_000, Paced: c.paced}
		for _, s := range []string{"a", "b", "c", "d"} {
			req.Try = append(req.Try, wire.Encode([]any{s}))
		}
		if err := ask(f, wire.Request{Fuzz: req}); err != nil {
			t.Fatal(err)
		}
		all := out.Replies()
		if end := all[len(all)-1].Fuzzed; end == nil || end.Tried != c.tried {
			t.Errorf("paced %v: the round ends with %+v", c.paced, end)
		}
	}
}
