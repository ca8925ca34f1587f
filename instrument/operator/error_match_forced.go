package operator

var errorMatchForced = &Operator{
	Name: "error-match-forced", Group: GroupStrong, Extent: Decision,
	Doc:     "makes errors.Is and errors.As return false; they are still called",
	Example: "errors.Is(err, io.EOF) → errors.Is(err, io.EOF) && false",
	Inspect: func(s *Site) []Change {
		if s.Kind != ErrorMatch {
			return nil
		}
		return []Change{{Do: False}}
	},
}
