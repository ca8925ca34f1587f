package typing

import (
	"go/ast"
	"go/token"
	"go/types"
)

// FindZeros finds the functions of files that return nothing but the zero value of their result, and the variables of the
// package that stand for the zero value of a struct or an array: they are declared with it, not exported, and
// nothing in the files sets them.
func (i *Info) FindZeros(files []*ast.File) {
	i.zeros = make(map[types.Object]bool)
	set := make(map[types.Object]bool)
	for _, file := range files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if fn, ok := i.Defs[d.Name].(*types.Func); ok && d.Body != nil && i.returnsZero(fn.Signature(), d.Body.List) {
					i.zeros[fn] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
						i.addZeroVariables(v)
					}
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			i.noteSet(n, set)
			return true
		})
	}
	for v := range set {
		delete(i.zeros, v)
	}
}

// returnsZero says whether all that a function does is to return the zero value of its only result.
func (i *Info) returnsZero(sig *types.Signature, body []ast.Stmt) bool {
	if sig.Results().Len() != 1 || len(body) == 0 {
		return false
	}
	result := sig.Results().At(0)
	ret, ok := body[len(body)-1].(*ast.ReturnStmt)
	if !ok {
		return false
	}
	var zero types.Object = result
	if len(body) == 2 {
		zero = i.declaredZero(body[0])
	}
	if len(body) > 2 || zero == nil {
		return false
	}
	if len(ret.Results) == 0 {
		return zero == result
	}
	id, ok := ast.Unparen(ret.Results[0]).(*ast.Ident)
	if ok && i.Uses[id] == zero {
		return types.Identical(zero.Type(), result.Type())
	}
	return len(body) == 1 && i.IsZero(ret.Results[0], result.Type())
}

// declaredZero is the variable that a statement declares without a value; nil: it does something else.
func (i *Info) declaredZero(s ast.Stmt) types.Object {
	d, ok := s.(*ast.DeclStmt)
	if !ok {
		return nil
	}
	g, ok := d.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR || len(g.Specs) != 1 {
		return nil
	}
	v := g.Specs[0].(*ast.ValueSpec)
	if len(v.Names) != 1 || len(v.Values) > 0 {
		return nil
	}
	return i.Defs[v.Names[0]]
}

// addZeroVariables adds variables of the package that are declared with T{}. One that is declared without a value is most
// often there to be set: by a test, or by the linker.
func (i *Info) addZeroVariables(s *ast.ValueSpec) {
	for n, id := range s.Names {
		v, ok := i.Defs[id].(*types.Var)
		if !ok || v.Exported() || len(s.Values) != len(s.Names) {
			continue
		}
		if _, lit := ast.Unparen(s.Values[n]).(*ast.CompositeLit); lit && i.IsZero(s.Values[n], v.Type()) {
			i.zeros[v] = true
		}
	}
}

// noteSet notes the variables that a node sets, in whole or in part, or takes the address of.
func (i *Info) noteSet(n ast.Node, set map[types.Object]bool) {
	note := func(list ...ast.Expr) {
		for _, e := range list {
			if id := root(e); id != nil {
				set[i.Uses[id]] = true
			}
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		note(n.Lhs...)
	case *ast.IncDecStmt:
		note(n.X)
	case *ast.RangeStmt:
		note(n.Key, n.Value)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			note(n.X)
		}
	case *ast.SliceExpr: // of an array
		note(n.X)
	case *ast.SelectorExpr:
		if fn, ok := i.Uses[n.Sel].(*types.Func); ok && fn.Signature().Recv() != nil {
			if _, pointer := fn.Signature().Recv().Type().(*types.Pointer); pointer {
				note(n.X)
			}
		}
	}
}

// root is the variable that an expression is, or is a part of; nil: it is something else.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return x
		default:
			return nil
		}
	}
}

// staysZero says whether an expression is a variable, or a call of a function, that has nothing but the zero value of t.
func (i *Info) staysZero(e ast.Expr, t types.Type) bool {
	e = ast.Unparen(e)
	if !types.Identical(i.TypeOf(e), t) {
		return false
	}
	switch e := e.(type) {
	case *ast.Ident:
		return i.zeros[i.Uses[e]]
	case *ast.CallExpr:
		fn := i.calledObject(e)
		return fn != nil && i.zeros[fn]
	}
	return false
}
