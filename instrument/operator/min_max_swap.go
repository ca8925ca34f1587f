package operator

var minMaxSwap = &Operator{
	Name: "min-max-swap", Group: GroupStrong, Extent: Operation,
	Doc:     "swaps the builtins min and max",
	Example: "min(a, b) → max(a, b)",
	Inspect: func(s *Site) []Change {
		if s.Kind != MinMax {
			return nil
		}
		return []Change{{Do: Counterpart}}
	},
}
