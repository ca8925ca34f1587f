package operator

var emptyElse = &Operator{
	Name: "empty-else", Group: GroupStrong, Extent: Removal,
	Doc:     "empties an else",
	Example: "if ok { n = 1 } else { n = 2 } → if ok { n = 1 } else { }",
	Inspect: func(s *Site) []Change { return emptied(s, Else) },
}
