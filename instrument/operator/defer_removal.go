package operator

var deferRemoval = &Operator{
	Name: "defer-removal", Group: GroupStrong, Extent: Removal,
	Doc:     "removes a defer statement",
	Example: "defer f.Close() →",
	Inspect: func(s *Site) []Change { return deleted(s, Defer) },
}
