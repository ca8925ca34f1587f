package operator

var divisorGuard = &Operator{
	Name: "divisor-guard", Group: GroupGuards, Extent: Value,
	Doc:     "checks for a divisor of zero",
	Example: "n /= d → if d == 0 { return }; n /= d",
	Inspect: func(s *Site) []Change { return guard(s, ZeroDivisor) },
}
