package reach

import (
	"slices"
	"testing"
)

func TestPackagesAreTakenInTurn(t *testing.T) {
	mutants := map[string]int{"a": 10, "b": 50, "c": 40, "d": 5}
	for _, c := range []struct {
		most         int
		chosen, left []string
		n            int
	}{
		{1000, []string{"a", "b", "c", "d"}, nil, 105},
		{105, []string{"a", "b", "c", "d"}, nil, 105},
		{104, []string{"a", "b", "c"}, []string{"d"}, 100},
		{70, []string{"a", "b", "d"}, []string{"c"}, 65},
		{3, []string{"a"}, []string{"b", "c", "d"}, 10}, // the first in any case
	} {
		chosen, left, n := fit([]string{"a", "b", "c", "d"}, mutants, c.most)
		if !slices.Equal(chosen, c.chosen) || !slices.Equal(left, c.left) || n != c.n {
			t.Errorf("%d: %q, %q, %d", c.most, chosen, left, n)
		}
	}
}
