package operator

// A constant is left to the operators for constants.
var fieldClearing = &Operator{
	Name: "field-clearing", Group: GroupAll, Extent: Removal,
	Doc:     "leaves a field of a keyed struct literal at its zero value; the value is still evaluated",
	Example: "T{A: a, B: b} → T{B: b}",
	Inspect: func(s *Site) []Change {
		if s.Kind != Field || s.IsZero || s.Value != nil {
			return nil
		}
		return []Change{{Do: Zero}}
	},
}
