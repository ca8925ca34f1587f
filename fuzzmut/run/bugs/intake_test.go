package bugs_test

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// code has two bugs. The first fails in two functions that call it.
const code = `var table = [3]int{1, 2, 3}

func at(i int) int { return table[i%5] }

// Even and Odd look an index up.
func Even(n int) int { return at(n / 2) }

func Odd(n int) int { return at(n) }

// Half panics for one number.
func Half(n int) int {
	if n == 100 {
		panic("a hundred")
	}
	return n / 2
}
`

const fuzz = `func FuzzX(f *testing.F) {
	f.Add(0)
	f.Fuzz(func(t *testing.T, n int) {
		if n < 0 {
			return
		}
		Half(n)
		if n%2 == 0 {
			Even(n)
		} else {
			Odd(n)
		}
	})
}
`

// TestBothRoadsLeadToTheSameBugs: the inputs are sorted alike by the mutants of the second
// binary, and, if there is none, by those of the run.
func TestBothRoadsLeadToTheSameBugs(t *testing.T) {
	dir := trialtest.Module(t, code, fuzz)
	var in *bugs.Intake
	shown := 0
	x := trialtest.Open(t, dir, trial.Hooks{OnFailure: func(f failures.Failure) {
		if in.Add(f) {
			shown++
		}
	}})
	in = bugs.NewIntake(t.Context(), x)
	defer in.Stop()
	if err := x.Baseline(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	var inputs []*corpus.Input
	for _, n := range []int{1, 2, 3, 4, 6, 8, 13, 100} { // 3, 6, 8, 13 and 100 fail
		inputs = append(inputs, corpus.Of(n))
	}
	ev, err := x.Engine.Exact.Evaluate(t.Context(), evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err != nil {
		t.Fatal(err)
	}
	x.Engine.Found(inputs, ev)
	in.Close()
	if !in.Finish() {
		t.Fatal("not all failing inputs were assigned")
	}
	if shown != 1 {
		t.Errorf("%d failing inputs are shown before any is assigned", shown)
	}
	final := append(x.Given, corpus.Of(1).Found(), corpus.Of(2).Found(), corpus.Of(4).Found())
	for _, assigned := range []bool{true, false} {
		list, err := in.Bugs(t.Context(), final, assigned)
		if err != nil {
			t.Fatal(err)
		}
		executions := int64(0)
		for _, b := range list {
			executions += b.Count
		}
		if len(list) != 2 || executions != 5 {
			t.Errorf("assigned %v: %d bugs of %d executions", assigned, len(list), executions)
			for _, b := range list {
				t.Logf("%s: %d stacks, %d inputs", b.Outcome.Message, b.Stacks, len(b.Inputs))
			}
		}
	}
}
