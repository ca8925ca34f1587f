package operator

var assertionGuard = &Operator{
	Name: "assertion-guard", Group: GroupGuards, Extent: Value,
	Doc:     "checks a type before it is asserted",
	Example: "s := v.(string) → if _, ok := v.(string); !ok { return }; s := v.(string)",
	Inspect: func(s *Site) []Change { return guard(s, WrongType) },
}
