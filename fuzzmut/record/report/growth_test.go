package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
)

func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		work, memory behavior.Work
		want         []string
	}{
		{},
		{behavior.Work{Old: 300, New: 45_150}, behavior.Work{}, []string{"300 → 45,150 units of work (150 times)"}},
		{behavior.Work{}, behavior.Work{Old: 20_000, New: 110_000}, []string{"20,000 → 110,000 bytes allocated (5.5 times)"}},
		{
			behavior.Work{Old: 0, New: 5000},
			behavior.Work{Old: 1, New: 100_000},
			[]string{"0 → 5,000 units of work (5,000 times)", "1 → 100,000 bytes allocated (100,000 times)"},
		},
	} {
		if diff := cmp.Diff(c.want, Growth(&behavior.Cause{Work: c.work, Memory: c.memory})); diff != "" {
			t.Errorf("%v, %v (-want +got):\n%s", c.work, c.memory, diff)
		}
	}
}
