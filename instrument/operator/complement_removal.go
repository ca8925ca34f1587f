package operator

var complementRemoval = &Operator{
	Name: "complement-removal", Group: GroupStrong, Extent: Operation,
	Doc:     "removes a unary ^",
	Example: "^mask → mask",
	Inspect: func(s *Site) []Change {
		if s.Kind != Complement {
			return nil
		}
		return []Change{{Do: Operand}}
	},
}
