package report

import "testing"

func TestCostsInWords(t *testing.T) {
	for want, c := range map[string]Cost{
		"1 MiB takes 500 ms (measured)":               {MegabyteSeconds: 0.5},
		"1 MiB takes 12.3 s (extrapolated)":           {MegabyteSeconds: 12.34, Extrapolated: true},
		"1 MiB takes 20 min (extrapolated)":           {MegabyteSeconds: 1200, Extrapolated: true},
		"1 MiB takes more than a year (extrapolated)": {MegabyteSeconds: 4e7, Extrapolated: true},
		"1 MiB takes 100 h (extrapolated)":            {MegabyteSeconds: 360_000, Extrapolated: true},
	} {
		if got := c.Megabyte(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	c := Cost{Grows: "allocated bytes", Exponent: 2, TimeExponent: 1.76}
	if got := c.Growth(); got != "allocated bytes grow as length^2.0, processor time as length^1.8" {
		t.Errorf("%q", got)
	}
	for want, c := range map[string]Cost{
		"processor time grows as length^1.9, most of it in strings.Index": {Frames: []string{"p.F p.go:3"}, Outside: "strings.Index"},
		"processor time grows as length^1.9":                              {Frames: []string{"p.F p.go:3"}},
		"processor time grows as length^1.9, at no line that is known":    {},
	} {
		c.Grows, c.Exponent, c.TimeExponent = "processor time", 1.91, 1.91
		if got := c.Growth(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if n := Costs([]FuzzTest{{Costs: []Cost{c}}, {}, {Costs: []Cost{c, c}}}); n != 3 {
		t.Errorf("%d", n)
	}
}
