package main

import (
	"slices"
	"testing"
)

func TestSlicesGoWhereTheyBringMost(t *testing.T) {
	had := func(slices, given, found int) yield { return yield{Slices: slices, Given: given, Found: found} }
	for _, c := range []struct {
		name   string
		yields []yield
		dry    int
		want   []int
	}{
		{"all alike at first", []yield{{}, {}, {}}, 0, []int{4, 4, 4}},
		{"by what they found", []yield{had(4, 4, 29), had(4, 4, 9)}, 0, []int{6, 2}},
		{"for what it took", []yield{had(4, 1, 9), had(4, 3, 9)}, 0, []int{6, 2}},
		{"who found nothing is not given up", []yield{had(4, 4, 3), had(4, 4, 0)}, 0, []int{7, 1}},
		{"the first where all are the same", []yield{had(8, 4, 0), had(8, 4, 0), had(8, 4, 0)}, 0, []int{4, 4, 4}},
		{"one that is done gets none", []yield{{Slices: 4, Given: 4, Found: 9, Full: true}, had(4, 4, 1)}, 0, []int{0, 8}},
		{"one that is dry", []yield{{Slices: 8, Given: 4, Dry: 2}, had(4, 4, 1)}, 2, []int{0, 8}},
		{"not yet", []yield{{Slices: 8, Given: 4, Dry: 2}, had(4, 4, 1)}, 3, []int{3, 5}},
		{"all are done", []yield{{Slices: 8, Given: 4, Full: true}, {Slices: 8, Given: 4, Full: true}}, 0, []int{0, 0}},
	} {
		if got := divide(c.yields, 4, c.dry); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestARoundIsBooked(t *testing.T) {
	var y yield
	for _, r := range []struct {
		given, found int
		want         yield
	}{
		{4, 7, yield{Slices: 4, Given: 4, Found: 7}},
		{2, 0, yield{Slices: 6, Given: 2, Found: 0, Dry: 1}},
		{0, 0, yield{Slices: 6, Given: 2, Found: 0, Dry: 1}}, // it had no slices: nothing is known
		{1, 0, yield{Slices: 7, Given: 1, Found: 0, Dry: 2}},
		{3, 1, yield{Slices: 10, Given: 3, Found: 1}},
	} {
		if y.book(r.given, r.found, false); y != r.want {
			t.Errorf("%+v, want %+v", y, r.want)
		}
	}
}
