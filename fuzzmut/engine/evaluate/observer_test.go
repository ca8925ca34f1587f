//go:build unix

package evaluate

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
)

// An observer runs one list after the other in one process, until that ends.
func TestAnObserverKeepsItsProcess(t *testing.T) {
	e := newEvaluator(1)
	o := e.NewObserver()
	defer o.Close()
	dies := func(observe func() ([]Observed, error)) bool {
		t.Helper()
		seen, err := observe()
		if err != nil || len(seen) != 1 {
			t.Fatalf("%d observed: %v", len(seen), err)
		}
		return seen[0].Cause != ""
	}
	inputs := fake.Inputs("crowd") // it ends a process in which something was run before
	kept := func() ([]Observed, error) { return o.Observe(t.Context(), inputs, nil) }
	for i, want := range []bool{false, true, false, true} {
		if got := dies(kept); got != want {
			t.Errorf("list %d: the process dies: %v, want %v", i, got, want)
		}
	}
	for range 2 {
		if dies(func() ([]Observed, error) { return e.Observe(t.Context(), inputs, nil) }) {
			t.Error("Observe did not begin in a process of its own")
		}
	}
	if n := e.Observed(); n != 4 {
		t.Errorf("%d inputs were observed, want 4", n)
	}
}
