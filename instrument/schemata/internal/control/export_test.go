package control

import "go/ast"

// At returns where a goal is, and whether it is a further round of a loop.
func (g Goal) At() (at ast.Node, round bool) { return g.at, g.round }
