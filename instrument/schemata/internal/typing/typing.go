// Package typing answers questions about the types of expressions, and about what is known
// of their values before the program runs.
package typing

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

// Info is what the type checker knows of a package.
type Info struct {
	*types.Info
	Pkg *types.Package

	indexes map[types.Object]bool     // filled by FindIndexes
	zeros   map[types.Object]bool     // filled by FindZeros
	results map[*types.Func]Bounds    // filled by FindResults
	once    map[types.Object]ast.Expr // likewise: what variables are set to that are set once
}

// Predeclared returns a predeclared name if it has its meaning at pos.
func (i *Info) Predeclared(name string, pos token.Pos) (text string, why reasons.Reason) {
	if scope := i.Pkg.Scope().Innermost(pos); scope != nil {
		if _, obj := scope.LookupParent(name, pos); obj == types.Universe.Lookup(name) {
			return name, nil
		}
	}
	return "", reasons.Redeclared.With(name)
}
