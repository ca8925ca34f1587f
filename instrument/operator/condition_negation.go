package operator

// ConditionNegation is the name of the operator that negates whole conditions.
const ConditionNegation = "condition-negation"

// A condition that is one comparison is left to negate-conditionals: the result
// would be the same program.
var conditionNegation = &Operator{
	Name: ConditionNegation, Group: GroupDefault, Extent: Decision,
	Doc:     "negates the whole condition of an if, a for or a case of a switch without tag",
	Example: "if ok && n > 0 → if !(ok && n > 0)",
	Inspect: func(s *Site) []Change {
		if s.Kind != Condition || s.IsComparison {
			return nil
		}
		return []Change{{Do: Negate}}
	},
}
