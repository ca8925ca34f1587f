package callers

import (
	"go/parser"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// compiles says whether an expression or a type compiles in the file of a fuzz test. Names of the tests and of other
// packages were replaced in it, and a single value that does not compile would cost the whole fuzz test.
func (l *literals) compiles(source string) bool {
	if ok, known := l.checked[source]; known {
		return ok
	}
	own, at := l.inFile()
	e, err := parser.ParseExpr(source)
	if err == nil {
		err = types.CheckExpr(l.graph.loaded.Fset, own, at, e, nil)
	}
	l.checked[source] = err == nil
	return err == nil
}

// fits says whether source may stand where a value of a type has to be. Of types that the file can't name nothing is
// known.
func (l *literals) fits(source string, to types.Type) bool {
	t := l.typeOf(to)
	return t == "" || l.compiles("[]"+t+"{"+source+"}")
}

// inFile is the package with the file of a fuzz test, and a place in a scope that stands for this file: it has what the
// file may import. The package is the very one, with its tests, since its fields are hidden from any other.
func (l *literals) inFile() (own *types.Package, at token.Pos) {
	own = l.graph.loaded.Packages[0].Types
	var from []*types.Package
	for _, t := range l.graph.loaded.Tests {
		if !t.External {
			own = t.Types
		}
		from = append(from, t.Types)
	}
	if l.file.IsValid() {
		return own, l.file
	}
	f := l.graph.loaded.Fset.AddFile("", -1, 1)
	l.file = f.Pos(0)
	scope := types.NewScope(own.Scope(), f.Pos(0), f.Pos(f.Size()), "")
	scope.Insert(types.NewVar(token.NoPos, own, sequence.TextHole, types.Typ[types.String]))
	for _, p := range needed(append([]*types.Package{own}, from...)) {
		if l.imports(p.Path()) {
			scope.Insert(types.NewPkgName(token.NoPos, own, p.Name(), p))
		}
	}
	return own, l.file
}

// needed are what packages import, and what that imports in turn.
func needed(list []*types.Package) []*types.Package {
	seen := make(map[*types.Package]bool)
	for i := 0; i < len(list); i++ {
		for _, p := range list[i].Imports() {
			if !seen[p] {
				seen[p] = true
				list = append(list, p)
			}
		}
	}
	return list
}
