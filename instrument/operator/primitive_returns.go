package operator

import "go/types"

var primitiveReturns = &Operator{
	Name: "primitive-returns", Group: GroupDefault, Extent: Removal,
	Doc:     "returns 0 instead of a number",
	Example: "return n → return 0",
	Inspect: func(s *Site) []Change {
		return zero(s, func(t types.Type) bool {
			b, ok := t.Underlying().(*types.Basic)
			return ok && !isTypeParam(t) && b.Info()&types.IsNumeric != 0
		})
	},
}
