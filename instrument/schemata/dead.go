package schemata

import (
	"go/ast"
	"go/constant"
	"go/token"
)

// decided returns the value that a condition has whatever the program does: it is
// constant, or a constant decides it (debug && x > 3).
func (w *walker) decided(e ast.Expr) (value, known bool) {
	if v := w.value(e); v != nil {
		return constant.BoolVal(v), true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.decided(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			value, known = w.decided(e.X)
			return !value, known
		}
	case *ast.BinaryExpr:
		if e.Op != token.LAND && e.Op != token.LOR {
			return false, false
		}
		decides := e.Op == token.LOR
		for _, operand := range []ast.Expr{e.X, e.Y} {
			if value, known := w.decided(operand); known && value == decides {
				return value, true
			}
		}
	}
	return false, false
}

// neverThen walks an if statement whose condition is false.
func (w *walker) neverThen(s *ast.IfStmt, p position) {
	w.silenced(s.Cond.Pos(), "block", unreachableCode, func() {
		w.expr(s.Cond, place{})
		w.stmts(s.Body.List, p.last)
	})
	w.stmt(s.Else, position{last: p.last})
}
