package trial

import (
	"math"
	"testing"
	"time"
)

func TestTheRateIsThatOfTheLastSeconds(t *testing.T) {
	begin := time.Unix(1000, 0)
	w := &watch{begin: begin, last: 50, lastAt: begin}
	for _, step := range []struct {
		after      time.Duration // the last step
		executions int64         // in it
		want       float64
	}{
		{time.Second, 100, 100},     // the first counts as it is
		{time.Second, 300, 200},     // half of the way
		{0, 7, 200},                 // no time, no rate
		{10 * time.Second, 500, 50}, // long ago is forgotten
		{500 * time.Millisecond, 0, 37.5},
	} {
		w.count(w.last+step.executions, w.lastAt.Add(step.after))
		if math.Abs(w.rate-step.want) > 0.8 {
			t.Errorf("%d in %v: %v a second, want %v", step.executions, step.after, w.rate, step.want)
		}
	}
}
