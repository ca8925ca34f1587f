package matrix

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

func TestBestIsByKillsThenCoverage(t *testing.T) {
	m := New(10, 10)
	add := func(name string, fixed bool, size int, kills []int, blocks ...int) {
		var k []Kill
		for _, mutant := range kills {
			k = append(k, Kill{Mutant: mutant, Kind: oracle.Assertion})
		}
		var h []Hit
		for _, b := range blocks {
			h = append(h, Hit{Block: b, Bucket: 1})
		}
		m.Add(Entry{Fixed: fixed, Name: name, Size: size}, k, h)
	}
	add("fixed", true, 1, []int{1, 2}, 0)          // 0
	add("wide", false, 1, nil, 1, 2, 3, 4, 5)      // 1
	add("nothing new", false, 1, []int{1, 2}, 0)   // 2
	add("two kills", false, 9, []int{3, 4})        // 3
	add("as many, shorter", false, 2, []int{5, 6}) // 4
	add("those and one", false, 3, []int{3, 5}, 9) // 5
	add("one that is left", false, 1, []int{4}, 6) // 6
	add("coverage alone", false, 1, nil, 1, 2)     // 7
	for n, want := range [][]int{nil, {5}, {5, 6}, {5, 6, 4}, {5, 6, 4, 1}, {5, 6, 4, 1}} {
		if got := Best(m, n); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
}
