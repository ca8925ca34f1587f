package operator

var labelRemoval = &Operator{
	Name: "label-removal", Group: GroupAll,
	Doc:     "lets a break or continue with a label concern the innermost statement instead",
	Example: "continue rows → continue",
	Inspect: func(s *Site) []Change {
		if s.Kind != Branch || !s.Labeled {
			return nil
		}
		return []Change{{Do: Unlabel}}
	},
}
