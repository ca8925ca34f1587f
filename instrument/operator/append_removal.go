package operator

var appendRemoval = &Operator{
	Name: "append-removal", Group: GroupStrong, Extent: Removal,
	Doc:     "appends nothing; the appended values are still evaluated",
	Example: "append(b, c) → b",
	Inspect: func(s *Site) []Change {
		if s.Kind == Append {
			return []Change{{Do: Drop}}
		}
		return withoutEffect(s, Appends)
	},
}
