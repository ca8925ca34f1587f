package operator

var voidCallRemoval = &Operator{
	Name: "void-call-removal", Group: GroupDefault,
	Doc:     "leaves out a call of a function without results",
	Example: "p.reset() →",
	Inspect: func(s *Site) []Change { return deleted(s, VoidCall) },
}

// statementDeletion is the last of the four operators of Andrews, Briand and
// Labiche, for statements without a body of their own.
var statementDeletion = &Operator{
	Name: "statement-deletion", Group: GroupDefault,
	Doc:     "leaves out an assignment, ++, --, a send, a receive, or a call whose results are not used",
	Example: "n = 0 →",
	Inspect: func(s *Site) []Change { return deleted(s, OtherStmt) },
}

var deferRemoval = &Operator{
	Name: "defer-removal", Group: GroupStrong,
	Doc:     "leaves out a defer statement",
	Example: "defer f.Close() →",
	Inspect: func(s *Site) []Change { return deleted(s, Defer) },
}

func deleted(s *Site, kind StmtKind) []Change {
	if s.Kind != Statement || s.Stmt != kind {
		return nil
	}
	return []Change{{Do: Delete}}
}
