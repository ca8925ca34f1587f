package load

import "testing"

func TestParseCost(t *testing.T) {
	for s, want := range map[string]float64{
		"n": 1.5, "n log n": 1.75, "n^2": 2.5, "n^1.5": 2, " n^2 log n ": 2.75, "any": Any,
		"": 0, "n^": 0, "n^0": 0, "n^-2": 0, "n^NaN": 0, "m": 0, "n log": 0, "n n": 0, "any log n": 0, "n^2 log m": 0, "linear": 0,
	} {
		got, ok := ParseCost(s)
		if got != want || ok != (want > 0) {
			t.Errorf("%q: %g, %v, want %g", s, got, ok, want)
		}
	}
}
