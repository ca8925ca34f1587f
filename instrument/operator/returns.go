package operator

import (
	"go/constant"
	"go/types"
)

// The return operators divide the result types among themselves as PIT's do; the
// original result is evaluated, then dropped. Those of the default group see the
// operands of return statements alone: a return without operands is
// named-returns' own.

// zero proposes the zero value where the declared type is one of the operator's
// own and the result is not the zero value as it stands.
func zero(s *Site, own func(types.Type) bool) []Change {
	if s.Kind != Result || s.Named || s.Class == Bool || s.IsZero || !own(s.Type) {
		return nil
	}
	return []Change{{Do: Zero}}
}

func boolResult(s *Site, val bool) []Change {
	if s.Kind != Result || s.Named || s.Class != Bool || s.Value != nil && constant.BoolVal(s.Value) == val {
		return nil
	}
	if val {
		return []Change{{Do: True}}
	}
	return []Change{{Do: False}}
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}
