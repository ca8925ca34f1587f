package operator

// An index that leaves the range is a panic, which any input shows. A neighbor is
// the fault that stays unseen.
var indexShift = &Operator{
	Name: "index-shift", Group: GroupStrong, Extent: Operation,
	Doc:     "takes the element before or after the indexed one, if it exists; not of maps",
	Example: "b[i] → b[i+1]",
	Inspect: func(s *Site) []Change {
		if s.Kind != Index {
			return nil
		}
		return free(s, Up, Down)
	},
}
