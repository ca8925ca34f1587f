package operator

// The ! before a comparison is left to negate-conditionals, that of a whole
// condition to condition-negation.
var notRemoval = &Operator{
	Name: "not-removal", Group: GroupStrong, Extent: Decision,
	Doc:     "removes a !",
	Example: "return !found → return found",
	Inspect: func(s *Site) []Change {
		if s.Kind != Not || s.IsComparison {
			return nil
		}
		return []Change{{Do: Operand}}
	},
}
