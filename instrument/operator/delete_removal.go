package operator

var deleteRemoval = &Operator{
	Name: "delete-removal", Group: GroupStrong, Extent: Removal,
	Doc:     "removes a delete or clear",
	Example: "delete(m, k) →",
	Inspect: func(s *Site) []Change {
		return withoutEffect(s, Deletes)
	},
}
