package operator

// A guard is a repair: it asks, right before a statement, whether something in it
// is about to panic, and then leaves the function with zero values, or with an error
// where it has one, or goes on after the statement. Callers take nil for a good result
// that comes with no error, and often fail on it.
func guard(s *Site, risk Risk) []Change {
	if s.Kind != Guard || s.Risk != risk {
		return nil
	}
	changes := []Change{{Do: Leave}}
	if s.Skippable {
		changes = append(changes, Change{Do: Skip})
	}
	if s.Fails {
		changes = append(changes, Change{Do: NewError})
	}
	return changes
}
