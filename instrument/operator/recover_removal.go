package operator

// Where recover is its own statement statement-deletion does the same.
var recoverRemoval = &Operator{
	Name: "recover-removal", Group: GroupStrong, Extent: Removal,
	Doc:     "replaces a call of recover by nil: a panic continues",
	Example: "r := recover() → r := interface{}(nil)",
	Inspect: func(s *Site) []Change {
		if s.Kind != Recover {
			return nil
		}
		return []Change{{Do: Delete}}
	},
}
