package operator

var loopOnce = &Operator{
	Name: "loop-once", Group: GroupAll, Extent: Decision,
	Doc:     "ends a loop after its first iteration",
	Example: "for i < n { i++ } → for i < n { i++; break }",
	Inspect: func(s *Site) []Change {
		if s.Kind != Loop {
			return nil
		}
		return []Change{{Do: Once}}
	},
}
