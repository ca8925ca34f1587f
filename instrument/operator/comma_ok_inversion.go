package operator

var commaOkInversion = &Operator{
	Name: "comma-ok-inversion", Group: GroupStrong, Extent: Decision,
	Doc:     "inverts the ok of a map index, a type assertion or a receive",
	Example: "v, ok := m[k] → v, ok := m[k]; ok = !ok",
	Inspect: func(s *Site) []Change {
		if s.Kind != CommaOk {
			return nil
		}
		return []Change{{Do: Negate}}
	},
}
