package budget

import (
	"math"
	"testing"
)

// A rate is what is gained for the cost, with the doubt that a gain was just missed; without
// cost there is none.
func TestARateIsWhatIsGainedForTheCost(t *testing.T) {
	r := NewRate(100)
	if r.Value() != 0 {
		t.Errorf("of nothing: %v", r.Value())
	}
	r.Note(0, 10)
	if got := r.Value(); got != doubt/10 {
		t.Errorf("without a gain: %v, want a doubt", got)
	}
	r.Note(3, 10)
	if got, want := r.Value(), (3+doubt)/20; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// What was long ago counts less and less: after some windows a rate is that of late, whatever
// came before.
func TestARateForgets(t *testing.T) {
	const window = 16
	for _, c := range []struct{ before, late float64 }{{0, 1}, {1, 0}, {100, 1}, {0.5, 0.5}} {
		r := NewRate(window)
		for range 1000 {
			r.Note(c.before, 1)
		}
		old := r.Value()
		if math.Abs(old-c.before) > 2*doubt/(window/2) {
			t.Errorf("%v all the time is %v", c.before, old)
		}
		last := old
		for n := range 10 * window {
			r.Note(c.late, 1)
			v := r.Value()
			if c.late > c.before && v < last-doubt/2 || c.late < c.before && v > last+doubt/2 {
				t.Errorf("from %v to %v, after %d: %v after %v", c.before, c.late, n, v, last)
			}
			last = v
		}
		if math.Abs(last-c.late) > 2*doubt/(window/2) {
			t.Errorf("from %v to %v: %v", c.before, c.late, last)
		}
	}
}
