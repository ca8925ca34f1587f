package bugs

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// A bug of several stacks says what the smallest of their inputs does, which is the one that is shown.
func TestABugSaysWhatItsInputDoes(t *testing.T) {
	long, short := panicAt("no use for 'abc'", "p.F p.go:1"), panicAt("no use for 'd'", "p.F p.go:1")
	list := Unsorted([]*failures.Stack{
		{Key: "a", Outcome: long, Inputs: []*corpus.Input{input("abc")}, Count: 1},
		{Key: "b", Outcome: short, Inputs: []*corpus.Input{input("d"), input("ef")}, Count: 2},
	})
	if len(list) != 1 || describe(list[0]) != "d abc ef: 3 executions, 1 stacks" || list[0].Outcome.Message != short.Message {
		t.Errorf("%+v", list)
	}
}

// The mutants of the run that repair are those of the operators that triage has, guards
// among them, which are a group.
func TestOperatorsOfTriageRepair(t *testing.T) {
	names := []string{"statement-deletion", "condition-negation", "nil-guard", "bounds-guard", "append-removal", "conditional-boundary"}
	p := new(instrument.Program)
	for _, name := range names {
		p.Mutants = append(p.Mutants, instrument.Mutant{Operator: name})
	}
	no := noRepair(p)
	for i, name := range names {
		if got := no(uint32(i + 1)); got != (i >= 4) {
			t.Errorf("%s is left out: %v", name, got)
		}
	}
}
