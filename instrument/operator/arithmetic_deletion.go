package operator

import "go/token"

// arithmeticDeletion is PIT's AOD. A constant is never what remains: the result
// would say nothing of the other operand, as in x + 1 → 1.
var arithmeticDeletion = &Operator{
	Name: "arithmetic-deletion", Group: GroupAll, Extent: Operation,
	Doc:     "replaces an arithmetic operation by one of its non-constant operands; both are evaluated",
	Example: "x & mask → x",
	Inspect: func(s *Site) []Change {
		if s.Kind != Arithmetic || s.Assigns {
			return nil
		}
		var changes []Change
		if s.LeftValue == nil {
			changes = append(changes, Change{Do: KeepLeft})
		}
		if s.Value == nil && s.Op != token.SHL && s.Op != token.SHR {
			changes = append(changes, Change{Do: KeepRight})
		}
		return changes
	},
}
