package operator

// Without an else the same comes of a condition that is always false, which
// condition-forced has.
var emptyThen = &Operator{
	Name: "empty-then", Group: GroupStrong, Extent: Removal,
	Doc:     "empties the first branch of an if",
	Example: "if ok { n = 1 } else { n = 2 } → if ok { } else { n = 2 }",
	Inspect: func(s *Site) []Change { return emptied(s, Then) },
}

func emptied(s *Site, part Part) []Change {
	if s.Kind != Body || s.Part != part {
		return nil
	}
	return []Change{{Do: Delete}}
}
