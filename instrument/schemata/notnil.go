package schemata

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// notNil says whether a result can't be nil at a return statement: as far as it
// is written there, or in a condition around it.
func (w *walker) notNil(s *ast.ReturnStmt, e ast.Expr) bool {
	if t := w.info.TypeOf(e); !types.IsInterface(t) && !w.info.Types[e].IsNil() {
		return true // even a nil pointer makes an interface that is not nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj, ok := w.info.Uses[e].(*types.Var)
		return ok && (typing.IsPackageLevel(obj) || w.f.provedNotNil(s, obj))
	case *ast.SelectorExpr:
		obj, ok := w.info.Uses[e.Sel].(*types.Var)
		return ok && typing.IsPackageLevel(obj)
	case *ast.CallExpr:
		return w.info.MakesError(e)
	}
	return false
}

// proof is a variable that is not nil where a return statement stands.
type proof struct {
	ret *ast.ReturnStmt
	v   types.Object
}

// provedNotNil says whether a condition around a return statement holds only if a
// variable is not nil. Assignments in between are not looked for: it is a matter
// of noise, not of soundness.
func (f *file) provedNotNil(s *ast.ReturnStmt, v types.Object) bool {
	if f.proofs == nil {
		f.proofs = map[proof]bool{}
		ast.Inspect(f.Syntax, f.collectProofs)
	}
	return f.proofs[proof{s, v}]
}

func (f *file) collectProofs(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.proves(n.Cond, token.NEQ, n.Body)
		if n.Else != nil {
			f.proves(n.Cond, token.EQL, n.Else)
		}
	case *ast.CaseClause:
		if len(n.List) == 1 {
			for _, s := range n.Body {
				f.proves(n.List[0], token.NEQ, s)
			}
		}
	}
	return true
}

// proves records what a condition that compares with nil by op says about the
// return statements it leads to: in the conjunction of !=, or by == in a
// disjunction that does not hold.
func (f *file) proves(cond ast.Expr, op token.Token, body ast.Node) {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return
	}
	joint := token.LAND
	if op == token.EQL {
		joint = token.LOR
	}
	switch e.Op {
	case joint:
		f.proves(e.X, op, body)
		f.proves(e.Y, op, body)
	case op:
		id, ok := ast.Unparen(e.X).(*ast.Ident)
		if !ok || !f.r.info.Types[e.Y].IsNil() {
			return
		}
		v := f.r.info.Uses[id]
		ast.Inspect(body, func(n ast.Node) bool {
			if ret, ok := n.(*ast.ReturnStmt); ok {
				f.proofs[proof{ret, v}] = true
			}
			return true
		})
	}
}
