package bugs

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
)

// Cells is a part of the matrix of failing inputs and mutants: all inputs, and one of several
// parts of the mutants.
type Cells struct{ Part, Parts int } // the part, from 1, and the number of parts

// PartsMost bounds the parts.
const PartsMost = 1 << 12

// has reports whether a mutant is in the part.
func (c Cells) has(m uint32) bool { return int(m)%c.Parts == c.Part-1 }

// FindCells runs the failing inputs with the mutants of a part, and calls leave for each input
// with which all of these were run. fuel is what a run with a mutant may burn: it depends on the
// inputs that pass. Inputs for which the part of the mutants would decide are left out: see
// repair.Failing.Divisible. found is how many inputs were left, of how many that can be divided.
func (t *Sorting) FindCells(ctx context.Context, c Cells, leave func(in *corpus.Input, fuel int64, r *repair.Result)) (found, of int, err error) {
	t.opts.exclude = func(m uint32) bool { return !c.has(m) }
	if err := t.prepare(ctx); err != nil {
		return 0, 0, err
	}
	_, order, queries := t.failing()
	var divided []int
	var asked []repair.Failing
	for i := range queries {
		if queries[i].Divisible() {
			divided, asked = append(divided, order[i]), append(asked, queries[i])
		}
	}
	if err := t.tryMutants(ctx, divided, asked); err != nil {
		return 0, 0, err
	}
	for i, at := range divided {
		if r := &t.Inputs[at].Repairs; r.Done {
			leave(asked[i].Input, asked[i].Fuel(), r)
			found++
		}
	}
	return found, len(divided), nil
}
