package bugs

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
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

// What an oracle that is asked for sees is distinguished by its lines: an overflow by those of the stack, a race by the
// pair of places, a goroutine by what has started it and not by where it waits.
func TestWhatIsAskedForIsSortedByItsLines(t *testing.T) {
	tr := New(nil, Options{})
	token := func(kind wire.OutcomeKind, frames ...string) string {
		return tr.CaseOf(&Input{Result: wire.Result{Outcome: wire.Outcome{Kind: kind, Message: "m", Frames: frames}}}).Token
	}
	for _, kind := range []wire.OutcomeKind{wire.Leak, wire.Overflow, wire.Race} {
		a := token(kind, "p.F p.go:3", "p.G p.go:7")
		if b := token(kind, "p.F p.go:3", "p.G p.go:7"); a != b {
			t.Errorf("%v: %q, %q", kind, a, b)
		}
		b, c := token(kind, "p.F p.go:4", "p.G p.go:7"), token(kind, "p.F p.go:3", "p.G p.go:8")
		if (a == b) != (kind == wire.Leak) || a == c {
			t.Errorf("%v: %q, %q, %q", kind, a, b, c)
		}
	}
}

// What inputs cost that pass takes a small part of the time where others fail.
func TestFailingInputsHaveTheTimeFirst(t *testing.T) {
	passes, fails := Input{Status: report.Passes}, Input{Result: wire.Result{Outcome: wire.Outcome{Kind: wire.Panic}}}
	for _, c := range []struct {
		inputs []Input
		want   float64
	}{{[]Input{passes, passes}, costShare}, {[]Input{passes, fails}, costBeside}} {
		if got := (&Sorting{Inputs: c.inputs}).costShare(); got != c.want {
			t.Errorf("%d inputs: %v, want %v", len(c.inputs), got, c.want)
		}
	}
}
