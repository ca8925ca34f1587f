package operator

import "go/types"

var freshReturns = &Operator{
	Name: "fresh-returns", Group: GroupAll, Extent: Value,
	Doc:     "returns a slice or map that is empty but not nil, or a pointer to a new zero value",
	Example: "return nil → return []int{}",
	Inspect: func(s *Site) []Change {
		if s.Kind != Result || isTypeParam(s.Type) {
			return nil
		}
		switch s.Type.Underlying().(type) {
		case *types.Slice, *types.Map, *types.Pointer:
			return []Change{{Do: Fresh}}
		}
		return nil
	},
}
