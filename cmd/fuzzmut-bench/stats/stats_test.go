package stats

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func upTo(n int, step, offset float64) (x []float64) {
	for i := range n {
		x = append(x, float64(i)*step+offset)
	}
	return x
}

func TestMannWhitney(t *testing.T) {
	for _, test := range []struct {
		about string
		x, y  []float64
		u, p  float64
	}{
		{"nothing in common, of 20 ways 2", []float64{1, 2, 3}, []float64{4, 5, 6}, 0, 0.1},
		{"the other way round", []float64{4, 5, 6}, []float64{1, 2, 3}, 9, 0.1},
		{"5 and 5, of 252 ways 2", upTo(5, 1, 1), upTo(5, 1, 6), 0, 2.0 / 252},
		{"in turns", []float64{1, 3, 5}, []float64{2, 4, 6}, 3, 0.7},
		{"unequal sizes, of 15 ways 2", []float64{9, 8}, []float64{1, 2, 3, 4}, 8, 2.0 / 15},
		{"all alike", []float64{7, 7, 7}, []float64{7, 7}, 3, 1},
		// Sums of two ranks of 1.5, 1.5, 3, 4: 3, 4.5, 4.5, 5.5, 5.5, 7.
		{"a tie on one side", []float64{1, 1}, []float64{2, 3}, 0, 2.0 / 6},
		// Ranks 1, 2.5, 2.5, 4; sums 3.5, 3.5, 5, 5, 6.5, 6.5.
		{"a tie over both sides", []float64{1, 2}, []float64{2, 3}, 0.5, 4.0 / 6},
		// Of 3 ways 1; the distribution is not symmetric.
		{"a tie, and unequal sizes", []float64{2}, []float64{0, 0}, 2, 1.0 / 3},
		{"no values", nil, []float64{1}, 0, 1},
	} {
		u, p := MannWhitney(test.x, test.y)
		if !near(u, test.u) || !near(p, test.p) {
			t.Errorf("%s: U = %v, p = %v; want %v, %v", test.about, u, p, test.u, test.p)
		}
	}
}

// The critical value of U for 20 and 20 values at 0.05, two-sided, is 127 in the
// tables, and for 10 and 10 it is 23.
func TestMannWhitneyHasTheCriticalValuesOfTheTables(t *testing.T) {
	for _, test := range []struct{ n, critical int }{{5, 2}, {10, 23}, {20, 127}} {
		ranks := doubleRanks(upTo(2*test.n, 1, 0))
		if p := exact(ranks, test.n, float64(test.critical)); p > 0.05 {
			t.Errorf("%d values: U = %d has p = %v", test.n, test.critical, p)
		}
		if p := exact(ranks, test.n, float64(test.critical+1)); p <= 0.05 {
			t.Errorf("%d values: U = %d has p = %v", test.n, test.critical+1, p)
		}
	}
}

func TestTheApproximationIsNearTheExactValue(t *testing.T) {
	for _, x := range [][]float64{upTo(20, 1, 0.5), upTo(20, 1, 4.5), upTo(20, 2, 0), {0, 0, 0, 1, 1, 2, 2, 3, 9, 9, 9, 9, 9, 12, 12, 13, 14, 14, 15, 15}} {
		y := upTo(20, 1, 0)
		u, p := MannWhitney(x, y)
		ranks := doubleRanks(append(append([]float64{}, x...), y...))
		if a := approximate(ranks, len(x), u); math.Abs(a-p) > 0.01 {
			t.Errorf("approximately %v, exactly %v", a, p)
		}
	}
}

func TestManyValuesAreApproximated(t *testing.T) {
	if u, p := MannWhitney(upTo(100, 1, 0), upTo(100, 1, 200)); u != 0 || p > 1e-30 {
		t.Errorf("U = %v, p = %v", u, p)
	}
	if _, p := MannWhitney(make([]float64, 60), make([]float64, 60)); p != 1 {
		t.Errorf("p = %v of values that are all alike", p)
	}
}

func TestA12(t *testing.T) {
	for _, test := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{2, 3}, []float64{0, 1}, 1},
		{[]float64{0}, []float64{1, 2}, 0},
		{[]float64{1, 2}, []float64{1, 2}, 0.5},
		{[]float64{1, 3}, []float64{2, 3}, 1.5 / 4},
	} {
		if got := A12(test.x, test.y); got != test.want {
			t.Errorf("A12(%v, %v) = %v, want %v", test.x, test.y, got, test.want)
		}
	}
}

func TestMeans(t *testing.T) {
	x := []float64{8, 1, 1}
	if a, g, m := Mean(x), GeometricMean(x), Median(x); !near(a, 10.0/3) || !near(g, 2) || m != 1 {
		t.Errorf("means %v, %v, %v of %v", a, g, m, x)
	}
	if m := Median([]float64{4, 1, 2, 9}); m != 3 {
		t.Errorf("the median of four values is %v", m)
	}
	if m := Median([]float64{3, 1, 2, 10}); m != 2.5 {
		t.Errorf("median = %v, want 2.5", m)
	}
	if Mean(nil) != 0 || GeometricMean(nil) != 0 || Median(nil) != 0 {
		t.Error("means of nothing")
	}
}
