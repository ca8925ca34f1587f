package operator

import "go/types"

var emptyReturns = &Operator{
	Name: "empty-returns", Group: GroupDefault, Extent: Removal,
	Doc:     "returns an empty string, slice, map, struct or array instead of a result",
	Example: "return name → return \"\"",
	Inspect: func(s *Site) []Change {
		return zero(s, func(t types.Type) bool {
			switch t := t.Underlying().(type) {
			case *types.Basic:
				return t.Info()&types.IsString != 0
			case *types.Slice, *types.Map, *types.Struct, *types.Array:
				return true
			}
			return false
		})
	},
}
