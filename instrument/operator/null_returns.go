package operator

import "go/types"

var nullReturns = &Operator{
	Name: "null-returns", Group: GroupDefault, Extent: Removal,
	Doc:     "returns nil instead of a pointer, interface (including error), function or channel",
	Example: "return err → return nil",
	Inspect: func(s *Site) []Change {
		return zero(s, func(t types.Type) bool {
			if isTypeParam(t) {
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
