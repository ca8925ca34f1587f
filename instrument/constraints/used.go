package constraints

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Constrained returns a generated file for the directory of the package under test, formatted,
// with a //go:build line that asks for what the files ask for that declare what it uses: it has
// to compile in all builds that have it. What its own line asks for stays.
func Constrained(r *load.Result, src []byte) ([]byte, error) {
	file, err := parser.ParseFile(r.Fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the generated test is not valid Go, please report: %w", err)
	}
	var c Conjunction
	if err := c.AddFile("", file); err != nil {
		return nil, err
	}
	used := uses(r, file)
	for f := range files(r) {
		if !used[f.Path] {
			continue
		}
		if err := c.AddFile(f.Path, f.Syntax); err != nil {
			return nil, err
		}
	}
	if src, err = format.Source(withLine(r.Fset, file, src, c.String())); err != nil {
		return nil, fmt.Errorf("the generated test is not valid Go, please report: %w", err)
	}
	return src, nil
}

// withLine gives a file a //go:build line: instead of the one that it has, if it has one.
func withLine(fset *token.FileSet, file *ast.File, src []byte, expr string) []byte {
	if expr == "" {
		return src
	}
	line := "//go:build " + expr
	at := fset.Position(file.Package).Offset
	for _, g := range file.Comments {
		for _, c := range g.List {
			if c.Pos() < file.Package && constraint.IsGoBuild(c.Text) {
				begin, end := fset.Position(c.Pos()).Offset, fset.Position(c.End()).Offset
				return bytes.Join([][]byte{src[:begin], []byte(line), src[end:]}, nil)
			}
		}
	}
	return bytes.Join([][]byte{src[:at], []byte(line + "\n\n"), src[at:]}, nil)
}

// files yields the files that may declare what a test uses.
func files(r *load.Result) func(yield func(load.File) bool) {
	return func(yield func(load.File) bool) {
		for _, p := range r.Packages {
			for _, f := range p.Files {
				if !yield(f) {
					return
				}
			}
		}
		for _, t := range r.Tests {
			for _, f := range t.Files {
				if r.DerivedFiles[f.Path] == nil && !yield(f) {
					return
				}
			}
		}
	}
}

// uses are the paths of the files that declare what a file uses. It is checked in a copy of its
// package's scope, where it leaves nothing.
func uses(r *load.Result, file *ast.File) map[string]bool {
	own := packageOf(r, file.Name.Name)
	pkg := types.NewPackage(own.Path(), own.Name())
	for _, name := range own.Scope().Names() {
		pkg.Scope().Insert(own.Scope().Lookup(name))
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	conf := types.Config{Importer: imported(own), Error: func(error) {}} // what does not resolve is of no file here
	_ = types.NewChecker(&conf, r.Fset, pkg, info).Files([]*ast.File{file})
	used := make(map[string]bool)
	for obj := range maps.Values(info.Uses) {
		if obj.Pos().IsValid() {
			used[r.Fset.PositionFor(obj.Pos(), false).Filename] = true
		}
	}
	return used
}

// packageOf is the package with a package clause: that of tests, which has all of the package
// under test as well, or that itself.
func packageOf(r *load.Result, name string) *types.Package {
	for _, t := range r.Tests {
		if t.Types.Name() == name {
			return t.Types
		}
	}
	return r.Packages[0].Types
}

// importer has the packages that were loaded, by path.
type importer map[string]*types.Package

// imported are the packages that a package needs, itself included.
func imported(p *types.Package) importer {
	found := importer{p.Path(): p}
	list := []*types.Package{p}
	for i := 0; i < len(list); i++ {
		for _, next := range list[i].Imports() {
			if found[next.Path()] == nil {
				found[next.Path()] = next
				list = append(list, next)
			}
		}
	}
	return found
}

// Import is that of types.Importer.
func (i importer) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s was not loaded", path)
}
