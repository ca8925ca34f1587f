package operator

var wrappingRemoval = &Operator{
	Name: "wrapping-removal", Group: GroupStrong, Extent: Decision,
	Doc:     "replaces %w by %v in fmt.Errorf: the text is the same, the wrapped error is lost",
	Example: `fmt.Errorf("read: %w", err) → fmt.Errorf("read: %v", err)`,
	Inspect: func(s *Site) []Change {
		if s.Kind != WrapVerb {
			return nil
		}
		return []Change{{Do: Replace}}
	},
}
