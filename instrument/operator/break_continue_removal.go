package operator

import "go/token"

var breakContinueRemoval = &Operator{
	Name: "break-continue-removal", Group: GroupStrong, Extent: Decision,
	Doc:     "removes break and continue",
	Example: "if n > 9 { break } → if n > 9 { }",
	Inspect: func(s *Site) []Change {
		if s.Kind != Branch || s.Op == token.FALLTHROUGH {
			return nil
		}
		return []Change{{Do: Delete}}
	},
}
