package operator

var loopSkip = &Operator{
	Name: "loop-skip", Group: GroupStrong, Extent: Removal,
	Doc:     "skips a loop: a for with its condition false, a range removed with its operand",
	Example: "for i < n { i++ } → for i < n && false { i++ }",
	Inspect: func(s *Site) []Change {
		if s.Kind != Loop {
			return nil
		}
		return []Change{{Do: Skip}}
	},
}
