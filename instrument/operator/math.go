package operator

import "go/token"

// The pairs are those of PIT's math mutator; &^ is Go's own.
var math = &Operator{
	Name: "math", Group: GroupDefault, Extent: Operation,
	Doc:     "replaces an arithmetic operator by its counterpart: + by -, * by /, % by *, & by |, ^ by &, << by >>, &^ by &, and back; assignments like += as well",
	Example: "a + b → a - b",
	Inspect: func(s *Site) []Change {
		if s.Kind != Arithmetic {
			return nil
		}
		switch s.Op {
		case token.ADD:
			return swaps(token.SUB)
		case token.SUB:
			return swaps(token.ADD)
		case token.MUL:
			return swaps(token.QUO)
		case token.QUO, token.REM:
			return swaps(token.MUL)
		case token.AND:
			return swaps(token.OR)
		case token.OR, token.XOR, token.AND_NOT:
			return swaps(token.AND)
		case token.SHL:
			return swaps(token.SHR)
		case token.SHR:
			return swaps(token.SHL)
		}
		return nil
	},
}
