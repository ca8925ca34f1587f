package operator

var wrappingRemoval = &Operator{
	Name: "wrapping-removal", Group: GroupStrong,
	Doc:     "puts %v in the place of a %w of fmt.Errorf: the text stays, what it wraps gets lost",
	Example: `fmt.Errorf("read: %w", err) → fmt.Errorf("read: %v", err)`,
	Inspect: func(s *Site) []Change {
		if s.Kind != WrapVerb {
			return nil
		}
		return []Change{{Do: Replace}}
	},
}
