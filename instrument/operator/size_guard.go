package operator

var sizeGuard = &Operator{
	Name: "size-guard", Group: GroupGuards, Extent: Value,
	Doc:     "limits a size to 1<<20 before memory of that size is allocated",
	Example: "b := make([]byte, n) → if n < 0 || n > 1<<20 { return }; b := make([]byte, n)",
	Inspect: func(s *Site) []Change { return guard(s, BigSize) },
}
