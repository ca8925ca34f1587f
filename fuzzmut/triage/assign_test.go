package triage_test

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

// fails is a failing input with a token, and what mutants do to it.
func fails(token string, repaired, changed []int) triage.Case {
	return triage.Case{Token: token, Outcomes: triage.Outcomes{
		Repaired: bitset.Of(repaired...), Changed: bitset.Of(changed...),
	}}
}

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

func TestTellingMutants(t *testing.T) {
	for _, c := range []struct {
		name  string
		known []triage.Case
		want  []int
	}{
		{"nothing is known", nil, []int{}},
		{"one bucket goes by its own repairs", []triage.Case{fails("a", upTo(9), []int{20})}, []int{0, 1, 2, 3}},
		{"it may have few", []triage.Case{fails("a", []int{7}, nil)}, []int{7}},
		{"nobody repairs it", []triage.Case{fails("a", nil, []int{3, 4})}, []int{}},
		{
			"what repairs both is enough for each, and does not tell",
			[]triage.Case{fails("a", []int{1, 2, 3, 4, 30}, nil), fails("a", []int{1, 2, 3, 4, 5}, nil)},
			[]int{1, 2, 3, 4, 5, 30},
		},
		{
			"another failure tells too",
			[]triage.Case{fails("a", []int{1}, []int{8}), fails("a", []int{1}, []int{9})},
			[]int{1, 8, 9},
		},
		{
			"equal buckets leave nothing to tell",
			[]triage.Case{fails("a", []int{1}, nil), fails("a", []int{1}, nil)},
			[]int{1},
		},
		{
			"one mutant may serve many pairs",
			[]triage.Case{fails("a", []int{50}, nil), fails("a", nil, []int{1, 2, 3, 4}), fails("a", nil, []int{1, 2, 3, 4})},
			[]int{1, 2, 3, 50},
		},
	} {
		if got := triage.Telling(c.known); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Whatever there is to know, few are chosen.
func TestTellingMutantsAreFew(t *testing.T) {
	known := []triage.Case{fails("a", upTo(400), nil), fails("a", upTo(500)[200:], nil), fails("a", upTo(500)[450:], upTo(100))}
	if got := triage.Telling(known); len(got) > 12 {
		t.Errorf("%d mutants are run: %v", len(got), got)
	}
}

func TestPlaceByTellingMutants(t *testing.T) {
	known := []triage.Case{
		fails("a", []int{1, 2, 3, 4}, []int{10}),
		fails("a", []int{5, 6, 7, 8}, []int{11}),
		fails("b", []int{1, 2, 3, 4}, nil),
		fails("a", nil, []int{12}),
	}
	telling := []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 11}
	for _, c := range []struct {
		name string
		c    triage.Case
		want int
	}{
		{"as the first", fails("a", []int{1, 2, 3, 4}, []int{10}), 0},
		{"as the second", fails("a", []int{5, 6, 7, 8}, []int{11}), 1},
		{"nearly", fails("a", []int{5, 6, 7, 8}, []int{10, 11}), 1},
		{"elsewhere", fails("b", []int{1, 2, 3, 4}, nil), 2},
		{"at a place of its own", fails("c", []int{1, 2, 3, 4}, []int{10}), -1},
		{"between the two", fails("a", []int{3, 4, 5, 6}, nil), -1},
		{"not repaired, as the last, by what was run", fails("a", nil, nil), -1},
	} {
		if got := triage.NearestByTelling(known, c.c, telling); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// Inputs that come one by one end up where Sort puts them all together.
func TestPlaceAgreesWithSort(t *testing.T) {
	cases := failingCases()
	var known [][]triage.Case
	var buckets [][]int
	for i, c := range cases {
		at := triage.Nearest(known, c)
		if at < 0 {
			known, buckets = append(known, nil), append(buckets, nil)
			at = len(known) - 1
		}
		known[at] = append(known[at], c)
		buckets[at] = append(buckets[at], i)
	}
	sorted := triage.Sort(cases, triage.Options{First: -1}).Buckets
	for i := range sorted {
		slices.Sort(sorted[i])
	}
	slices.SortFunc(sorted, func(a, b []int) int { return a[0] - b[0] })
	if !slices.EqualFunc(buckets, sorted, slices.Equal[[]int]) {
		t.Errorf("assigned %v, sorted %v", buckets, sorted)
	}
}
