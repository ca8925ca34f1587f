package callers

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/constants"
)

// Must returns the function whose error another one panics with, as MustParse does with that of
// Parse, whatever its name; nil: it does not.
func (s *Surface) Must(fn *types.Func) *types.Func {
	if n := s.nodes[fn]; n != nil {
		return n.must()
	}
	return nil
}

// must is the function that a node calls first, if the next statement panics if that has
// returned an error.
func (n *node) must() *types.Func {
	body, ok := n.decl.(*ast.BlockStmt)
	if !ok || len(body.List) < 2 {
		return nil
	}
	a, ok := body.List[0].(*ast.AssignStmt)
	check, ok2 := body.List[1].(*ast.IfStmt)
	if !ok || !ok2 || len(a.Rhs) != 1 || check.Init != nil || len(check.Body.List) != 1 {
		return nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	cond, ok2 := ast.Unparen(check.Cond).(*ast.BinaryExpr)
	if !ok || !ok2 || cond.Op != token.NEQ {
		return nil
	}
	failed, ok := ast.Unparen(cond.X).(*ast.Ident)
	last, ok2 := a.Lhs[len(a.Lhs)-1].(*ast.Ident)
	if !ok || !ok2 || n.info.Uses[failed] == nil || n.info.Uses[failed] != n.info.Defs[last] || !types.Identical(n.info.Uses[failed].Type(), types.Universe.Lookup("error").Type()) {
		return nil
	}
	say, ok := check.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	end, ok := say.X.(*ast.CallExpr)
	if !ok {
		return nil
	}
	if id, ok := end.Fun.(*ast.Ident); !ok || n.info.Uses[id] != types.Universe.Lookup("panic") {
		return nil
	}
	return constants.Callee(n.info, call)
}
