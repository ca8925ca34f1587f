package operator

import (
	"go/constant"
	"go/token"
)

var constantNegation = &Operator{
	Name: "constant-negation", Group: GroupAll, Extent: Value,
	Doc:     "replaces a numeric constant c by -c, except characters",
	Example: "n + 2 → n + (-2)",
	Inspect: func(s *Site) []Change {
		if s.Kind != Constant || s.Class != Integer && s.Class != Number || s.Char || s.Value.Kind() == constant.Complex {
			return nil
		}
		return values(s.Value, constant.UnaryOp(token.SUB, s.Value, 0))
	},
}
