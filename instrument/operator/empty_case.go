package operator

var emptyCase = &Operator{
	Name: "empty-case", Group: GroupStrong, Extent: Removal,
	Doc:     "empties a case of a switch, except its fallthrough",
	Example: "case 1: n = 2 → case 1:",
	Inspect: func(s *Site) []Change { return emptied(s, Case) },
}
