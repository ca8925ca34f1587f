package operator

// LoopGuard is the name of the operator that bounds loops.
const LoopGuard = "loop-guard"

// What costs too much is often bounded in the fix where a loop begins: how deep something is
// nested, or how many parts it has.
var loopGuard = &Operator{
	Name: LoopGuard, Group: GroupGuards, Extent: Value,
	Doc:     "ends a loop, or leaves the function, after 1,000 turns of the loop in one call",
	Example: "for r.more() { next() } → n := 0; for r.more() { if n++; n > 1000 { return }; next() }",
	Inspect: func(s *Site) []Change { return errorFirst(guard(s, ManyTurns)) },
}

// errorFirst has the error come first of the changes of a bound, where the function has one: most
// fixes return it.
func errorFirst(changes []Change) []Change {
	if n := len(changes) - 1; n > 0 && changes[n].Do == NewError {
		changes = append([]Change{changes[n]}, changes[:n]...)
	}
	return changes
}
