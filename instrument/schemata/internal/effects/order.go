package effects

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// The compiler is free to read variables after it has made the calls that follow them
// in the same statement, and it does. Handed to a helper, a variable is read where
// it stands.

// Order returns why operands can't be handed to a helper where they stand in the
// statement around them; nil if they can.
func (fx *Effects) Order(within ast.Stmt, list ...ast.Expr) reasons.Reason {
	for _, e := range list {
		if fx.callFollows(within, e) && !fx.stable(e) {
			return reasons.ReadEarly
		}
	}
	return nil
}

// callFollows says whether a call that could change something is evaluated after
// e in the same statement.
func (fx *Effects) callFollows(within ast.Stmt, e ast.Expr) bool {
	if within == nil {
		return false
	}
	end, found := min(evaluationEnd(within, e), shortCircuitEnd(within, e)), false
	ast.Inspect(within, func(n ast.Node) bool {
		if n == nil || found || n.End() <= e.End() || n.Pos() >= end {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // e is in its own statement there
		case *ast.CallExpr:
			found = n.Pos() >= e.End() && fx.changes(n)
		case *ast.UnaryExpr:
			found = n.Pos() >= e.End() && n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// shortCircuitEnd returns where the left operand of && or || ends that e is a part
// of, the innermost one: it is evaluated before all that follows.
func shortCircuitEnd(s ast.Stmt, e ast.Expr) token.Pos {
	end := s.End()
	ast.Inspect(s, func(n ast.Node) bool {
		if n == nil || e.Pos() < n.Pos() || n.End() < e.End() {
			return false
		}
		b, ok := n.(*ast.BinaryExpr)
		if ok && (b.Op == token.LAND || b.Op == token.LOR) && e.End() <= b.X.End() {
			end = b.X.End()
		}
		return true
	})
	return end
}

// evaluationEnd returns where the evaluation that e belongs to ends: at the body
// of a statement that has one.
func evaluationEnd(s ast.Stmt, e ast.Expr) token.Pos {
	var body *ast.BlockStmt
	switch s := s.(type) {
	case *ast.IfStmt:
		body = s.Body
	case *ast.RangeStmt:
		body = s.Body
	case *ast.SwitchStmt:
		body = s.Body
	case *ast.TypeSwitchStmt:
		body = s.Body
	case *ast.SelectStmt:
		body = s.Body
	case *ast.ForStmt:
		if s.Cond != nil {
			return s.Cond.End()
		}
	}
	switch {
	case body == nil:
		return s.End()
	case e.Pos() < body.Lbrace:
		return body.Lbrace
	}
	for _, s := range body.List {
		switch c := s.(type) {
		case *ast.CaseClause:
			if c.Pos() <= e.Pos() && e.End() <= c.Colon {
				return c.Colon
			}
		case *ast.CommClause:
			if c.Pos() <= e.Pos() && e.End() <= c.Colon {
				return c.Colon
			}
		}
	}
	return body.Rbrace
}

// changes says whether a call could change a variable.
func (fx *Effects) changes(e *ast.CallExpr) bool {
	tv := fx.info.Types[e.Fun]
	if tv.IsType() {
		return false
	}
	id := typing.CalleeIdent(e)
	return !tv.IsBuiltin() || id == nil || id.Name == "copy" || id.Name == "recover"
}

// stable says whether no call can change the value of e, for all of it is in local
// variables that nothing else refers to, or has been calculated already.
func (fx *Effects) stable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := fx.info.Uses[e].(*types.Var)
		return !ok || !fx.isShared(v)
	case *ast.ParenExpr:
		return fx.stable(e.X)
	case *ast.UnaryExpr:
		return fx.stable(e.X)
	case *ast.BinaryExpr:
		return fx.stable(e.X) && fx.stable(e.Y)
	case *ast.SelectorExpr:
		if sel, ok := fx.info.Selections[e]; ok {
			return sel.Kind() == types.FieldVal && !sel.Indirect() && fx.stable(e.X)
		}
		_, variable := fx.info.Uses[e.Sel].(*types.Var)
		return !variable
	case *ast.CallExpr:
		return fx.stableCall(e)
	}
	return fx.info.IsConstant(e)
}

func (fx *Effects) stableCall(e *ast.CallExpr) bool {
	if fx.changes(e) {
		return true
	}
	for _, arg := range e.Args {
		if fx.info.Types[arg].IsType() {
			continue
		}
		switch typing.Core(fx.info.TypeOf(arg)).(type) {
		case *types.Map, *types.Chan:
			return false
		}
		if !fx.stable(arg) {
			return false
		}
	}
	return true
}
