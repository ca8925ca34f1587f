package operator

import "go/token"

// A guard is a repair: it asks, right before a statement, whether something in it
// is about to panic, and then leaves the function with zero values, or with an error
// where it has one, or goes on after the statement. Callers take nil for a good result
// that comes with no error, and often fail on it. A call is not made twice to ask: what it
// returns is taken for empty in place of nil.
func guard(s *Site, risk Risk) []Change {
	if s.Kind != Guard || s.Risk != risk {
		return nil
	}
	switch {
	case s.Lazy:
		return guardOperand(s)
	case s.Called:
		return []Change{{Do: Fresh}}
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

// guardOperand has an operand count as false in the case of the guard, and after || as true,
// too: there it often asks what is to be refused.
func guardOperand(s *Site) []Change {
	changes := []Change{{Do: False}}
	if s.Op == token.LOR {
		changes = append(changes, Change{Do: True})
	}
	return changes
}
