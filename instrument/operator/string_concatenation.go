package operator

var stringConcatenation = &Operator{
	Name: "string-concatenation", Group: GroupStrong, Extent: Operation,
	Doc:     "keeps only one of two concatenated strings; both are evaluated",
	Example: "dir + name → name",
	Inspect: func(s *Site) []Change {
		if s.Kind != Concatenation || s.Assigns {
			return nil
		}
		return []Change{{Do: KeepLeft}, {Do: KeepRight}}
	},
}
