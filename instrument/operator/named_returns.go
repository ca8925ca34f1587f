package operator

var namedReturns = &Operator{
	Name: "named-returns", Group: GroupStrong, Extent: Removal,
	Doc:     "sets a named result to its zero value, or to true or false, before a return statement without operands",
	Example: "return → err = nil; return",
	Inspect: func(s *Site) []Change {
		switch {
		case s.Kind != Result || !s.Named:
			return nil
		case s.Class == Bool:
			return []Change{{Do: False}, {Do: True}}
		}
		return []Change{{Do: Zero}}
	},
}
