package operator

var deleteRemoval = &Operator{
	Name: "delete-removal", Group: GroupStrong,
	Doc:     "leaves out a delete or clear",
	Example: "delete(m, k) →",
	Inspect: func(s *Site) []Change {
		return withoutEffect(s, Deletes)
	},
}
