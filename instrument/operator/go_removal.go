package operator

var goRemoval = &Operator{
	Name: "go-removal", Group: GroupStrong, Extent: Removal,
	Doc:     "removes a go statement",
	Example: "go serve(c) →",
	Inspect: func(s *Site) []Change { return deleted(s, Go) },
}
