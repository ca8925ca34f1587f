package operator

var conditionForced = &Operator{
	Name: "condition-forced", Group: GroupStrong, Extent: Decision,
	Doc:     "makes a condition, or one operand of && or ||, always true or always false; it is still evaluated",
	Example: "if a < b → if true",
	Inspect: func(s *Site) []Change {
		if s.Kind != Condition && s.Kind != Term {
			return nil
		}
		return []Change{{Do: True}, {Do: False}}
	},
}
