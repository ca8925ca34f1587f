package operator

var labelRemoval = &Operator{
	Name: "label-removal", Group: GroupAll, Extent: Decision,
	Doc:     "removes the label of a break or continue, which then applies to the innermost statement",
	Example: "continue rows → continue",
	Inspect: func(s *Site) []Change {
		if s.Kind != Branch || !s.Labeled {
			return nil
		}
		return []Change{{Do: Unlabel}}
	},
}
