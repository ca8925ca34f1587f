package sequence

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const baseCode = `package base

import "strconv"

// A Context says what names stand for.
type Context struct {
	Vars map[string]Value
	Deep int
}

// A Value tells its source alone.
type Value struct{ n int }

func (v Value) GoString() string { return "base.Number(" + strconv.Itoa(v.n) + ")" }

// Number makes a value.
func Number(n int) Value { return Value{n} }

// N is what a value is of.
func N(v Value) int { return v.n }

// A Body is in a file.
type Body interface{ Size() int }

// A File has what was read.
type File struct{ Body Body }

// A Level says how much there may be.
type Level int

// The levels.
const (
	Low  Level = 1
	High Level = 2
)
`

const treeCode = `package p

import (
	"strings"

	"example.com/p/v2/base"
)

// An Expr has a value.
type Expr interface {
	Eval(c *base.Context) base.Value
}

type Name struct{ Text string }

func (n *Name) Eval(c *base.Context) base.Value {
	if c == nil {
		return base.Number(-1)
	}
	return c.Vars[n.Text]
}

func (n *Name) Len() int { return len(n.Text) }

type Sum struct{ Left, Right Expr }

func (s *Sum) Eval(c *base.Context) base.Value {
	return base.Number(base.N(s.Left.Eval(c)) + base.N(s.Right.Eval(c)))
}

func (s *Sum) Both() bool { return s.Left != nil && s.Right != nil }

// Parse reads sums of names.
func Parse(text string) Expr {
	left, right, ok := strings.Cut(text, "+")
	if ok {
		return &Sum{Parse(left), Parse(right)}
	}
	return &Name{text}
}

type Lines struct{ list []string }

func (l *Lines) Size() int { return len(l.list) }

func (l *Lines) Level() base.Level { return base.High }

func (l *Lines) Line(n int) string {
	if n < 0 || n >= len(l.list) {
		return ""
	}
	return l.list[n]
}

// Read reads a file.
func Read(text string) *base.File {
	return &base.File{Body: &Lines{strings.Split(text, "+")}}
}
`

// withBase is the package p and the package base, which belongs to another module.
func withBase(t *testing.T, more ...string) (p, base *types.Package) {
	t.Helper()
	fset := token.NewFileSet()
	check := func(path string, from types.Importer, sources ...string) *types.Package {
		var files []*ast.File
		for i, src := range sources {
			f, err := parser.ParseFile(fset, fmt.Sprintf("%s%d.go", path, i), src, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		pkg, err := (&types.Config{Importer: from}).Check(path, fset, files, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, sources[len(sources)-1])
		}
		return pkg
	}
	base = check("example.com/p/v2/base", importer.Default(), baseCode)
	return check("example.com/p/v2", with{importer.Default(), base}, append([]string{treeCode}, more...)...), base
}

// with imports one package more.
type with struct {
	types.Importer
	pkg *types.Package
}

func (w with) Import(path string) (*types.Package, error) {
	if path == w.pkg.Path() {
		return w.pkg, nil
	}
	return w.Importer.Import(path)
}

// What a parser returns is taken apart: an interface of the package or of another one by what it holds, and
// structs by their fields. Arguments of another module's types are what tests give, and its values are compared
// by the source that they tell.
func TestValuesOfOtherModules(t *testing.T) {
	pkg, base := withBase(t)
	values := Values(pkg)
	values = append(values, Carriers(pkg, []*types.Package{base}, values)...)
	s := New(Config{
		Package: pkg, Types: values, Harmless: func(*types.Func) bool { return true }, Rank: func(*types.Func) int { return 0 },
		Outside: Outside(pkg, []*types.Package{base, types.NewPackage("example.com/strings", "strings"), types.NewPackage("fmt", "fmt")}),
		Passed: func(fn *types.Func, i int, _ types.Type) []string {
			if fn.Name() == "Eval" {
				return []string{`&base.Context{Vars: map[string]base.Value{"a": base.Number(2), "b": base.Number(3)}}`}
			}
			return nil
		},
		Texts: []string{"a+b", "a"},
	})
	withBase(t, string(s.Text)) // it compiles
	random := rand.New(rand.NewPCG(1, 2))
	var inputs [][]any
	for range 600 {
		inputs = append(inputs, []any{[]byte(s.walk(random)), []string{"", "b", "a+b"}[random.IntN(3)], "b+b+a"})
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "base"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "base", "base.go"), baseCode)
	seen := recordIn(t, dir, treeCode, s, inputs)
	var b strings.Builder
	imports := map[string]string{"testing": ""}
	for i, in := range inputs {
		if steps, ok := s.Read(in, seen[i]); ok {
			c := steps.Case()
			for _, name := range c.Imports {
				imports[name] = s.ImportName(name)
			}
			fmt.Fprintf(&b, "func TestCase%d(t *testing.T) {\n%s}\n", i, c.Body)
		}
	}
	for _, want := range []string{
		`base.Number(5)`, `Level(); got != base.High {`, `.(*Sum).Both()`, `.(*Name).Len()`, `fmt.Sprintf("%T", `, `"*p.Sum"`, `.Body`, `.(*Lines).Line(`, `.Left`, "base.Context{Vars: map",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no case has %q", want)
		}
	}
	head := "package p\n\nimport (\n"
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		head += fmt.Sprintf("%s %q\n", imports[path], path)
	}
	src, err := format.Source([]byte(head + ")\n\n" + b.String()))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "cases_test.go"), string(src))
	if out, err := goTest(dir, "-run=TestCase").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out[:min(len(out), 4000)])
	}
}

// Only a name that stands for nothing else is a package's.
func TestPackagesOfOtherModules(t *testing.T) {
	pkg := checked(t, "package p\n\nvar taken int\n")
	var from []*types.Package
	for _, path := range []string{"example.com/a/taken", "example.com/a/strings", "example.com/a/url", "example.com/a/free", "example.com/b/free", "example.com/a/internal/x", "example.com/internal/y", "example.com/p", "sort", "example.com/a/seen"} {
		from = append(from, types.NewPackage(path, filepath.Base(path)))
	}
	var got []string
	for _, p := range Outside(pkg, from) {
		got = append(got, p.Path())
	}
	if want := []string{"example.com/a/free", "example.com/internal/y"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

const faultCode = `package p

type Fault interface {
	error
	Place() int
}

type Missing struct{ At int }

func (m *Missing) Error() string { return "missing" }
func (m *Missing) Place() int    { return m.At }
func (m *Missing) Next() *Missing { return &Missing{m.At + 1} }

type Extra struct{ Text string }

func (e *Extra) Error() string { return e.Text }
func (e *Extra) Place() int    { return len(e.Text) }

func Look(text string) Fault {
	switch len(text) {
	case 0:
		return nil
	case 1:
		return &Missing{}
	}
	return &Extra{text}
}
`

// An interface of the package whose values say a text is read as it is shown: what it holds is known, or that it
// holds nothing.
func TestInterfacesThatSayAText(t *testing.T) {
	pkg := checked(t, faultCode)
	s := New(Config{
		Package: pkg, Types: Values(pkg), Harmless: func(*types.Func) bool { return true }, Rank: func(*types.Func) int { return 0 },
	})
	random := rand.New(rand.NewPCG(1, 2))
	var inputs [][]any
	for range 200 {
		inputs = append(inputs, []any{[]byte(s.walk(random)), []string{"", "b", "ab"}[random.IntN(3)], "b"})
	}
	var all strings.Builder
	for i, seen := range recordIn(t, t.TempDir(), faultCode, s, inputs) {
		steps, ok := s.Read(inputs[i], seen)
		if !ok {
			t.Errorf("%q, seen %q: not read", inputs[i], seen)
			continue
		}
		c := steps.Case()
		all.WriteString(c.Body)
	}
	for _, want := range []string{".(*Missing).Next()", ".(*Extra)", "Place()"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no case has %q", want)
		}
	}
}

// go vet accepts calls whose results nobody uses.
func TestDiscardedCalls(t *testing.T) {
	one := []result{{form: literal}}
	for _, c := range []struct {
		call call
		want string
	}{
		{call{function: "Len", results: one}, "x.Len()"},
		{call{function: "String", results: one}, "_ = x.String()"},
		{call{function: "Error", results: one}, "_ = x.Error()"},
		{call{function: "String"}, "x.String()"},
	} {
		if got := (&step{call: &c.call}).discarded("x." + c.call.function + "()"); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if got := (&step{call: &call{function: "Field", results: one}}).discarded("x.Field"); got != "_ = x.Field" {
		t.Error(got)
	}
}
