package bugs

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
)

// TestOnlyRepairsThatBreakNothingTell: what a mutant does to inputs counts if it
// repairs some input and breaks nothing. One that repairs nothing, and is therefore
// never run on passing inputs, may just wreck the program.
func TestOnlyRepairsThatBreakNothingTell(t *testing.T) {
	tr := New(nil, Options{})
	f := &Input{Repairs: repair.Result{Repaired: []uint32{1, 2}, Changed: []uint32{1, 2, 3}}}
	tr.note(&f.Repairs)
	tr.mutants[2].reason = breaksInput
	f.Repairs.Changed = append(f.Repairs.Changed, 4) // which nobody has noted
	c := tr.CaseOf(f)
	if got := c.Repaired.Members(); !slices.Equal(got, []int{1}) {
		t.Errorf("repaired by %v", got)
	}
	if got := c.Changed.Members(); !slices.Equal(got, []int{1}) {
		t.Errorf("changed by %v", got)
	}
}
