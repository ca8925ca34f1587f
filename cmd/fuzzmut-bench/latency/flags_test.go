package latency

import (
	"strings"
	"testing"
)

// What can't be measured is an error that names the flag, before anything is built.
func TestFlagsThatCanNotBeUsed(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-reps=0", "-reps: "},
		{"-reps=-3", "-reps: "},
		{"-times=10", "-times: "},
		{"-times=", "-times: "},
		{"-times=1s,,2s", "-times: "},
		{"-cached=1,x", "-cached: "},
		{"-cached=1.5", "-cached: "},
		{"-nothing", "nothing"},
	} {
		if err := RunLatency(strings.Fields(c.args)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.args, err, c.want)
		}
	}
}

// A figure has the least and the most of its runs where they differ as they are written.
func TestSpread(t *testing.T) {
	has := func(f *float64) (float64, bool) { return *f, *f >= 0 }
	for _, c := range []struct {
		runs []float64
		want string
	}{
		{nil, "-"},
		{[]float64{-1, -1}, "-"},
		{[]float64{2}, "2.0"},
		{[]float64{2, 2.04, 1.96}, "2.0"},
		{[]float64{3, 1, 2}, "2.0 (1.0-3.0)"},
		{[]float64{3, -1, 1}, "2.0 (1.0-3.0)"},
	} {
		if got := spread(c.runs, "%.1f", has); got != c.want {
			t.Errorf("%v: %q, want %q", c.runs, got, c.want)
		}
	}
}
