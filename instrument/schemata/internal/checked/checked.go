// Package checked type-checks small files for the tests of the packages beside it.
package checked

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
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
	soft []string // what is not used
}

// standard imports packages of the standard library, each once.
var standard = sync.OnceValue(importer.Default)

// File checks a file. What is only not used, like a variable or an import, is no error.
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
	failed := false
	var soft []string
	conf := types.Config{Importer: standard(), Error: func(err error) {
		if e, ok := err.(types.Error); ok && e.Soft {
			soft = append(soft, e.Msg)
		} else {
			t.Errorf("%v\n%s", err, text)
			failed = true
		}
	}}
	pkg, _ := conf.Check("p", fset, []*ast.File{f}, info) // errors are reported to Error
	if failed {
		t.FailNow()
	}
	src, err := source.New(fset, "/p/x.go", []byte(text), f)
	if err != nil {
		t.Fatal(err)
	}
	return &Code{src, &typing.Info{Info: info, Pkg: pkg}, t, soft}
}

// Edits applies the plain edits of mutants, each alone: the file then has to compile, but
// for what was not used before.
func (c *Code) Edits(list []instrument.Mutant) {
	c.t.Helper()
	for i := range list {
		m := &list[i]
		if got := string(c.Src.Src[m.Offset:m.End]); got != m.Original {
			c.t.Errorf("%s is a mutant of %q, where %q stands", m.Operator, m.Original, got)
		}
		text := string(c.Src.Src[:m.Offset]) + m.Replacement + string(c.Src.Src[m.End:])
		if text == string(c.Src.Src) {
			c.t.Errorf("%s changes nothing at %q", m.Operator, m.Original)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "/p/x.go", text, parser.SkipObjectResolution)
		if err != nil {
			c.t.Errorf("%s of %q: %v\n%s", m.Operator, m.Original, err, text)
			continue
		}
		before := slices.Clone(c.soft)
		conf := types.Config{Importer: standard(), Error: func(err error) {
			var e types.Error
			if !errors.As(err, &e) {
				return
			}
			if i := slices.Index(before, e.Msg); i >= 0 {
				before = slices.Delete(before, i, i+1)
			} else {
				c.t.Errorf("%s of %q: %v\n%s", m.Operator, m.Original, err, text)
			}
		}}
		conf.Check("p", fset, []*ast.File{f}, nil) // errors are reported to Error
	}
}

// Text checks a file whose package clause may be missing: the first line stays the first.
func Text(t testing.TB, text string) *Code {
	t.Helper()
	if !strings.Contains(text, "package p") {
		text = "package p; " + text
	}
	return File(t, text)
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

// First returns the first node of a type whose text begins with a text. Of several that
// begin at the same place it is the outermost. A name where it is declared is none.
func First[N ast.Node](c *Code, text string) N {
	c.t.Helper()
	return first[N](c, text, strings.HasPrefix)
}

// FirstExpr returns the first expression with this text.
func (c *Code) FirstExpr(text string) ast.Expr {
	c.t.Helper()
	return first[ast.Expr](c, text, func(node, text string) bool { return node == text })
}

func first[N ast.Node](c *Code, text string, matches func(node, text string) bool) (found N) {
	c.t.Helper()
	done := false
	ast.Inspect(c.Src.Syntax, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && c.declares(id) {
			return false
		}
		if node, ok := n.(N); ok && !done && matches(c.Src.Node(n), text) {
			found, done = node, true
		}
		return !done
	})
	if !done {
		c.t.Fatalf("no %T begins with %q", found, text)
	}
	return found
}

func (c *Code) declares(id *ast.Ident) bool {
	_, ok := c.Info.Defs[id]
	return ok
}

// Object returns what a name declares where it stands first in the source.
func (c *Code) Object(name string) (found types.Object) {
	c.t.Helper()
	for id, obj := range c.Info.Defs {
		if obj != nil && id.Name == name && (found == nil || obj.Pos() < found.Pos()) {
			found = obj
		}
	}
	if found == nil {
		c.t.Fatalf("nothing declares %s", name)
	}
	return found
}

// Pos returns the position of a text.
func (c *Code) Pos(text string) token.Pos {
	c.t.Helper()
	at := strings.Index(string(c.Src.Src), text)
	if at < 0 {
		c.t.Fatalf("%q does not occur", text)
	}
	return c.Src.Tok.Pos(at)
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
	f := site.NewPackage(c.Info, []*ast.File{c.Src.Syntax}, list, nil).NewFile(c.Src)
	return f.Context(f.Mutants.NewUnit(0, "body", "body", nil)), list
}
