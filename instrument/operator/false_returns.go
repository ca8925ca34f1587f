package operator

var falseReturns = &Operator{
	Name: "false-returns", Group: GroupDefault,
	Doc:     "returns false instead of a bool",
	Example: "return ok → return false",
	Inspect: func(s *Site) []Change { return boolResult(s, false) },
}
