package operator

var voidCallRemoval = &Operator{
	Name: "void-call-removal", Group: GroupDefault, Extent: Removal,
	Doc:     "removes a call of a function without results",
	Example: "p.reset() →",
	Inspect: func(s *Site) []Change { return deleted(s, VoidCall) },
}
