package exec

import "testing"

// The share of runs whose time is taken is the same among all and among those at each place of
// a period.
func TestSampledRunsAreScattered(t *testing.T) {
	const runs = 1 << 20
	for _, period := range []uint64{1, 2, 64, 100, 128} {
		for at := range min(period, 8) {
			n := 0
			for run := at; run < runs; run += period {
				if sampled(run) {
					n++
				}
			}
			want := float64(runs) / float64(period) / sampleEvery
			if f := float64(n); f < 0.6*want || f > 1.4*want {
				t.Errorf("%d of the runs at %d of each %d, want about %.0f", n, at, period, want)
			}
		}
	}
}
