package operator

// What a function returns where it has found nothing is often used some calls later: the guard
// of that use is far from the check that is missing.
var resultGuard = &Operator{
	Name: "result-guard", Group: GroupGuards, Extent: Value,
	Doc:     "leaves the function if a call has just returned nil for a pointer, or a negative number, into a variable that the next statement does not check",
	Example: "n := find(); use(n) → n := find(); if n == nil { return }; use(n)",
	Inspect: func(s *Site) []Change { return guard(s, BadResult) },
}
