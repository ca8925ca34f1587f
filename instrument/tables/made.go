package tables

import (
	"go/ast"
	"go/token"
	"go/types"
)

// made is how a value is made: of a leaf, of a constant, or by a call of others.
type made struct {
	leaf string // "": none
	text string // of a constant
	fn   *types.Func
	args []*made // the receiver first
}

// maker finds out how values in a body are made.
type maker struct {
	info *types.Info
	leaf func(ast.Expr) (string, bool)
	defs map[types.Object]ast.Expr // variables that are declared with a value, and their expression
}

func newMaker(info *types.Info, body ast.Node, leaf func(ast.Expr) (string, bool)) *maker {
	m := &maker{info: info, leaf: leaf, defs: make(map[types.Object]ast.Expr)}
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			return true
		}
		for i, lhs := range a.Lhs {
			id, ok := lhs.(*ast.Ident)
			switch {
			case !ok || info.Defs[id] == nil:
			case len(a.Rhs) == len(a.Lhs):
				m.defs[info.Defs[id]] = a.Rhs[i]
			case i == 0:
				m.defs[info.Defs[id]] = a.Rhs[0]
			}
		}
		return true
	})
	return m
}

// of is how the value of an expression is made; nil: by something else.
func (m *maker) of(e ast.Expr) *made {
	e = ast.Unparen(e)
	if name, ok := m.leaf(e); ok {
		return &made{leaf: name}
	}
	if v := m.info.Types[e].Value; v != nil {
		return &made{text: v.ExactString()}
	}
	switch e := e.(type) {
	case *ast.Ident:
		if def := m.defs[m.info.Uses[e]]; def != nil {
			return m.of(def)
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return m.of(e.X)
		}
	case *ast.StarExpr:
		return m.of(e.X)
	case *ast.CallExpr:
		return m.call(e)
	}
	return nil
}

// call is how the first result of a call is made. A conversion changes nothing.
func (m *maker) call(e *ast.CallExpr) *made {
	if m.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
		return m.of(e.Args[0])
	}
	fn := m.callee(e)
	if fn == nil || e.Ellipsis.IsValid() {
		return nil
	}
	all := &made{fn: fn}
	if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		all.args = append(all.args, m.of(sel.X))
	}
	for _, arg := range e.Args {
		all.args = append(all.args, m.of(arg))
	}
	return all
}

// callee is the function or method that a call names; nil: it calls what a variable holds.
func (m *maker) callee(e *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	fn, _ := m.info.Uses[id].(*types.Func)
	return fn
}

// match finds the leaves of have that stand where want has its own, and enters them into leaves
// by these. The calls of what makes arguments may be of other functions: what a row needs of them
// is a value of the text that it has.
func match(want, have *made, root bool, leaves map[string]string) bool {
	switch {
	case want == nil || have == nil:
		return false
	case want.leaf != "":
		if was, ok := leaves[want.leaf]; ok && was != have.leaf {
			return false
		}
		leaves[want.leaf] = have.leaf
		return have.leaf != ""
	case want.fn == nil:
		return have.fn == nil && have.leaf == "" && want.text == have.text
	case have.fn == nil || len(want.args) != len(have.args) || root && want.fn.FullName() != have.fn.FullName():
		return false
	}
	for i := range want.args {
		if !match(want.args[i], have.args[i], false, leaves) {
			return false
		}
	}
	return true
}
