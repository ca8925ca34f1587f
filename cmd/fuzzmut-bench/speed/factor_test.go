package speed

import "testing"

func TestFactorsAreToTheLineAbove(t *testing.T) {
	for _, c := range []struct {
		now, before float64
		want        string
	}{{3, 0, ""}, {3, 2, "1.50"}, {1, 4, "0.25"}} {
		if got := factor(c.now, c.before); got != c.want {
			t.Errorf("%v after %v: %q, want %q", c.now, c.before, got, c.want)
		}
	}
}

func TestTheMedianIsOneOfTheSamples(t *testing.T) {
	all := []sample{{stock: 5, ours: 1}, {stock: 1, ours: 9}, {stock: 3, ours: 2}}
	if got := median(all, func(s sample) float64 { return s.stock }); got != 3 {
		t.Errorf("stock: %v", got)
	}
	if got := median(all, func(s sample) float64 { return s.ours }); got != 2 {
		t.Errorf("ours: %v", got)
	}
}
