package speed

import (
	"slices"
	"testing"
)

func TestEvenly(t *testing.T) {
	var inputs [][]byte
	for i := range byte(10) {
		inputs = append(inputs, []byte{i})
	}
	if got := slices.Concat(evenly(inputs, 4)...); !slices.Equal(got, []byte{0, 2, 5, 7}) {
		t.Errorf("4 of 10: %d", got)
	}
	if got := evenly(inputs, 11); len(got) != 10 {
		t.Errorf("11 of 10: %d", got)
	}
}
