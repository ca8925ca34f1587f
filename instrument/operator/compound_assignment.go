package operator

import "go/token"

// Leaving out the whole assignment is statement-deletion's.
var compoundAssignment = &Operator{
	Name: "compound-assignment", Group: GroupStrong, Extent: Operation,
	Doc:     "replaces an assignment with an operation, except shifts, by a plain assignment",
	Example: "n += x → n = x",
	Inspect: func(s *Site) []Change {
		if !s.Assigns || s.Op == token.SHL || s.Op == token.SHR {
			return nil
		}
		return []Change{{Do: KeepRight}}
	},
}
