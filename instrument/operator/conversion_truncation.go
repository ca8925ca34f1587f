package operator

var conversionTruncation = &Operator{
	Name: "conversion-truncation", Group: GroupAll, Extent: Value,
	Doc:     "converts an integer through the next narrower type first",
	Example: "uint32(n) → uint32(uint16(n))",
	Inspect: func(s *Site) []Change {
		if s.Kind != Conversion {
			return nil
		}
		return free(s, Truncate)
	},
}
