package uses_test

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/uses"
)

func names(list []types.Object) string {
	var names []string
	for _, obj := range list {
		names = append(names, obj.Name())
	}
	return strings.Join(names, " ")
}

func TestLost(t *testing.T) {
	for _, c := range []struct{ about, src, dropped, want string }{
		{"the only use of a variable", `func f() { n := 1; g(n) }`, "g(n)", "n"},
		{"one use of two", `func f() { n := 1; g(n); g(n + 0) }`, "g(n)", ""},
		{"both uses", `func f() { n := 1; g(n + n) }`, "g(n + n)", "n"},
		{"an assignment is no use", `func f() { n := 1; g(n); n = 2 }`, "g(n)", "n"},
		{"an assignment with an operation is one", `func f() { n := 1; g(n); n += 2 }`, "g(n)", ""},
		{"to a field of it is one", `func f() { var s struct{ a int }; g(s.a); s.a = 2 }`, "g(s.a)", ""},
		{"in parentheses it is none", `func f() { n := 1; g(n); (n) = 2 }`, "g(n)", "n"},
		{"a range assigns", `func f() { n := 1; g(n); for n = range 3 { } }`, "g(n)", "n"},
		{"parameters need no use", `func f(n int) { g(n) }`, "g(n)", ""},
		{"nor do results", `func f() (n int) { g(n); return }`, "g(n)", ""},
		{"nor package variables", `var n int; func f() { g(n) }`, "g(n)", ""},
		{"nor fields", `type s struct{ n int }; func f(x s) { g(x.n) }`, "g(x.n)", ""},
		{"what is declared inside goes along", `func f() { func() { n := 1; g(n) }() }`, "func() { n := 1; g(n) }()", ""},
		{"an import", `import "os"; func f() { g(os.Getpid()) }`, "g(os.Getpid())", "os"},
		{"an import used twice", `import "os"; func f() { g(os.Getpid()); g(os.Getuid()) }`, "g(os.Getpid())", ""},
		{"a dot import", `import . "os"; func f() { g(Getpid()) }`, "g(Getpid())", "."},
		{"a dot import used twice", `import . "os"; func f() { g(Getpid()); g(Getuid()) }`, "g(Getpid())", ""},
		{"an import by another name", `import x "os"; func f() { g(x.Getpid()) }`, "g(x.Getpid())", "x"},
		{"a method of a dot import's type is no use of it", `import . "bytes"; func f(b *Buffer) { g(b.Len()) }`, "g(b.Len())", ""},
		{"several, in the order of the source", `import "os"; func f() { a, b := 1, 2; g(b + os.Getpid() + a) }`, "g(b + os.Getpid() + a)", "b os a"},
		{"of two variables of one name the inner", `func f() { n := 1; { n := 2; g(n) }; _ = n }`, "g(n)", "n"},
		{"captured", `func f() { n := 1; g(n); go func() { g(n + 0) }() }`, "g(n)", ""},
		{"the symbol of a type switch, used in one clause", `func f(x any) { switch y := x.(type) { case int: g(y); case string: } }`, "g(y)", "y"},
		{"used in two clauses", `func f(x any) { switch y := x.(type) { case int: g(y); case string: _ = len(y) } }`, "g(y)", ""},
		{"in a closure of a package variable", `var v = func() int { n := 1; g(n); return 0 }`, "g(n)", "n"},
		{"generic", `func f[T any](x T) { y := x; g2(y) }; func g2[T any](T) { }`, "g2(y)", "y"},
	} {
		s := checked.Text(t, c.src+`; func g(int) { }`)
		e := s.FirstExpr(c.dropped)
		u := uses.Count(s.Src.Fset, s.Info.Info, []*ast.File{s.Src.Syntax})
		if got := names(u.Lost(s.Src.Tok, e.Pos(), e.End())); got != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
}

func TestLabelsAreLostWithTheirJumps(t *testing.T) {
	for _, c := range []struct{ body, dropped, want string }{
		{`L: for { break L }`, "break", "L"},
		{`L: for { if c { continue L }; break L }`, "break", ""},
		{`goto L; L: for { break }`, "goto", "L"},
		{`L: for { break L }`, "L: for", ""}, // with its declaration
	} {
		s := checked.Text(t, `func f() { `+c.body+` }; var c bool`)
		u := uses.Count(s.Src.Fset, s.Info.Info, []*ast.File{s.Src.Syntax})
		st := checked.First[ast.Stmt](s, c.dropped)
		if got := names(u.Lost(s.Src.Tok, st.Pos(), st.End())); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.dropped, c.body, got, c.want)
		}
	}
}

func TestLostWith(t *testing.T) {
	for _, c := range []struct {
		about, body string
		dropped     []string
		want        string
	}{
		{"one of two uses", `n := 1; g(n); h(n)`, []string{"g(n)"}, ""},
		{"all uses, in two statements", `n := 1; g(n); h(n)`, []string{"g(n)", "h(n)"}, "n"},
		{"a third stays", `n := 1; g(n); h(n); g(n+1)`, []string{"g(n)", "h(n)"}, ""},
		{"two variables", `n, m := 1, 2; g(m); h(n)`, []string{"g(m)", "h(n)"}, "m n"},
		{"none", `n := 1; g(n)`, nil, ""},
	} {
		s := checked.Text(t, `func f() { `+c.body+` }; func g(int) { }; func h(int) { }`)
		u := uses.Count(s.Src.Fset, s.Info.Info, []*ast.File{s.Src.Syntax})
		var stmts []ast.Stmt
		for _, d := range c.dropped {
			stmts = append(stmts, checked.First[ast.Stmt](s, d))
		}
		if got := names(u.LostWith(s.Src.Tok, stmts)); got != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
}

// Two files import a package each for itself.
func TestUsesAreCountedByFile(t *testing.T) {
	s := checked.Text(t, `import "os"; var a = os.Getpid()`)
	other := checked.Text(t, `var b = 1`)
	u := uses.Count(s.Src.Fset, s.Info.Info, []*ast.File{s.Src.Syntax})
	e := s.FirstExpr("os.Getpid()")
	if got := names(u.Lost(s.Src.Tok, e.Pos(), e.End())); got != "os" {
		t.Errorf("%q", got)
	}
	if got := u.Lost(other.Src.Tok, e.Pos(), e.End()); got != nil {
		t.Errorf("in a file that is not known: %v", got)
	}
}

func TestPackageOf(t *testing.T) {
	s := checked.Text(t, `import "os"; type s struct{ field int }; func (s) method() { local := os.Args; _ = local }; var top int`)
	for name, want := range map[string]string{"top": "p", "s": "p", "field": "", "method": "", "local": ""} {
		got := ""
		if pkg := uses.PackageOf(s.Object(name)); pkg != nil {
			got = pkg.Path()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if uses.PackageOf(nil) != nil || uses.PackageOf(types.Universe.Lookup("len")) != nil {
		t.Error("nothing, or what is predeclared, has a package")
	}
}
