package operator

var trueReturns = &Operator{
	Name: "true-returns", Group: GroupDefault, Extent: Removal,
	Doc:     "returns true instead of a bool",
	Example: "return ok → return true",
	Inspect: func(s *Site) []Change { return boolResult(s, true) },
}
