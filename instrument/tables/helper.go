package tables

import (
	"go/ast"
	"go/token"
	"go/types"
)

// leaves says which field of a row an expression is, by name.
type leaves func(ast.Expr) (string, bool)

// helpers are the functions of the tests with a body, without methods.
func (s *search) helpers() map[*types.Func]*ast.FuncDecl {
	if s.declares == nil {
		s.declares = make(map[*types.Func]*ast.FuncDecl)
		for i := range s.tests.Files {
			if s.loaded.DerivedFiles[s.tests.Files[i].Path] != nil {
				continue
			}
			for _, d := range s.tests.Files[i].Syntax.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Body != nil {
					if fn, ok := s.tests.Info.Defs[fd.Name].(*types.Func); ok {
						s.declares[fn] = fd
					}
				}
			}
		}
	}
	return s.declares
}

// helped calls do with the declaration of each function of the tests that a body calls, and the
// parameters by their arguments, until do returns true.
func (s *search) helped(body ast.Node, do func(fd *ast.FuncDecl, args map[types.Object]ast.Expr) bool) (done bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || done {
			return !done
		}
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		if !ok {
			return true
		}
		fn, ok := s.tests.Info.Uses[id].(*types.Func)
		if !ok || fn.Signature().Variadic() || call.Ellipsis.IsValid() || s.helpers()[fn] == nil {
			return true
		}
		fd := s.helpers()[fn]
		args := make(map[types.Object]ast.Expr)
		at := 0
		for _, f := range fd.Type.Params.List {
			for _, name := range f.Names {
				if obj := s.tests.Info.Defs[name]; obj != nil && at < len(call.Args) {
					args[obj] = call.Args[at]
				}
				at++
			}
			if len(f.Names) == 0 {
				at++
			}
		}
		done = do(fd, args)
		return !done
	})
	return done
}

// inHelper are the leaves in the body of a function that is called with parts of a row, or with the
// whole row. What the function assigns to is no leaf.
func (s *search) inHelper(fd *ast.FuncDecl, args map[types.Object]ast.Expr, outer leaves, row func(ast.Expr) bool) (leaves, bool) {
	assigned := s.assigned(fd.Body)
	whole, parts := make(map[types.Object]bool), make(map[types.Object]string)
	for param, arg := range args {
		if assigned[param] {
			continue
		}
		if name, ok := outer(ast.Unparen(arg)); ok {
			parts[param] = name
		} else if row(ast.Unparen(arg)) {
			whole[param] = true
		}
	}
	return func(e ast.Expr) (string, bool) {
		switch e := e.(type) {
		case *ast.Ident:
			name, ok := parts[s.tests.Info.Uses[e]]
			return name, ok
		case *ast.SelectorExpr:
			id, ok := ast.Unparen(e.X).(*ast.Ident)
			return e.Sel.Name, ok && whole[s.tests.Info.Uses[id]]
		}
		return "", false
	}, len(whole)+len(parts) > 0
}

// assigned are the variables that a body assigns to, or takes the address of.
func (s *search) assigned(body ast.Node) map[types.Object]bool {
	list := make(map[types.Object]bool)
	note := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			list[s.tests.Info.Uses[id]] = true
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				note(lhs)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		}
		return true
	})
	delete(list, nil)
	return list
}

// looped are the loops over a table that a test hands to a function of the tests, as the one use
// of a parameter.
func (s *search) looped(fd *ast.FuncDecl, do func(loop *ast.RangeStmt, rows ast.Expr)) {
	s.helped(fd.Body, func(helper *ast.FuncDecl, args map[types.Object]ast.Expr) bool {
		ast.Inspect(helper.Body, func(n ast.Node) bool {
			loop, ok := n.(*ast.RangeStmt)
			if !ok {
				return true
			}
			if id, ok := ast.Unparen(loop.X).(*ast.Ident); ok {
				param := s.tests.Info.Uses[id]
				if arg := args[param]; arg != nil && s.uses[param] == 1 {
					do(loop, arg)
				}
			}
			return true
		})
		return false
	})
}

// onlyLooped says whether a test does nothing with a table but loop over it, count its rows, and hand
// it to functions.
func (s *search) onlyLooped(fd *ast.FuncDecl, obj types.Object) bool {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && s.tests.Info.Uses[id] == obj
	}
	n := 0
	ast.Inspect(fd.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.RangeStmt:
			if is(node.X) {
				n++
			}
		case *ast.CallExpr:
			id, ok := ast.Unparen(node.Fun).(*ast.Ident)
			if !ok {
				return true
			}
			fn := s.tests.Info.Uses[id]
			if _, builtin := fn.(*types.Builtin); builtin && id.Name != "len" {
				return true
			}
			if f, ok := fn.(*types.Func); ok && s.helpers()[f] == nil {
				return true
			}
			for _, arg := range node.Args {
				if is(arg) {
					n++
				}
			}
		}
		return true
	})
	return n > 0 && n == s.uses[obj]
}
