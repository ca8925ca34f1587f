package operator

var goInPlace = &Operator{
	Name: "go-in-place", Group: GroupAll, Extent: Operation,
	Doc:     "makes the call of a go statement in the current goroutine, which waits for it",
	Example: "go serve(c) → serve(c)",
	Inspect: func(s *Site) []Change { return inPlace(s, Go) },
}
