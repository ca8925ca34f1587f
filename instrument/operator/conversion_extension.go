package operator

var conversionExtension = &Operator{
	Name: "conversion-extension", Group: GroupAll, Extent: Value,
	Doc:     "extends an integer that is converted to a wider type as if it were signed, or unsigned",
	Example: "int(b) → int(int8(b))",
	Inspect: func(s *Site) []Change {
		if s.Kind != Conversion {
			return nil
		}
		return free(s, Extend)
	},
}
