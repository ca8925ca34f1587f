package operator

import "go/token"

var breakContinueSwap = &Operator{
	Name: "break-continue-swap", Group: GroupStrong, Extent: Decision,
	Doc:     "swaps break and continue",
	Example: "break → continue",
	Inspect: func(s *Site) []Change {
		if s.Kind != Branch {
			return nil
		}
		switch s.Op {
		case token.BREAK:
			return swaps(token.CONTINUE)
		case token.CONTINUE:
			return swaps(token.BREAK)
		}
		return nil
	},
}
