package operator

// An enumeration is a block of constants of one declared type, or one that counts
// with iota. Where the neighbor's value is one that constant-replacement has
// tried, that one stands for both.
var namedConstants = &Operator{
	Name: "named-constants", Group: GroupStrong, Extent: Value,
	Doc:     "replaces the name of a constant by the previous and the next one of its enumeration",
	Example: "mode = Read → mode = Write",
	Inspect: func(s *Site) []Change {
		if s.Kind != Constant {
			return nil
		}
		var changes []Change
		for _, c := range s.Neighbours {
			changes = append(changes, Change{Do: Replace, Value: c.Val(), Const: c})
		}
		return changes
	},
}
