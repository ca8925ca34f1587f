// Package loadtest makes packages as they are loaded, without the go command, for tests.
package loadtest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Path is the import path of the package, and File where its code is.
const (
	Path = "example.com/m"
	File = "/m/m.go"
)

// standard imports packages of the standard library, each once.
var standard = sync.OnceValue(importer.Default)

// imported are the packages that code may name without an import.
var imported = []string{"context", "errors", "fmt", "io", "log", "os", "sort", "strings", "testing", "bytes", "time"}

// Typed is the package example.com/m as it is loaded. Its code imports what it names. The tests,
// if there are any, are in the package.
func Typed(t testing.TB, code, tests string) *load.Result {
	t.Helper()
	r := &load.Result{Fset: token.NewFileSet(), Test: instrument.TestPackage{ImportPath: Path, Name: "m", Dir: path.Dir(File), ModulePath: Path, ModuleDir: path.Dir(File)}}
	file := parsed(t, r.Fset, File, code)
	pkg, info := checked(t, r.Fset, file.Syntax)
	r.Packages = []*load.Package{{ImportPath: Path, Name: "m", Dir: path.Dir(File), ModulePath: Path, Mutated: true, Types: pkg, Info: info, Files: []load.File{file}}}
	if tests != "" {
		test := parsed(t, r.Fset, "/m/m_test.go", tests)
		testPkg, testInfo := checked(t, r.Fset, parsed(t, r.Fset, File, code).Syntax, test.Syntax)
		r.Tests = []*load.TestFiles{{Types: testPkg, Info: testInfo, Files: []load.File{test}}}
	}
	return r
}

// parsed is a file of the package with the imports that it needs.
func parsed(t testing.TB, fset *token.FileSet, name, text string) load.File {
	t.Helper()
	imports := ""
	for _, p := range imported {
		if strings.Contains(text, path.Base(p)+".") {
			imports += fmt.Sprintf("%q; ", p)
		}
	}
	text = "package m; import (" + imports + ")\n" + text
	syntax, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return load.File{Path: name, Src: []byte(text), Syntax: syntax}
}

// checked type-checks files. What is only not used is no error.
func checked(t testing.TB, fset *token.FileSet, files ...*ast.File) (*types.Package, *types.Info) {
	t.Helper()
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), Instances: make(map[*ast.Ident]types.Instance),
	}
	conf := types.Config{GoVersion: "go1.26", Importer: standard(), Error: func(err error) {
		var e types.Error
		if !errors.As(err, &e) || !e.Soft {
			t.Fatal(err)
		}
	}}
	pkg, _ := conf.Check(Path, fset, files, info) // errors are reported to Error
	return pkg, info
}

// Compile says what the compiler has against a further file of a package that Typed has made:
// also what is not used.
func Compile(r *load.Result, name string, text []byte) error {
	file, err := parser.ParseFile(r.Fset, name, text, 0)
	if err != nil {
		return err
	}
	files := []*ast.File{r.Packages[0].Files[0].Syntax}
	for _, t := range r.Tests {
		files = append(files, t.Files[0].Syntax)
	}
	files = append(files, file)
	var all []error
	conf := types.Config{GoVersion: "go1.26", Importer: standard(), Error: func(err error) {
		var e types.Error
		if errors.As(err, &e) && r.Fset.File(e.Pos) == r.Fset.File(file.Pos()) {
			all = append(all, err)
		}
	}}
	_, _ = conf.Check(Path, r.Fset, files, nil) // errors are reported to Error
	return errors.Join(all...)
}
