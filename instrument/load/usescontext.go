package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// usesContext says whether the loaded code refers to a method Context of
// package testing: T's, B's, F's or that of interface TB.
func usesContext(r *Result) bool {
	infos := make([]*types.Info, 0, len(r.Tests)+len(r.Packages))
	for _, t := range r.Tests {
		infos = append(infos, t.Info)
	}
	for _, p := range r.Packages {
		infos = append(infos, p.Info)
	}
	for _, info := range infos {
		for id, obj := range info.Uses {
			if id.Name != "Context" {
				continue
			}
			if fn, ok := obj.(*types.Func); ok && fn.Pkg() != nil && fn.Pkg().Path() == "testing" {
				return true
			}
		}
	}
	return false
}

// helpersUseContext says whether a package of test helpers, one outside the
// standard library that imports testing, has a call x.Context(). It is parsed
// only, so that x may be anything: a context renewed in vain costs little, one
// that is done too early makes the target fail.
func helpersUseContext(g *graph) bool {
	for _, p := range g.deps {
		if p.Module == nil || p.Imports["testing"] == nil {
			continue
		}
		for _, path := range p.GoFiles {
			if callsContext(path) {
				return true
			}
		}
	}
	return false
}

func callsContext(path string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return false // loading reports it
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 0 {
			sel, ok := call.Fun.(*ast.SelectorExpr)
			found = found || ok && sel.Sel.Name == "Context"
		}
		return !found
	})
	return found
}
