package project

import (
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// checkArid returns an error for a function of Options.Arid that its package does not have.
// A package that is not mutated, and that none which is imports, may be that of another run.
func checkArid(names []string, loaded *load.Result) error {
	for _, name := range names {
		within, found := "", false
		for _, p := range loaded.Packages {
			if !p.Mutated {
				continue
			}
			for _, pkg := range slices.Concat(p.Types.Imports(), []*types.Package{p.Types}) {
				for _, called := range []string{pkg.Path(), path.Base(pkg.Path()), pkg.Name()} {
					if of, ok := strings.CutPrefix(name, called+"."); ok {
						within, found = pkg.Path(), found || declares(pkg, of)
					}
				}
			}
		}
		if within != "" && !found {
			return exit.Errorf(exit.Usage, "-arid: package %s declares no %s; write pkg.Func, or pkg.Type.Method with the type that the method is declared for", within, name)
		}
	}
	return nil
}

// declares says whether a package declares a function, or a method as "Type.Method".
func declares(pkg *types.Package, name string) bool {
	recv, method, ok := strings.Cut(name, ".")
	obj := pkg.Scope().Lookup(recv)
	if obj == nil {
		return false
	}
	if !ok {
		_, ok := obj.(*types.Func)
		return ok
	}
	named, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok {
		return false
	}
	if i, ok := named.Underlying().(*types.Interface); ok {
		for m := range i.ExplicitMethods() {
			if m.Name() == method {
				return true
			}
		}
		return false
	}
	for m := range named.Methods() {
		if m.Name() == method {
			return true
		}
	}
	return false
}
