package operator

// statementDeletion is the last of the four operators of Andrews, Briand and
// Labiche, for statements without their own body.
var statementDeletion = &Operator{
	Name: "statement-deletion", Group: GroupDefault, Extent: Removal,
	Doc:     "removes an assignment, ++, --, a send, a receive, or a call whose results are not used",
	Example: "n = 0 →",
	Inspect: func(s *Site) []Change { return deleted(s, OtherStmt) },
}

func deleted(s *Site, kind StmtKind) []Change {
	if s.Kind != Statement || s.Stmt != kind {
		return nil
	}
	return []Change{{Do: Delete}}
}

// withoutEffect deletes a statement whose only effect is of one kind.
func withoutEffect(s *Site, effect Effect) []Change {
	if s.Kind != Statement || s.Effect != effect {
		return nil
	}
	return []Change{{Do: Delete}}
}
