package operator

import (
	"go/constant"
	"go/types"
)

// The return operators divide the result types among themselves as PIT's do; the
// original result is evaluated, then dropped.

var emptyReturns = &Operator{
	Name: "empty-returns", Group: GroupDefault,
	Doc:     "returns an empty string, slice, map, struct or array in the place of a result",
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

var nullReturns = &Operator{
	Name: "null-returns", Group: GroupDefault,
	Doc:     "returns nil in the place of a pointer, interface (an error, too), function or channel",
	Example: "return err → return nil",
	Inspect: func(s *Site) []Change {
		return zero(s, func(t types.Type) bool {
			if _, ok := types.Unalias(t).(*types.TypeParam); ok {
				return true
			}
			switch t := t.Underlying().(type) {
			case *types.Basic:
				return t.Kind() == types.UnsafePointer
			case *types.Pointer, *types.Interface, *types.Signature, *types.Chan:
				return true
			}
			return false
		})
	},
}

var primitiveReturns = &Operator{
	Name: "primitive-returns", Group: GroupDefault,
	Doc:     "returns 0 in the place of a number",
	Example: "return n → return 0",
	Inspect: func(s *Site) []Change {
		return zero(s, func(t types.Type) bool {
			if _, ok := types.Unalias(t).(*types.TypeParam); ok {
				return false
			}
			b, ok := t.Underlying().(*types.Basic)
			return ok && b.Info()&types.IsNumeric != 0
		})
	},
}

var trueReturns = &Operator{
	Name: "true-returns", Group: GroupDefault,
	Doc:     "returns true in the place of a bool",
	Example: "return ok → return true",
	Inspect: func(s *Site) []Change { return boolResult(s, true) },
}

var falseReturns = &Operator{
	Name: "false-returns", Group: GroupDefault,
	Doc:     "returns false in the place of a bool",
	Example: "return ok → return false",
	Inspect: func(s *Site) []Change { return boolResult(s, false) },
}

// zero proposes the zero value where the declared type is one of the operator's
// own and the result is not the zero value as it stands.
func zero(s *Site, own func(types.Type) bool) []Change {
	if s.Kind != Result || s.Class == Bool || s.IsZero || !own(s.Type) {
		return nil
	}
	return []Change{{Do: Zero}}
}

func boolResult(s *Site, val bool) []Change {
	if s.Kind != Result || s.Class != Bool || s.Value != nil && constant.BoolVal(s.Value) == val {
		return nil
	}
	if val {
		return []Change{{Do: True}}
	}
	return []Change{{Do: False}}
}
