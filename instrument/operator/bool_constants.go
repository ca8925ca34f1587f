package operator

import "go/constant"

var boolConstants = &Operator{
	Name: "bool-constants", Group: GroupStrong, Extent: Decision,
	Doc:     "swaps true and false",
	Example: "found = true → found = false",
	Inspect: func(s *Site) []Change {
		if s.Kind != Constant || s.Class != Bool {
			return nil
		}
		return []Change{{Do: Replace, Value: constant.MakeBool(!constant.BoolVal(s.Value))}}
	},
}
