// Package checked type-checks small files for the tests of the packages beside it.
package checked

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Code is one file that is a package.
type Code struct {
	Src  *source.File
	Info *typing.Info
	t    testing.TB
}

// File checks a file.
func File(t testing.TB, text string) *Code {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "/p/x.go", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	src, err := source.New(fset, "/p/x.go", []byte(text), f)
	if err != nil {
		t.Fatal(err)
	}
	return &Code{src, &typing.Info{Info: info, Pkg: pkg}, t}
}

// Body checks the statements of a function, after declarations of the package.
func Body(t testing.TB, declarations, statements string) *Code {
	t.Helper()
	return File(t, "package p\n"+declarations+"\nfunc body() {\n"+statements+"\n}\n")
}

// Expr returns the last expression with this text.
func (c *Code) Expr(text string) ast.Expr { return node[ast.Expr](c, text) }

// Stmt returns the last statement that begins with this text.
func (c *Code) Stmt(text string) ast.Stmt { return node[ast.Stmt](c, text) }

func node[N ast.Node](c *Code, text string) N {
	c.t.Helper()
	var found N
	ok := false
	ast.Inspect(c.Src.Syntax, func(n ast.Node) bool {
		wanted, is := n.(N)
		if !is {
			return true
		}
		_, isStmt := n.(ast.Stmt)
		if at := c.Src.Node(n); at == text || isStmt && strings.HasPrefix(at, text) {
			found, ok = wanted, true
		}
		return true
	})
	if !ok {
		c.t.Fatalf("no %q", text)
	}
	return found
}

// Func returns a function by its name.
func (c *Code) Func(name string) *ast.FuncDecl {
	c.t.Helper()
	for _, d := range c.Src.Syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == name {
			return fn
		}
	}
	c.t.Fatalf("no function %s", name)
	return nil
}

// Site returns a context for the sites of the file's functions, which all operators are
// applied to, with the list that the mutants are added to.
func (c *Code) Site() (*site.Context, *mutants.List) {
	list := &mutants.List{Fset: c.Src.Fset, ImportPath: "p", First: 1, Operators: operator.All()}
	f := site.NewPackage(c.Info, []*ast.File{c.Src.Syntax}, list).NewFile(c.Src)
	return f.Context(f.Mutants.NewUnit(0, "body", "body", "")), list
}
