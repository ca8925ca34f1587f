package operator

// Another error in place of one that is known not to be nil would be found
// by the tests that look at its text, if at all: errors are seldom distinguished.
var errorReturns = &Operator{
	Name: "error-returns", Group: GroupStrong, Extent: Removal,
	Doc:     "returns an error where the error result is nil or may be nil",
	Example: "return n, nil → return n, errors.New(\"fuzzmut\")",
	Inspect: func(s *Site) []Change {
		if s.Kind != Result || s.NotNil || !isError(s.Type) {
			return nil
		}
		return []Change{{Do: NewError}}
	},
}
