package report

import (
	"slices"
	"testing"
)

func TestChangesAreReadInOrder(t *testing.T) {
	b := &Bucket{
		Repairs: []RankedRepair{{Repair: 5, Place: 1}, {Repair: 6, Place: 4}},
		Noisy:   []RankedRepair{{Repair: 7, Place: 2}, {Repair: 8, Place: 3, Elsewhere: true}},
	}
	var got []int
	for _, r := range b.Reading() {
		got = append(got, r.Repair)
	}
	if want := []int{5, 7, 8, 6}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if near := b.Near(); len(near) != 1 || near[0].Repair != 7 || len(b.Noisy) != 2 {
		t.Errorf("near are %+v", near)
	}
}
