package campaign

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// failing is an input that may fail.
type failing struct {
	entry   corpus.Entry
	asked   bool   // it was given as a failing one
	input   []byte // encoded for the wire
	status  string // of the report; "" while it is not known
	reason  string
	result  wire.Result
	treated bool // repairs is known
	number  int  // among the inputs that are sorted
	repairs repair.Result
}

func (t *sorting) add(e corpus.Entry, asked bool) {
	t.inputs = append(t.inputs, failing{entry: e, asked: asked, input: wire.Encode(e.Values)})
}

// dropDuplicates keeps the first of the inputs with the same values, one that was
// given as failing before others.
func (t *sorting) dropDuplicates() {
	first := make(map[string]int)
	order := make([]int, len(t.inputs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := t.inputs[a].asked, t.inputs[b].asked; {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	for _, i := range order {
		f := &t.inputs[i]
		if f.status != "" {
			continue
		}
		if have, ok := first[f.entry.Hash]; ok {
			f.status, f.reason = report.Duplicate, "of "+t.inputs[have].entry.Name
			continue
		}
		first[f.entry.Hash] = i
	}
}
