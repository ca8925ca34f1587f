package constants

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// Callee returns the function or method that is called by its name, without type
// arguments; nil: it is called otherwise.
func Callee(info *types.Info, call *ast.CallExpr) *types.Func {
	e := ast.Unparen(call.Fun)
	switch x := e.(type) {
	case *ast.IndexExpr:
		e = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		e = ast.Unparen(x.X)
	}
	var fn *types.Func
	switch e := e.(type) {
	case *ast.Ident:
		fn, _ = info.Uses[e].(*types.Func)
	case *ast.SelectorExpr:
		fn, _ = info.Uses[e.Sel].(*types.Func)
	}
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// Passed are the arguments of a call without the receiver, which is the first one of a
// method expression.
func Passed(info *types.Info, call *ast.CallExpr) []ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && len(call.Args) > 0 {
		if s := info.Selections[sel]; s != nil && s.Kind() == types.MethodExpr {
			return call.Args[1:]
		}
	}
	return call.Args
}

// readers are functions whose result stands for the text that they are given.
const readers = " strings.NewReader bytes.NewReader bytes.NewBuffer bytes.NewBufferString errors.New "

// Leaf returns the constant that an expression is, or the variable that it is made of.
func Leaf(info *types.Info, e ast.Expr) (constant.Value, *types.Var) {
	e = ast.Unparen(e)
	if tv := info.Types[e]; tv.Value != nil {
		return tv.Value, nil
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		fn := Callee(info, e)
		reader := fn != nil && fn.Pkg() != nil && strings.Contains(readers, " "+fn.FullName()+" ")
		if len(e.Args) == 1 && (reader || info.Types[e.Fun].IsType()) {
			return Leaf(info, e.Args[0])
		}
	case *ast.Ident:
		v, _ := info.Uses[e].(*types.Var)
		return nil, v
	case *ast.SelectorExpr:
		v, _ := info.Uses[e.Sel].(*types.Var)
		return nil, v
	}
	return nil, nil
}
