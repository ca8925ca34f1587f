package operator

import (
	"go/constant"
	"go/token"
)

// constantReplacement is the first of the four operators of Andrews, Briand and
// Labiche. Characters only move to their neighbors: 0 and ±1 for a letter are
// all the same mutant, and an easy one.
var constantReplacement = &Operator{
	Name: "constant-replacement", Group: GroupDefault, Extent: Value,
	Doc:     "replaces a numeric constant c by 0, 1, -1, c+1 and c-1, a character by its neighbors",
	Example: "n + 2 → n + 3",
	Inspect: func(s *Site) []Change {
		if s.Kind != Constant || s.Class != Integer && s.Class != Number || s.Value.Kind() == constant.Complex {
			return nil
		}
		one := constant.MakeInt64(1)
		up := constant.BinaryOp(s.Value, token.ADD, one)
		down := constant.BinaryOp(s.Value, token.SUB, one)
		if s.Char {
			return values(s.Value, up, down)
		}
		return values(s.Value, constant.MakeInt64(0), one, constant.MakeInt64(-1), up, down)
	},
}

// values returns a Replace for every value but old, each once.
func values(old constant.Value, vals ...constant.Value) []Change {
	var changes []Change
next:
	for _, v := range vals {
		if constant.Compare(v, token.EQL, old) {
			continue
		}
		for _, c := range changes {
			if constant.Compare(v, token.EQL, c.Value) {
				continue next
			}
		}
		changes = append(changes, Change{Do: Replace, Value: v})
	}
	return changes
}
