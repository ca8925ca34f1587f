package operator

import "go/token"

var conditionalBoundary = &Operator{
	Name: "conditional-boundary", Group: GroupDefault, Extent: Operation,
	Doc:     "moves the boundary of an ordered comparison: swaps < and <=, > and >=",
	Example: "a < b → a <= b",
	Inspect: func(s *Site) []Change {
		if s.Kind != Comparison || !s.Ordered {
			return nil
		}
		switch s.Op {
		case token.LSS:
			return swaps(token.LEQ)
		case token.LEQ:
			return swaps(token.LSS)
		case token.GTR:
			return swaps(token.GEQ)
		case token.GEQ:
			return swaps(token.GTR)
		}
		return nil
	},
}
