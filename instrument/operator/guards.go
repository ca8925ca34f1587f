package operator

// A guard is a repair: it asks, right before a statement, whether something in it
// is about to panic, and then leaves the function with zero values, or goes on
// after the statement.
func guard(s *Site, risk Risk) []Change {
	switch {
	case s.Kind != Guard || s.Risk != risk:
		return nil
	case s.Skippable:
		return []Change{{Do: Leave}, {Do: Skip}}
	}
	return []Change{{Do: Leave}}
}
