package operator

import "go/token"

var errorCheckForced = &Operator{
	Name: "error-check-forced", Group: GroupStrong, Extent: Decision,
	Doc:     "makes a comparison of an error with nil behave as if there were no error",
	Example: "if err != nil → if err != nil && false",
	Inspect: func(s *Site) []Change {
		switch {
		case s.Kind != ErrorCheck:
			return nil
		case s.Op == token.EQL:
			return []Change{{Do: True}}
		}
		return []Change{{Do: False}}
	},
}
