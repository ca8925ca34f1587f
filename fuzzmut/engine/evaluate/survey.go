package evaluate

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A survey runs each mutant on surveyTries inputs at first, and in each round on
// surveyGrowth times as many as in the one before.
const (
	surveyTries  = 8
	surveyGrowth = 8
)

// Survey runs living mutants on inputs until each is killed, or has lived on all inputs that
// it infects, or the time of ctx is over. Most of the mutants that fall do so on one of the
// first inputs that they infect. So each is run on a few, before any is run on more; and on
// those first that stand first. credit takes in the kills of a round; a mutant for which alive
// no longer holds is not run again. What lives is entered into the ledger.
func (e *Evaluator) Survey(ctx context.Context, inputs []*corpus.Input, ledger *Ledger, alive func(m uint32) bool, credit func(*Evaluation)) error {
	damaging := make(map[uint32]bool) // run in separate processes, and done with
	which := func(m uint32) bool { return !damaging[m] && alive(m) }
	open := inputs
	for round, most := 0, int64(surveyTries); ; round, most = round+1, most*surveyGrowth {
		if most > int64(len(inputs)) {
			most = 0
		}
		if round > 0 {
			open = slices.DeleteFunc(slices.Clone(inputs), func(in *corpus.Input) bool { return !ledger.open(in, most, which) })
		}
		if len(open) > 0 {
			ev, err := e.Evaluate(ctx, Query{
				Inputs: open, Select: wire.SelectAlive, Ledger: ledger, Tries: most, Exclude: func(m uint32) bool { return !which(m) },
			})
			if ev != nil {
				credit(ev)
			}
			if err != nil {
				return err
			}
			for _, m := range ev.damaging {
				damaging[m] = true
			}
		}
		if most == 0 {
			return nil
		}
	}
}
