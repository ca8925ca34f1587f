package operator

var comparisonForced = &Operator{
	Name: "comparison-forced", Group: GroupAll,
	Doc:     "makes a comparison always true or always false where it is no condition, operand of && or ||, or result; it is evaluated all the same",
	Example: "found := i >= 0 → found := true",
	Inspect: func(s *Site) []Change {
		if s.Kind != Comparison || s.Decided {
			return nil
		}
		return []Change{{Do: True}, {Do: False}}
	},
}
