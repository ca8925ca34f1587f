package bugs

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
)

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
