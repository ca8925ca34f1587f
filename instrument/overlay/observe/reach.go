package observe

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// unit is a package-level declaration of a test file: *ast.FuncDecl,
// *ast.ValueSpec or *ast.TypeSpec.
type unit struct {
	node ast.Node
	info *types.Info
}

// reach returns the declarations of the test files that those for which root holds refer to,
// directly or through others of them. With a type come all its methods, since an
// interface may call them.
func reach(r *load.Result, root func(*types.Info, ast.Node) bool) map[ast.Node]bool {
	units, queue := declared(r, root)
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

// declared returns the declarations of the test files by the objects that lead to
// them, and those for which root holds.
func declared(r *load.Result, root func(*types.Info, ast.Node) bool) (units map[types.Object][]unit, roots []unit) {
	units = make(map[types.Object][]unit)
	for _, t := range r.Tests {
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				addUnits(units, t.Info, d)
				if root(t.Info, d) {
					roots = append(roots, unit{d, t.Info})
				}
			}
		}
	}
	return units, roots
}

func isFuzzTest(info *types.Info, d ast.Node) bool {
	fd, ok := d.(*ast.FuncDecl)
	if !ok || fd.Recv != nil {
		return false
	}
	fn, ok := info.Defs[fd.Name].(*types.Func)
	return ok && load.IsFuzzTest(fn)
}

// isTest says whether a declaration is run by go test without a benchmark. Names that only
// look as if count as well: there is no harm in them.
func isTest(_ *types.Info, d ast.Node) bool {
	fd, ok := d.(*ast.FuncDecl)
	return ok && fd.Recv == nil && slices.ContainsFunc([]string{"Test", "Example", "Fuzz"}, func(prefix string) bool {
		return strings.HasPrefix(fd.Name.Name, prefix)
	})
}

// copied returns those of the reached declarations that a copy of the fuzz tests has
// in copy too: the fuzz tests, and the plain functions that nothing else refers to
// but these and each other, in the same package. What a method or a variable refers
// to stays what it is.
func copied(r *load.Result, reached map[ast.Node]bool) map[ast.Node]bool {
	units, _ := declared(r, isFuzzTest)
	set := make(map[ast.Node]bool)
	var all []unit
	for _, list := range units {
		for _, u := range list {
			if !reached[u.node] {
				continue
			}
			all = append(all, u)
			fd, ok := u.node.(*ast.FuncDecl)
			set[u.node] = ok && fd.Recv == nil && fd.Name.Name != "init"
		}
	}
	for again := true; again; {
		again = false
		for _, u := range all {
			ast.Inspect(u.node, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				for _, to := range units[origin(u.info.Uses[id])] {
					if set[to.node] && (!set[u.node] || to.info != u.info) && !isFuzzTest(to.info, to.node) {
						set[to.node], again = false, true
					}
				}
				return true
			})
		}
	}
	return set
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
