package matrix

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/google/go-cmp/cmp"
)

func TestReduceTakesAndLeavesOutByTurns(t *testing.T) {
	tests := []struct {
		what        string
		prefs       Prefs
		cases       []entryCase
		taken, open []string
	}{
		{
			"what nothing else has",
			Prefs{},
			[]entryCase{
				{Entry: Entry{Name: "alone"}, blocks: []int{1, 2}},
				{Entry: Entry{Name: "a"}, blocks: []int{2, 3, 4}},
				{Entry: Entry{Name: "b"}, blocks: []int{3, 5}},
				{Entry: Entry{Name: "c"}, blocks: []int{4, 5}},
			},
			[]string{"alone"},
			[]string{"a", "b", "c"},
		},
		{
			"what adds nothing to a taken entry is left out, and then nothing can replace the other",
			Prefs{},
			[]entryCase{
				{Entry: Entry{Name: "alone"}, blocks: []int{1, 2}},
				{Entry: Entry{Name: "less"}, blocks: []int{2, 3}},
				{Entry: Entry{Name: "more"}, blocks: []int{3, 4}},
				{Entry: Entry{Name: "other"}, blocks: []int{4}},
			},
			[]string{"alone", "more"},
			[]string{},
		},
		{
			"of equals the best stays",
			Prefs{},
			[]entryCase{
				{Entry: Entry{Name: "differs", Size: 1}, differing: []int{1}},
				{Entry: Entry{Name: "asserts", Size: 9}, asserted: []int{1}},
				{Entry: Entry{Name: "asserts, longer", Size: 10}, asserted: []int{1}},
			},
			[]string{"asserts"},
			[]string{},
		},
		{
			"kills by assertion are features of their own if asked for",
			Prefs{Assertions: true},
			[]entryCase{
				{Entry: Entry{Name: "differs"}, differing: []int{1, 2}},
				{Entry: Entry{Name: "asserts"}, asserted: []int{1}},
			},
			[]string{"differs", "asserts"},
			[]string{},
		},
		{
			"what does not count is no feature",
			Prefs{By: Coverage},
			[]entryCase{
				{Entry: Entry{Name: "kills"}, asserted: []int{1}},
				{Entry: Entry{Name: "covers"}, blocks: []int{1}},
			},
			[]string{"covers"},
			[]string{},
		},
		{
			"fixed entries are none to choose from",
			Prefs{},
			[]entryCase{
				{Entry: Entry{Name: "fixed", Fixed: true}, blocks: []int{1}},
				{Entry: Entry{Name: "a"}, blocks: []int{1}},
			},
			[]string{},
			[]string{},
		},
	}
	for _, test := range tests {
		m := build(test.cases...)
		prefs := test.prefs
		if prefs.By == 0 {
			prefs.By = Kills | Coverage
		}
		c := newCover(m, prefs)
		for i := range m.rows {
			if m.rows[i].Fixed {
				c.take(i)
			}
		}
		taken, open := c.reduce()
		if diff := cmp.Diff([2][]string{test.taken, test.open}, [2][]string{names(m, taken), names(m, open)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.what, diff)
		}
	}
}

// largeMatrix makes a matrix as a corpus of a large package would: an entry reaches
// a few functions, most often the same ones, and kills most of their mutants.
func largeMatrix(entries, mutants, blocks int) *Matrix {
	const perFunction, functions = 40, 20
	rng := rand.New(rand.NewPCG(15, 16))
	m := New(mutants, blocks)
	for i := range entries {
		var kills []Kill
		var hits []Hit
		for range functions {
			// The product of three uniform numbers is small mostly.
			f := int(rng.Float64() * rng.Float64() * rng.Float64() * float64(mutants/perFunction))
			for k := range perFunction {
				if rng.IntN(5) < 3 {
					kills = append(kills, Kill{f*perFunction + k, oracle.Kind(1 + rng.IntN(int(kinds)-1))})
				}
			}
			for b := range perFunction / 4 {
				if rng.IntN(4) > 0 {
					hits = append(hits, Hit{(f*perFunction/4 + b) % blocks, 1})
				}
			}
		}
		m.Add(Entry{Name: fmt.Sprint(i), Size: rng.IntN(1000)}, kills, hits)
	}
	return m
}

// BenchmarkMinimiseLarge takes some seconds, and as many to make the matrix.
func BenchmarkMinimiseLarge(b *testing.B) {
	m := largeMatrix(100_000, 100_000, 25_000)
	kept := 0
	for b.Loop() {
		kept = len(Minimise(m, Prefs{}))
	}
	b.ReportMetric(float64(kept), "kept")
}
