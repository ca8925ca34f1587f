package effects

import (
	"go/ast"
	"go/token"
	"go/types"
)

// isShared says whether a variable can be changed from outside of the code that
// names it: it is a package's, captured by a function literal, or its address is
// taken.
func (fx *Effects) isShared(v *types.Var) bool {
	if fx.shared == nil {
		fx.shared = map[*types.Var]bool{}
		for _, d := range fx.src.Syntax.Decls {
			ast.Inspect(d, func(n ast.Node) bool { fx.share(n); return true })
		}
	}
	return fx.shared[v] || v.Parent() == nil || v.Parent() == fx.info.Pkg.Scope() || v.Pkg() != fx.info.Pkg
}

func (fx *Effects) share(n ast.Node) {
	info := fx.info
	switch n := n.(type) {
	case *ast.FuncLit:
		ast.Inspect(n.Body, func(inner ast.Node) bool {
			if id, ok := inner.(*ast.Ident); ok {
				if v, ok := info.Uses[id].(*types.Var); ok && (v.Pos() < n.Pos() || v.Pos() >= n.End()) {
					fx.shared[v] = true
				}
			}
			return true
		})
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			fx.shareRoot(n.X)
		}
	case *ast.SliceExpr: // of an array
		if !fx.refers(n.X) {
			fx.shareRoot(n.X)
		}
	case *ast.SelectorExpr: // perhaps a method with a pointer receiver
		if sel, ok := info.Selections[n]; ok && sel.Kind() == types.MethodVal && !fx.isPointer(n.X) {
			fx.shareRoot(n.X)
		}
	}
}

// shareRoot marks the variable that an operand is a part of, unless the operand is
// reached through a pointer.
func (fx *Effects) shareRoot(e ast.Expr) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if fx.isPointer(x.X) {
				return
			}
			e = x.X
		case *ast.IndexExpr:
			if fx.refers(x.X) {
				return
			}
			e = x.X
		case *ast.Ident:
			if v, ok := fx.info.Uses[x].(*types.Var); ok {
				fx.shared[v] = true
			}
			return
		default:
			return
		}
	}
}

func (fx *Effects) isPointer(e ast.Expr) bool {
	_, ok := fx.info.TypeOf(e).Underlying().(*types.Pointer)
	return ok
}

// refers says whether the elements of an operand are elsewhere.
func (fx *Effects) refers(e ast.Expr) bool {
	_, array := fx.info.TypeOf(e).Underlying().(*types.Array)
	return !array
}
