// Command run looks for the faults of a workload with a strategy of package search, by
// derived generators only, and prints a line of JSON for each run.
package main

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/bst"
	"github.com/fuzzmut/fuzzmut/testdata/properties/rbt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/stlc"
)

func main() { hunt.Main(subject) }

// subject returns the workload of a name. Those whose names end in "-ops" have no
// preconditions.
func subject(name string) (*hunt.Subject, error) {
	reg := derive.NewRegistry()
	const size = 10 // the default of package search
	switch name {
	case "bst":
		return hunt.New(reg, bst.Faults, size, func(fault int) func(*bst.Case) hunt.Outcome { return bst.Trees{Fault: fault}.Check })
	case "bst-ops":
		return hunt.New(reg, bst.Faults, size, func(fault int) func(*bst.Program) hunt.Outcome { return bst.Trees{Fault: fault}.Run })
	case "rbt":
		return hunt.New(reg, rbt.Faults, size, func(fault int) func(*rbt.Case) hunt.Outcome { return rbt.Trees{Fault: fault}.Check })
	case "rbt-ops":
		return hunt.New(reg, rbt.Faults, size, func(fault int) func(*[]rbt.Op) hunt.Outcome { return rbt.Trees{Fault: fault}.Run })
	case "stlc":
		return hunt.New(reg, stlc.Faults, size, func(fault int) func(*stlc.Expr) hunt.Outcome { return stlc.Calculus{Fault: fault}.Check })
	}
	return nil, fmt.Errorf("there is no workload %q: there are bst, bst-ops, rbt, rbt-ops and stlc", name)
}
