package schemata

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// checker type-checks sources that import the core, which it checks from source.
type checker struct {
	imports   types.Importer
	goVersion string
}

func (c checker) Import(path string) (*types.Package, error) {
	if path == runtimePath {
		return coreTypes()
	}
	return c.imports.Import(path)
}

// coreTypes is the runtime core, checked once.
var coreTypes = sync.OnceValues(func() (*types.Package, error) {
	numbers, err := checkSources(codesPath, corePaths("codes"), mapImporter{})
	if err != nil {
		return nil, err
	}
	return checkSources(runtimePath, corePaths("."), coreImporter{numbers, importer.Default()})
})

// codesPath is the import path of the core's codes, outside of a test binary.
const codesPath = "github.com/fuzzmut/fuzzmut/instrument/rt/codes"

// corePaths are the source files of the core, or of a package below it, that are
// injected.
func corePaths(dir string) []string {
	paths, _ := filepath.Glob(filepath.Join("../rt", dir, "*.go"))
	return slices.DeleteFunc(paths, func(path string) bool {
		return strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_host.go")
	})
}

// coreImporter imports the core's codes, and what the core imports of the standard
// library.
type coreImporter struct {
	codes *types.Package
	std   types.Importer
}

func (i coreImporter) Import(path string) (*types.Package, error) {
	if path == i.codes.Path() {
		return i.codes, nil
	}
	return i.std.Import(path)
}

// checkSources checks the files of a package.
func checkSources(path string, names []string, imports types.Importer) (*types.Package, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: imports}
	return conf.Check(path, fset, files, nil)
}

// stdTypes imports what the test programs import.
func stdTypes(t testing.TB) types.Importer {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadTypes},
		"bytes", "context", "errors", "fmt", "io", "math/big", "iter", "log", "maps", "math", "os", "runtime", "slices",
		"sort", "strconv", "strings", "sync", "sync/atomic", "testing", "time", "unicode/utf8", "unsafe")
	if err != nil {
		t.Fatal(err)
	}
	m := mapImporter{}
	for _, p := range pkgs {
		m[p.PkgPath] = p
	}
	return m
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
}

// check type-checks files given by path and returns them as Input, or all errors.
func (c checker) check(path string, srcs map[string][]byte) (Input, []error) {
	var errs []error
	in := Input{
		Fset: token.NewFileSet(), ImportPath: path, Info: newInfo(), Mutate: true,
		FirstMutant: 1, Operators: operator.All(),
	}
	var names []string
	for name := range srcs {
		names = append(names, name)
	}
	sort.Strings(names)
	var asts []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(in.Fset, name, srcs[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return in, []error{err}
		}
		in.Files = append(in.Files, File{Path: name, Src: srcs[name], Syntax: f})
		asts = append(asts, f)
	}
	conf := types.Config{
		Importer: c, GoVersion: c.goVersion, FakeImportC: true,
		Error: func(err error) { errs = append(errs, err) },
	}
	in.Pkg, _ = conf.Check(path, in.Fset, asts, in.Info)
	if len(names) > 0 {
		in.Dir = filepath.Dir(names[0])
	}
	return in, errs
}

// errors type-checks files given by path for the errors alone, which takes half
// the time.
func (c checker) errors(path string, srcs map[string][]byte) (errs []error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(srcs)) {
		f, err := parser.ParseFile(fset, name, srcs[name], parser.SkipObjectResolution)
		if err != nil {
			return []error{err}
		}
		files = append(files, f)
	}
	conf := types.Config{
		Importer: c, GoVersion: c.goVersion, FakeImportC: true,
		Error: func(err error) { errs = append(errs, err) },
	}
	_, _ = conf.Check(path, fset, files, nil) // reported to Error
	return errs
}

// recheck type-checks a rewritten package.
func (c checker) recheck(in Input, out *Output) []error {
	srcs := map[string][]byte{}
	for _, f := range in.Files {
		srcs[f.Path] = f.Src
		if text, ok := out.Files[f.Path]; ok {
			srcs[f.Path] = text
		}
	}
	srcs[filepath.Join(in.Dir, out.GenName)] = out.Gen
	return c.errors(in.ImportPath, srcs)
}

// applyPlain returns a file's source with one mutant's plain edit.
func applyPlain(src []byte, m instrument.Mutant) []byte {
	return []byte(string(src[:m.Offset]) + m.Replacement + string(src[m.End:]))
}

// rounds distributes mutants over rounds so that within one, edits don't overlap
// and at most one falls into a function, or into a line of initializers. Many plain
// edits can then be compiled at once, and none hides what another breaks.
func rounds(mutants []instrument.Mutant) [][]instrument.Mutant {
	type place struct {
		fn   int
		file string
		line int
	}
	var list [][]instrument.Mutant
	next := map[place]int{}
	for _, m := range mutants {
		at := place{fn: m.FuncIndex}
		if m.FuncIndex < 0 {
			at = place{-1, m.File, m.Line}
		}
		round := next[at]
		next[at]++
		for len(list) <= round {
			list = append(list, nil)
		}
		list[round] = append(list[round], m)
	}
	return list
}

// applyAll returns the sources with all plain edits of one round.
func applyAll(files []File, round []instrument.Mutant) map[string][]byte {
	srcs := map[string][]byte{}
	sort.Slice(round, func(i, j int) bool { return round[i].Offset > round[j].Offset })
	for _, f := range files {
		src := f.Src
		for _, m := range round {
			if m.File == f.Path {
				src = applyPlain(src, m)
			}
		}
		srcs[f.Path] = src
	}
	return srcs
}

func mustRewrite(t testing.TB, in Input) *Output {
	t.Helper()
	out, err := Rewrite(in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// errorLines shows errors with the rewritten line they are about.
func errorLines(errs []error, most int) string {
	var b strings.Builder
	for i, err := range errs {
		if i == most {
			fmt.Fprintf(&b, "… and %d more\n", len(errs)-most)
			break
		}
		fmt.Fprintf(&b, "%v\n", err)
	}
	return b.String()
}
