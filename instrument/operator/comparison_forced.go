package operator

var comparisonForced = &Operator{
	Name: "comparison-forced", Group: GroupAll, Extent: Decision,
	Doc:     "makes a comparison always true or always false where it is not a condition, an operand of && or ||, or a result; it is still evaluated",
	Example: "found := i >= 0 → found := true",
	Inspect: func(s *Site) []Change {
		if s.Kind != Comparison || s.Decided {
			return nil
		}
		return []Change{{Do: True}, {Do: False}}
	},
}
