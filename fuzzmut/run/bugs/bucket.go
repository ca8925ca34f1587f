package bugs

import (
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// bucket gathers the failing inputs that are taken to show one bug.
type bucket struct {
	known  []*Input      // with what all mutants make of them; the first has opened it
	small  *corpus.Input // the first, minimized; nil if it was not
	inputs []assigned    // all
}

// assigned is an input in a bucket.
type assigned struct {
	input *corpus.Input
	stack string // the engine's key
	known *Input // nil if it was assigned by less than all mutants
}

// ofStacks makes a bucket of each of the engine's stacks, with inputs that nothing is
// known about yet. Stacks are left out if mutants can't be run on any of their inputs.
func ofStacks(stacks []*failures.Stack) (list []*bucket) {
	for _, s := range stacks {
		b := new(bucket)
		for i, input := range s.Inputs {
			p := assigned{input: input, stack: s.Key}
			if i < joinable(s.Outcome) {
				p.known = &Input{
					Entry: input.Found(), Asked: true,
					Result: wire.Result{Outcome: s.Outcome, Cost: joinCost},
				}
				b.known = append(b.known, p.known)
			}
			b.inputs = append(b.inputs, p)
		}
		if len(b.known) > 0 {
			list = append(list, b)
		}
	}
	return list
}

// joinable is how many inputs of a bucket take part. What ends or blocks the process
// takes one for each mutant: that is left to the user's own triage.
func joinable(o wire.Outcome) int {
	switch {
	case o.Kind == wire.Death, repair.Blocks(o):
		return 0
	case o.Kind == wire.Fuel:
		return joinHangs
	}
	return joinInputs
}
