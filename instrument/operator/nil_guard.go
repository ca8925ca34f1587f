package operator

// A method with a pointer receiver may be called on nil: it is guarded inside,
// where the receiver is used.
var nilGuard = &Operator{
	Name: "nil-guard", Group: GroupGuards, Extent: Value,
	Doc:     "checks for nil before a pointer, interface or function is used, or a map is written to",
	Example: "n = p.next.n → if p.next == nil { return }; n = p.next.n",
	Inspect: func(s *Site) []Change { return guard(s, NilUse) },
}
