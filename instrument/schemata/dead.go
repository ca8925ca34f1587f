package schemata

import (
	"go/ast"
)

// neverThen walks an if statement whose condition is false.
func (w *walker) neverThen(s *ast.IfStmt, p position) {
	w.silenced(s.Cond.Pos(), "block", unreachableCode, func() {
		w.expr(s.Cond, place{})
		w.stmts(s.Body.List, p.last)
	})
	w.stmt(s.Else, position{last: p.last})
}
