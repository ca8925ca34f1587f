package operator

// Where a constant is added to a length, or it is compared, constant-replacement
// and conditional-boundary have made some of these changes.
var lengthChange = &Operator{
	Name: "length-change", Group: GroupAll, Extent: Value,
	Doc:     "replaces len(x) by len(x)+1, len(x)-1 and, of a slice or channel, cap(x); cap(x) by len(x)",
	Example: "len(b) → len(b)-1",
	Inspect: func(s *Site) []Change {
		if s.Kind != Length {
			return nil
		}
		return free(s, Up, Down, Counterpart)
	},
}
