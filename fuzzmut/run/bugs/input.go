package bugs

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Input is an input that may fail.
type Input struct {
	Entry   corpus.Entry
	Asked   bool   // it was given as a failing one
	Status  string // of the report; "" while it is not known
	Reason  string
	Result  wire.Result
	Cost    *costs.Finding // what it costs too much; nil: it does not, or nobody has looked
	tried   bool           // repairs is known
	number  int            // among the inputs that are sorted
	Repairs repair.Result
}

// Add adds an input; asked says that it was given as a failing one.
func (t *Sorting) Add(e corpus.Entry, asked bool) {
	t.Inputs = append(t.Inputs, Input{Entry: e, Asked: asked})
}

// dropDuplicates keeps the first of the inputs with the same values, one that was
// given as failing before others.
func (t *Sorting) dropDuplicates() {
	first := make(map[string]int)
	order := make([]int, len(t.Inputs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := t.Inputs[a].Asked, t.Inputs[b].Asked; {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	for _, i := range order {
		f := &t.Inputs[i]
		if f.Status != "" {
			continue
		}
		if have, ok := first[f.Entry.Input.Hash()]; ok {
			f.Status, f.Reason = report.Duplicate, "of "+t.Inputs[have].Entry.Name
			continue
		}
		first[f.Entry.Input.Hash()] = i
	}
}
