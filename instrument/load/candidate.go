package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// parsed is a file for what it declares.
type parsed struct {
	fset *token.FileSet
	file *ast.File
}

// candidate returns a function that a fuzz test could be derived for, as "func Parse
// (parse.go:12)", with where the directive stands if it has a comment, or "" if there is none: rather one of texts or bytes than of numbers,
// and of these rather than of other types; the first of its kind. name says how a path is shown.
func candidate(files []parsed, name func(path string) string) string {
	best, found := 0, ""
	for _, f := range files {
		for _, d := range f.file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || !fd.Name.IsExported() || fd.Recv != nil || fd.Type.TypeParams != nil || fd.Body == nil {
				continue
			}
			if fit := fitness(fd); fit > best {
				p := f.fset.PositionFor(fd.Pos(), false)
				best, found = fit, fmt.Sprintf("func %s (%s:%d)", fd.Name.Name, name(p.Filename), p.Line)
				if fd.Doc != nil { // gofmt has a line between a comment and directives
					found += ", after its comment and a line //"
				}
			}
		}
	}
	return found
}

// numbers are the names of the types that go test -fuzz knows, without those of texts.
const numbers = " bool byte rune float32 float64 int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 "

// ofTesting says whether a type is one of package testing: a function with it is a part of tests.
func ofTesting(e ast.Expr) bool {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == "testing"
}

// fitness says how well fuzz tests suit a function, by its syntax: 0 is not at all.
func fitness(fd *ast.FuncDecl) int {
	texts, others := 0, 0
	for _, p := range fd.Type.Params.List {
		switch t := p.Type.(type) {
		case *ast.ChanType, *ast.FuncType, *ast.InterfaceType:
			return 0
		case *ast.Ident:
			if t.Name == "string" {
				texts++
			} else if !strings.Contains(numbers, " "+t.Name+" ") {
				others++
			}
		case *ast.ArrayType:
			if id, ok := t.Elt.(*ast.Ident); ok && t.Len == nil && id.Name == "byte" {
				texts++
			} else {
				others++
			}
		default:
			if ofTesting(p.Type) {
				return 0
			}
			others++
		}
	}
	switch {
	case fd.Type.Params.NumFields() == 0:
		return 0
	case others > 0:
		return 1
	case texts == 0:
		return 2
	case fd.Type.Results.NumFields() == 0:
		return 3
	}
	return 4
}

// noFuzzTests says what to do for a package without fuzz tests.
func noFuzzTests(path, candidate string) *problem.Error {
	return problem.Errorf(problem.KindNoFuzzTests, "package %s has no fuzz tests: %s", path, remedy(candidate))
}

// remedy says how there will be a fuzz test.
func remedy(candidate string) string {
	const write = "write a func FuzzX(f *testing.F) in a _test.go file"
	if candidate == "" {
		return write
	}
	return fmt.Sprintf("put the line %s above %s, or above another function, to derive one from its arguments; or %s", targetDirective, candidate, write)
}

// shownFrom returns how paths are shown to someone in dir.
func shownFrom(dir string) func(path string) string {
	return func(path string) string {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
		return path
	}
}

// files returns the files of p for what they declare.
func (p *Package) files(fset *token.FileSet) []parsed {
	var list []parsed
	for _, f := range p.Files {
		list = append(list, parsed{fset, f.Syntax})
	}
	return list
}
