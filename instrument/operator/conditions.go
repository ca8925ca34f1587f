package operator

import "go/token"

var conditionalBoundary = &Operator{
	Name: "conditional-boundary", Group: GroupDefault,
	Doc:     "moves the boundary of an ordered comparison: < and <=, > and >= change places",
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

var negateConditionals = &Operator{
	Name: "negate-conditionals", Group: GroupDefault,
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

// A condition that is one comparison is left to negate-conditionals: the result
// would be the same program.
var conditionNegation = &Operator{
	Name: "condition-negation", Group: GroupDefault,
	Doc:     "negates the whole condition of an if, a for or a case of a switch without tag",
	Example: "if ok && n > 0 → if !(ok && n > 0)",
	Inspect: func(s *Site) []Change {
		if s.Kind != Condition || s.IsComparison {
			return nil
		}
		return []Change{{Do: Negate}}
	},
}

var conditionForced = &Operator{
	Name: "condition-forced", Group: GroupStrong,
	Doc:     "makes a condition, or one operand of && or ||, always true or always false; it is evaluated all the same",
	Example: "if a < b → if true",
	Inspect: func(s *Site) []Change {
		if s.Kind != Condition && s.Kind != Term {
			return nil
		}
		return []Change{{Do: True}, {Do: False}}
	},
}
