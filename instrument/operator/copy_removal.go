package operator

var copyRemoval = &Operator{
	Name: "copy-removal", Group: GroupStrong, Extent: Removal,
	Doc:     "copies nothing; the result is 0",
	Example: "copy(b, c) → 0",
	Inspect: func(s *Site) []Change {
		if s.Kind == Copy {
			return []Change{{Do: Drop}}
		}
		return withoutEffect(s, Copies)
	},
}
