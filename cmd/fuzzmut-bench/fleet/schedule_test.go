package fleet

import (
	"math"
	"testing"
)

func TestEfficiency(t *testing.T) {
	for _, c := range []struct {
		name          string
		workers, jobs int
		server        float64
		measured      []float64
		want          float64
	}{
		{"all the time", 4, 8, 0, []float64{1}, 1},
		{"one has nothing to do at the end", 2, 3, 0, []float64{1}, 0.75},
		{"the server is slower than the workers", 4, 4, 1, []float64{1}, 0.2},
		{"the server is done at the end of the last", 1, 2, 0.5, []float64{1}, 0.8},
		{"nothing was measured", 1, 1, 1, nil, 0},
	} {
		if got := efficiency(c.workers, c.jobs, c.server, 1, c.measured); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
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
