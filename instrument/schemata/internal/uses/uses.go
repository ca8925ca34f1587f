// Package uses knows where names are used that have to be used somewhere.
package uses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Uses knows where the imports, local variables and labels of a package are used. A plain
// edit that drops the last use of one would not compile.
type Uses struct {
	byFile map[*token.File][]use // in source order
	first  map[useKey]token.Pos
	last   map[useKey]token.Pos
	count  map[useKey]int
}

type use struct {
	pos token.Pos
	obj types.Object
}

// useKey identifies a variable, import or label. The symbol of a type switch is one
// variable per clause, all declared at the same place and used if one of them is.
type useKey token.Pos

// Count counts the uses in the files of a package.
func Count(fset *token.FileSet, info *types.Info, files []*ast.File) *Uses {
	u := &Uses{byFile: map[*token.File][]use{}, first: map[useKey]token.Pos{}, last: map[useKey]token.Pos{}, count: map[useKey]int{}}
	for _, f := range files {
		assigned, dots := assignedOnly(f), dotImports(info, f)
		qualified := map[*ast.Ident]bool{}
		var list []use
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				qualified[sel.Sel] = true
			}
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := info.Uses[id]
			if imp := dots[PackageOf(obj)]; imp != nil && !qualified[id] {
				list = append(list, use{id.Pos(), imp})
			} else if mustBeUsed(obj) && !assigned[id] {
				list = append(list, use{id.Pos(), obj})
			}
			return true
		})
		slices.SortFunc(list, func(a, b use) int { return int(a.pos - b.pos) })
		for _, s := range list {
			key := useKey(s.obj.Pos())
			if _, ok := u.first[key]; !ok {
				u.first[key] = s.pos
			}
			u.last[key] = s.pos
			u.count[key]++
		}
		u.byFile[fset.File(f.FileStart)] = list
	}
	return u
}

// dotImports returns a file's imports without their own name.
func dotImports(info *types.Info, f *ast.File) map[*types.Package]*types.PkgName {
	dots := map[*types.Package]*types.PkgName{}
	for _, spec := range f.Imports {
		if spec.Name == nil || spec.Name.Name != "." {
			continue
		}
		if imp, ok := info.Defs[spec.Name].(*types.PkgName); ok {
			dots[imp.Imported()] = imp
		}
	}
	return dots
}

// PackageOf returns the package that declares an object outside of all functions
// and types.
func PackageOf(obj types.Object) *types.Package {
	if obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return nil
	}
	return obj.Pkg()
}

// assignedOnly returns the identifiers that are assigned to by themselves, which
// the compiler does not take for a use.
func assignedOnly(f *ast.File) map[*ast.Ident]bool {
	found := map[*ast.Ident]bool{}
	add := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && e != nil {
			found[id] = true
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					add(e)
				}
			}
		case *ast.RangeStmt:
			if n.Key != nil {
				add(n.Key)
			}
			if n.Value != nil {
				add(n.Value)
			}
		}
		return true
	})
	return found
}

func mustBeUsed(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.PkgName, *types.Label:
		return true
	case *types.Var:
		return obj.Kind() == types.LocalVar // parameters and results need no use
	}
	return false
}

// Lost returns the objects all of whose uses are in [lo, hi), in source order.
func (u *Uses) Lost(tok *token.File, lo, hi token.Pos) []types.Object {
	list := u.byFile[tok]
	i, _ := slices.BinarySearchFunc(list, lo, func(s use, pos token.Pos) int { return int(s.pos - pos) })
	var lost []types.Object
	for ; i < len(list) && list[i].pos < hi; i++ {
		obj := list[i].obj
		key := useKey(obj.Pos())
		if u.first[key] != list[i].pos || u.last[key] >= hi { // at its first use, once
			continue
		}
		if declared := obj.Pos(); declared >= lo && declared < hi {
			continue // goes with its declaration
		}
		lost = append(lost, obj)
	}
	return lost
}

// LostWith returns the objects all of whose uses are in several statements, in the
// order of the source.
func (u *Uses) LostWith(tok *token.File, stmts []ast.Stmt) []types.Object {
	var lost []types.Object
	inside := map[useKey]int{}
	for _, s := range u.byFile[tok] {
		for _, stmt := range stmts {
			if stmt.Pos() <= s.pos && s.pos < stmt.End() {
				key := useKey(s.obj.Pos())
				if inside[key]++; inside[key] == u.count[key] {
					lost = append(lost, s.obj)
				}
			}
		}
	}
	return lost
}
