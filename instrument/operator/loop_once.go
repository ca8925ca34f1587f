package operator

var loopOnce = &Operator{
	Name: "loop-once", Group: GroupAll,
	Doc:     "leaves a loop at the end of its first round, however that ends",
	Example: "for i < n { i++ } → for i < n { i++; break }",
	Inspect: func(s *Site) []Change {
		if s.Kind != Loop {
			return nil
		}
		return []Change{{Do: Once}}
	},
}
