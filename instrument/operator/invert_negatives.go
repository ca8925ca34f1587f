package operator

var invertNegatives = &Operator{
	Name: "invert-negatives", Group: GroupDefault, Extent: Operation,
	Doc:     "removes a unary minus",
	Example: "-x → x",
	Inspect: func(s *Site) []Change {
		if s.Kind != Negation {
			return nil
		}
		return []Change{{Do: Operand}}
	},
}
