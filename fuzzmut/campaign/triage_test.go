package campaign

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
)

// TestOnlyRepairsThatBreakNothingTell: what a mutant does to inputs counts if it
// repairs some input and breaks nothing. One that repairs nothing, and is therefore
// never run on passing inputs, may just wreck the program.
func TestOnlyRepairsThatBreakNothingTell(t *testing.T) {
	tr := &triager{mutants: map[uint32]*effect{
		1: {repairs: true},
		2: {repairs: true, reason: breaksInput},
		3: {breaks: 4},
	}}
	f := &failing{repairs: engine.Repairs{Repaired: []uint32{1, 2}, Changed: []uint32{1, 2, 3, 4}}}
	c := tr.caseOf(f)
	if got := c.Repaired.Members(); !slices.Equal(got, []int{1}) {
		t.Errorf("repaired by %v", got)
	}
	if got := c.Changed.Members(); !slices.Equal(got, []int{1}) {
		t.Errorf("changed by %v", got)
	}
}
