package operator

import "go/token"

var operandExchange = &Operator{
	Name: "operand-exchange", Group: GroupAll, Extent: Operation,
	Doc:     "swaps the operands of - / % &^, and of + with strings, if evaluating them has no effects",
	Example: "a - b → b - a",
	Inspect: func(s *Site) []Change {
		if s.Kind != Arithmetic && s.Kind != Concatenation {
			return nil
		}
		switch s.Op {
		case token.ADD:
			if s.Kind != Concatenation {
				return nil
			}
		case token.SUB, token.QUO, token.REM, token.AND_NOT:
		default:
			return nil
		}
		return []Change{{Do: Exchange}}
	},
}
