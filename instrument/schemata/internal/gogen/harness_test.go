package gogen_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/gogen"
)

// program is a generated program, type-checked.
type program struct {
	seed  uint64
	fset  *token.FileSet
	file  *ast.File
	pkg   *types.Package
	info  *types.Info
	funcs map[types.Object]*ast.FuncDecl
}

// at says where a node is, for messages.
func (p *program) at(n ast.Node) string {
	return p.fset.Position(n.Pos()).String()
}

// own says whether a declaration is of the program, and not of its support code.
func (p *program) own(d *ast.FuncDecl) bool {
	return d.Recv == nil && d.Name.Name != "Casex" && !isSupport(d.Name.Name) || d.Recv != nil && d.Name.Name != "Error" && d.Name.Name != "raise"
}

func isSupport(name string) bool { return len(name) > 2 && name[:2] == "x_" }

const seeds = 80

// rare is a seed with what was wrong once: a function that calls one which changes
// variables, and is called within an expression.
const rare = 843

// stubbed are the packages that programs import, with what they use of them:
// TestProgramsTypeCheck has the real ones, which take seconds to load.
var stubbed = map[string]string{
	"fmt": `package fmt
func Sprint(...any) string { return "" }
func Append([]byte, ...any) []byte { return nil }
func Errorf(string, ...any) error { return nil }`,
	"errors": `package errors
func New(string) error { return nil }`,
	"strings": `package strings
func ToUpper(string) string { return "" }
func TrimSpace(string) string { return "" }`,
}

// packages are imported by their paths.
type packages map[string]*types.Package

func (p packages) Import(path string) (*types.Package, error) {
	if pkg, ok := p[path]; ok {
		return pkg, nil
	}
	return nil, fmt.Errorf("no stub of package %s", path)
}

func stubs() (packages, error) {
	list := packages{}
	for path, src := range stubbed {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path+".go", src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if list[path], err = new(types.Config).Check(path, fset, []*ast.File{f}, nil); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// sample are programs of random choices, made and checked once for all tests.
var sample = sync.OnceValues(func() (list []*program, err error) {
	imports, err := stubs()
	if err != nil {
		return nil, err
	}
	for i := range uint64(seeds) {
		seed := i
		if i == seeds-1 {
			seed = rare
		}
		p := &program{seed: seed, fset: token.NewFileSet(), funcs: map[types.Object]*ast.FuncDecl{}, info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
			Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
			Instances: map[*ast.Ident]types.Instance{},
		}}
		if p.file, err = parser.ParseFile(p.fset, "x.go", gogen.File("p", "x", choices(seed, 3000)), parser.ParseComments); err != nil {
			return nil, err
		}
		conf := types.Config{Importer: imports}
		if p.pkg, err = conf.Check("p", p.fset, []*ast.File{p.file}, p.info); err != nil {
			return nil, err
		}
		for _, d := range p.file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				p.funcs[p.info.Defs[d.Name]] = d
			}
		}
		list = append(list, p)
	}
	return list, nil
})

func programs(t *testing.T) []*program {
	t.Helper()
	list, err := sample()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// walk calls f for each node below n with the nodes around it, the nearest first.
func walk(n ast.Node, f func(n ast.Node, around []ast.Node)) {
	var stack []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		around := make([]ast.Node, 0, len(stack))
		for i := len(stack) - 1; i >= 0; i-- {
			around = append(around, stack[i])
		}
		f(n, around)
		stack = append(stack, n)
		return true
	})
}

// bodies calls f for the nodes of each function of the programs, support code left out.
func bodies(t *testing.T, f func(p *program, d *ast.FuncDecl, n ast.Node, around []ast.Node)) {
	t.Helper()
	for _, p := range programs(t) {
		for _, d := range p.file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && p.own(d) {
				walk(d, func(n ast.Node, around []ast.Node) { f(p, d, n, around) })
			}
		}
	}
}

// parsed reads a program without its types.
func parsed(t *testing.T, src []byte) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, f
}
