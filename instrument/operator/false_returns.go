package operator

var falseReturns = &Operator{
	Name: "false-returns", Group: GroupDefault, Extent: Removal,
	Doc:     "returns false instead of a bool",
	Example: "return ok → return false",
	Inspect: func(s *Site) []Change { return boolResult(s, false) },
}
