package operator

// DepthGuard is the name of the operator that bounds how deep functions call themselves.
const DepthGuard = "depth-guard"

// What is nested too deep overflows the stack, or costs too much at each level. The fix most often
// counts the levels in a function that calls itself, and refuses what has too many.
var depthGuard = &Operator{
	Name: DepthGuard, Group: GroupGuards, Extent: Value,
	Doc:     "leaves a function that may call itself, by way of others, too, where more than 1,000 calls of it are in progress",
	Example: "func value() { value() } → depth++; defer func() { depth-- }(); if depth > 1000 { return }; value()",
	Inspect: func(s *Site) []Change { return errorFirst(guard(s, DeepCalls)) },
}
