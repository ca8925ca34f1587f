package operator

var deferInPlace = &Operator{
	Name: "defer-in-place", Group: GroupAll, Extent: Operation,
	Doc:     "makes a deferred call at once",
	Example: "defer f.Close() → f.Close()",
	Inspect: func(s *Site) []Change { return inPlace(s, Defer) },
}

func inPlace(s *Site, kind StmtKind) []Change {
	if s.Kind != Statement || s.Stmt != kind {
		return nil
	}
	return []Change{{Do: InPlace}}
}
