package operator

import "go/token"

var fallthroughRemoval = &Operator{
	Name: "fallthrough-removal", Group: GroupStrong, Extent: Decision,
	Doc:     "removes fallthrough",
	Example: "case 1: n++; fallthrough → case 1: n++",
	Inspect: func(s *Site) []Change {
		if s.Kind != Branch || s.Op != token.FALLTHROUGH {
			return nil
		}
		return []Change{{Do: Delete}}
	},
}
