package operator

import "go/token"

var negateConditionals = &Operator{
	Name: "negate-conditionals", Group: GroupDefault, Extent: Decision,
	Doc:     "replaces a comparison by its complement",
	Example: "a == b → a != b",
	Inspect: func(s *Site) []Change {
		if s.Kind != Comparison {
			return nil
		}
		return swaps(complement(s.Op))
	},
}

// complement returns the comparison that holds where op does not (but for NaN).
func complement(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GEQ
	case token.LEQ:
		return token.GTR
	case token.GTR:
		return token.LEQ
	case token.GEQ:
		return token.LSS
	case token.EQL:
		return token.NEQ
	}
	return token.EQL
}
