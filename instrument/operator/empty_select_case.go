package operator

var emptySelectCase = &Operator{
	Name: "empty-select-case", Group: GroupStrong, Extent: Removal,
	Doc:     "empties a case of a select, which still sends or receives",
	Example: "case x := <-c: n = x → case x := <-c: _ = x",
	Inspect: func(s *Site) []Change { return emptied(s, SelectCase) },
}
