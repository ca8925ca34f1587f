package slowtest

import (
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	time.Sleep(300 * time.Millisecond)
	for _, v := range [][3]int{{1, 2, 3}, {3, 2, 1}, {2, 3, 1}, {1, 3, 2}, {2, 1, 3}, {3, 1, 2}} {
		if m := Median(v[0], v[1], v[2]); m != 2 {
			t.Errorf("%v: %d", v, m)
		}
	}
}

func TestSpread(t *testing.T) {
	if s := Spread(7, 5, 6); s != 2 {
		t.Errorf("got %d", s)
	}
}
