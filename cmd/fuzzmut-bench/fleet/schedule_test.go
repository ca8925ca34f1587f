package fleet

import (
	"math"
	"testing"
)

func TestOverhead(t *testing.T) {
	even := []float64{2, 2}
	for _, c := range []struct {
		name        string
		cost        cost
		workers     int
		length      float64
		during, all float64
	}{
		{"nothing costs anything", cost{slices: even}, 4, 1, 0, 0},
		// A worker waits after each of its slices but the last.
		{"time between slices", cost{slices: even, between: 1}, 1, 10, 19.0 / 219, 19.0 / 219},
		{"slices of other lengths, as different as measured", cost{slices: []float64{1, 3}}, 1, 10, 0, 0},
		{"nothing was measured", cost{server: 1}, 1, 1, 0, 0},
	} {
		during, all := c.cost.overhead(c.workers, c.length)
		if math.Abs(during-c.during) > 1e-9 || math.Abs(all-c.all) > 1e-9 {
			t.Errorf("%s: %v and %v, want %v and %v", c.name, during, all, c.during, c.all)
		}
	}
	// A server that can do one slice in a second holds up more workers than that.
	c := cost{slices: even, server: 1}
	if few, _ := c.overhead(10, 100); few > 0.06 {
		t.Errorf("10 workers wait for %v of their time", few)
	}
	if crowd, _ := c.overhead(1000, 100); crowd < 0.8 {
		t.Errorf("1000 workers wait for %v of their time", crowd)
	}
	if least := (&cost{slices: even, between: 0.05}).least(); least != 5 {
		t.Errorf("from %v s on", least)
	}
}

func TestSetsThatDiffer(t *testing.T) {
	set := func(names ...string) map[string]bool {
		s := make(map[string]bool)
		for _, n := range names {
			s[n] = true
		}
		return s
	}
	if lost, more := differ(set("a", "b"), set("b", "c", "d")); lost != 1 || more != 2 {
		t.Errorf("%d, %d", lost, more)
	}
}

func TestProcessorTime(t *testing.T) {
	for text, want := range map[string]float64{
		"7 (a b) c) S 1 2 3 4 5 6 7 8 9 10 150 50 900 900 20 0": 2, "7 (a) S 1": -1, "": -1, "7 (a) S 1 2 3 4 5 6 7 8 9 10 x 50": -1,
	} {
		if got := parseStat(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
