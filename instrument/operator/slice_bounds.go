package operator

// A bound that is a constant, or ends in one that is added, is moved by
// constant-replacement.
var sliceBounds = &Operator{
	Name: "slice-bounds", Group: GroupStrong, Extent: Operation,
	Doc:     "moves a bound of a slice expression by one, or removes it",
	Example: "b[i:j] → b[i+1:j]",
	Inspect: func(s *Site) []Change {
		if s.Kind != SliceBound {
			return nil
		}
		return free(s, Up, Down, Drop)
	},
}
