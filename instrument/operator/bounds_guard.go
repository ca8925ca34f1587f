package operator

var boundsGuard = &Operator{
	Name: "bounds-guard", Group: GroupGuards, Extent: Value,
	Doc:     "checks the bounds before an index or slice expression",
	Example: "c := s[i] → if i < 0 || i >= len(s) { return }; c := s[i]",
	Inspect: func(s *Site) []Change { return guard(s, OutOfBounds) },
}
