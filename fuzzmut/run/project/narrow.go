package project

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// Narrow says whether flags of this run alone leave out mutants that other runs have, those of the package under
// test or those of default operators: what they need of a corpus is not known then.
func (o *Options) Narrow(loaded *load.Result) bool {
	if o.MutateOnce && !slices.Contains(loaded.Mutate, loaded.Test.ImportPath) {
		return true
	}
	if !o.OperatorsOnce {
		return false
	}
	chosen, err := operator.ByNames(o.Operators)
	usual, _ := operator.ByNames(DefaultOperators)
	return err != nil || slices.ContainsFunc(usual, func(op *operator.Operator) bool { return !slices.Contains(chosen, op) })
}
