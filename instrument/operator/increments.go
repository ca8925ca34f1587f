package operator

import "go/token"

var increments = &Operator{
	Name: "increments", Group: GroupDefault, Extent: Operation,
	Doc:     "swaps ++ and --",
	Example: "i++ → i--",
	Inspect: func(s *Site) []Change {
		if s.Kind != IncDec {
			return nil
		}
		if s.Op == token.INC {
			return swaps(token.DEC)
		}
		return swaps(token.INC)
	},
}
