package operator

var emptyDefault = &Operator{
	Name: "empty-default", Group: GroupStrong, Extent: Removal,
	Doc:     "empties the default of a switch or select, except its fallthrough",
	Example: "default: n = 2 → default:",
	Inspect: func(s *Site) []Change { return emptied(s, Default) },
}
