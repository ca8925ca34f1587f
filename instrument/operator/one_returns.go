package operator

import "go/constant"

// A constant result is left to constant-replacement, which makes it 1 as well.
var oneReturns = &Operator{
	Name: "one-returns", Group: GroupStrong, Extent: Removal,
	Doc:     "returns 1 instead of a number that is not constant",
	Example: "return n → return 1",
	Inspect: func(s *Site) []Change {
		if s.Kind != Result || s.Class != Integer && s.Class != Number || s.Value != nil {
			return nil
		}
		return []Change{{Do: Replace, Value: constant.MakeInt64(1)}}
	},
}
