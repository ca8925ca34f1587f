package operator

var mapWriteRemoval = &Operator{
	Name: "map-write-removal", Group: GroupStrong, Extent: Removal,
	Doc:     "removes an assignment, ++ or -- to an element of a map",
	Example: "m[k] = v →",
	Inspect: func(s *Site) []Change {
		return withoutEffect(s, WritesMap)
	},
}
