// Package enum knows which constants are declared together.
package enum

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Enums knows the constants that are declared together. Constants of one
// declared type in one block make an enumeration, and so do those of one other
// type in a block that counts with iota.
type Enums map[*types.Const]member

// member is a constant's place in its enumeration.
type member struct {
	of    []*types.Const // in source order
	index int
}

// Find finds the enumerations in the files of a package.
func Find(info *types.Info, files []*ast.File) Enums {
	e := Enums{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST && d.Lparen.IsValid() {
				e.add(d, info)
			}
			return true
		})
	}
	return e
}

// add enters the constants of one block.
func (e Enums) add(d *ast.GenDecl, info *types.Info) {
	counts := countsWithIota(d, info)
	var groups [][]*types.Const
	for _, spec := range d.Specs {
		for _, name := range spec.(*ast.ValueSpec).Names {
			c, ok := info.Defs[name].(*types.Const)
			if !ok || c.Name() == "_" {
				continue
			}
			if _, basic := types.Unalias(c.Type()).(*types.Basic); counts || !basic {
				groups = grouped(groups, c)
			}
		}
	}
	for _, g := range groups {
		for i, c := range g {
			e[c] = member{g, i}
		}
	}
}

// grouped puts c into the group of its type.
func grouped(groups [][]*types.Const, c *types.Const) [][]*types.Const {
	for i, g := range groups {
		if types.Identical(g[0].Type(), c.Type()) {
			groups[i] = append(g, c)
			return groups
		}
	}
	return append(groups, []*types.Const{c})
}

func countsWithIota(d *ast.GenDecl, info *types.Info) bool {
	found := false
	ast.Inspect(d, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota" && info.Uses[id] == types.Universe.Lookup("iota")
		return !found
	})
	return found
}

// Neighbours returns the constants before and after the one that an expression names, where
// their values differ from its own and their names mean them.
func (e Enums) Neighbours(info *typing.Info, named ast.Expr) []*types.Const {
	id, ok := ast.Unparen(named).(*ast.Ident)
	if !ok {
		return nil
	}
	c, ok := info.Uses[id].(*types.Const)
	if !ok {
		return nil
	}
	m := e[c]
	scope := info.Pkg.Scope().Innermost(id.Pos())
	var list []*types.Const
	for _, i := range []int{m.index - 1, m.index + 1} {
		if i < 0 || i >= len(m.of) || scope == nil || constant.Compare(m.of[i].Val(), token.EQL, c.Val()) {
			continue
		}
		if _, obj := scope.LookupParent(m.of[i].Name(), id.Pos()); obj == m.of[i] {
			list = append(list, m.of[i])
		}
	}
	return list
}
