package operator

import "go/token"

// operatorReplacement is the second of the four operators of Andrews, Briand and
// Labiche, "Is mutation an appropriate tool for testing experiments?" (2005).
var operatorReplacement = &Operator{
	Name: "operator-replacement", Group: GroupDefault, Extent: Operation,
	Doc:     "replaces an arithmetic, relational, logical or bitwise operator by every other of its class",
	Example: "a < b → a == b",
	Inspect: func(s *Site) []Change {
		var changes []Change
		for _, op := range classOf(s) {
			if op != s.Op {
				changes = append(changes, Change{Do: Swap, Op: op})
			}
		}
		return changes
	},
}

var (
	relational = []token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ}
	equality   = []token.Token{token.EQL, token.NEQ}
	logical    = []token.Token{token.LAND, token.LOR}
	field      = []token.Token{token.ADD, token.SUB, token.MUL, token.QUO}
	ring       = []token.Token{token.ADD, token.SUB, token.MUL, token.QUO, token.REM}
	bitwise    = []token.Token{token.AND, token.OR, token.XOR, token.AND_NOT}
	shifts     = []token.Token{token.SHL, token.SHR}
)

// classOf returns the operators that can stand at a site.
func classOf(s *Site) []token.Token {
	switch {
	case s.Kind == Comparison && s.Ordered:
		return relational
	case s.Kind == Comparison:
		return equality
	case s.Kind == Logical:
		return logical
	case s.Kind != Arithmetic:
		return nil
	case s.Class != Integer:
		return field
	}
	switch s.Op {
	case token.AND, token.OR, token.XOR, token.AND_NOT:
		return bitwise
	case token.SHL, token.SHR:
		return shifts
	}
	return ring
}
