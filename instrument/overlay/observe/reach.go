package observe

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// unit is a package-level declaration of a test file: *ast.FuncDecl,
// *ast.ValueSpec or *ast.TypeSpec.
type unit struct {
	node ast.Node
	info *types.Info
}

// reach returns the declarations of the test files that the fuzz tests refer to,
// directly or through others of them. With a type come all its methods, since an
// interface may call them.
func reach(r *load.Result) map[ast.Node]bool {
	units := make(map[types.Object][]unit)
	var queue []unit
	for _, t := range r.Tests {
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				addUnits(units, t.Info, d)
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil {
					if fn, ok := t.Info.Defs[fd.Name].(*types.Func); ok && load.IsFuzzTest(fn) {
						queue = append(queue, unit{fd, t.Info})
					}
				}
			}
		}
	}
	reached := make(map[ast.Node]bool)
	for len(queue) > 0 {
		u := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if reached[u.node] {
			continue
		}
		reached[u.node] = true
		ast.Inspect(u.node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				queue = append(queue, units[origin(u.info.Uses[id])]...)
			}
			return true
		})
	}
	return reached
}

// addUnits files the declaration d under the objects that lead to it.
func addUnits(units map[types.Object][]unit, info *types.Info, d ast.Decl) {
	add := func(obj types.Object, n ast.Node) {
		if obj != nil {
			units[obj] = append(units[obj], unit{n, info})
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		fn, ok := info.Defs[d.Name].(*types.Func)
		if !ok {
			return
		}
		add(fn, d)
		if recv := fn.Signature().Recv(); recv != nil {
			add(typeName(recv.Type()), d)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				if d.Tok == token.VAR {
					for _, id := range s.Names {
						add(info.Defs[id], s)
					}
				}
			case *ast.TypeSpec:
				add(info.Defs[s.Name], s)
			}
		}
	}
}

// origin returns the object as declared, for one of an instantiated type.
func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// typeName returns the declared type that t or *t is.
func typeName(t types.Type) types.Object {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}
