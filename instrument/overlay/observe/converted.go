package observe

import (
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// findConverted gives the parameters that some nodes use once, and convert to a declared type
// there, this type: where one of its values is asked for, so that a constant needs no conversion,
// or a method is called.
func (s *directSearch) findConverted(nodes ...ast.Node) {
	uses := make(map[types.Object]int)
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && s.params[s.t.Info.Uses[id]] != "" {
				uses[s.t.Info.Uses[id]]++
			}
			return true
		})
	}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			s.eachAsked(n, func(e ast.Expr, t types.Type) {
				if id := s.conversion(e, t); id != nil && uses[s.t.Info.Uses[id]] == 1 {
					s.convert(ast.Unparen(e).(*ast.CallExpr), id, false)
				}
			})
			if sel, ok := n.(*ast.SelectorExpr); ok && s.t.Info.Selections[sel] != nil {
				if id := s.conversion(sel.X, s.t.Info.TypeOf(sel.X)); id != nil && uses[s.t.Info.Uses[id]] == 1 {
					s.convert(ast.Unparen(sel.X).(*ast.CallExpr), id, true)
				}
			}
			return true
		})
	}
}

// eachAsked calls f with the expressions in a node that are asked for as values of a type: arguments of
// functions without type parameters, and fields.
func (s *directSearch) eachAsked(n ast.Node, f func(ast.Expr, types.Type)) {
	switch n := n.(type) {
	case *ast.CallExpr:
		id := calleeIdent(n.Fun)
		if id == nil || s.t.Info.Instances[id].Type != nil {
			return
		}
		fn, ok := s.t.Info.Uses[id].(*types.Func)
		if !ok {
			return
		}
		for i, arg := range n.Args {
			f(arg, target.ParamAt(fn.Signature(), i))
		}
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok {
			if v, ok := s.t.Info.Uses[id].(*types.Var); ok && v.IsField() {
				f(n.Value, v.Type())
			}
		}
	}
}

// conversion returns the parameter of the target that an expression converts to a declared type of
// the same form; nil: it does not.
func (s *directSearch) conversion(e ast.Expr, t types.Type) *ast.Ident {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !s.t.Info.Types[call.Fun].IsType() {
		return nil
	}
	id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok || s.params[s.t.Info.Uses[id]] == "" {
		return nil
	}
	named, ok := types.Unalias(s.t.Info.TypeOf(call)).(*types.Named)
	if !ok || named.TypeArgs().Len() > 0 || !types.Identical(named, t) {
		return nil
	}
	if _, ok := named.Underlying().(*types.Basic); !ok || !types.Identical(named.Underlying(), s.t.Info.TypeOf(id)) {
		return nil
	}
	return id
}

// convert gives a parameter the type that it is converted to. receiver says that a method of that is called.
func (s *directSearch) convert(call *ast.CallExpr, id *ast.Ident, receiver bool) {
	fr := s.fileRewriter(s.t, s.file, "")
	obj := s.t.Info.Uses[id]
	for i := range s.direct.Params {
		if p := &s.direct.Params[i]; p.Name == s.params[obj] {
			typ := ast.Unparen(call.Fun)
			p.Type = string(s.file.Src[fr.offset(typ.Pos()):fr.offset(typ.End())])
			p.Of, p.Receiver = s.t.Info.TypeOf(call), receiver
			s.converted[call] = id
		}
	}
}
