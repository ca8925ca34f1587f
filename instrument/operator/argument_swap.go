package operator

var argumentSwap = &Operator{
	Name: "argument-swap", Group: GroupAll, Extent: Operation,
	Doc:     "swaps neighboring arguments of the same type",
	Example: "f(a, b) → f(b, a)",
	Inspect: func(s *Site) []Change {
		if s.Kind != Arguments {
			return nil
		}
		return []Change{{Do: Exchange}}
	},
}
