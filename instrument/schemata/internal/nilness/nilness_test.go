package nilness_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
)

func TestFixed(t *testing.T) {
	for _, c := range []struct {
		about, body, e string
		want           bool
	}{
		{"a parameter", `use(p)`, "p", true},
		{"in parentheses", `use((p))`, "(p)", true},
		{"declared by :=", `q := p; use(q)`, "q", true},
		{"assigned to", `use(p); p = nil`, "p", false},
		{"assigned to in parentheses", `use(p); (p) = nil`, "p", false},
		{"in a closure", `use(p); func() { p = nil }()`, "p", false},
		{"through its address", `use(p); pp := &p; *pp = nil`, "p", false},
		{"what it points to is assigned to", `use(p); *p = 1`, "p", true},
		{"by a range", `use(p); for _, p = range list { }`, "p", false},
		{"a range declares its own", `use(p); for _, p := range list { use(p) }`, "p", true},
		{"incremented", `use(&i); i++; use2(i)`, "i", false},
		{"a package variable", `use(top)`, "top", false},
		{"a call", `use(get())`, "get()", false},
		{"a field", `use(s.p)`, "s.p", false},
		{"redeclared in the same scope", `q, e := p, p; use(q); q, g := p, p; _, _ = e, g`, "q", false},
	} {
		s := checked.Text(t, `func f(p *int, list []*int, i int, s struct{ p *int }) { `+c.body+` }
var top *int; func use(*int); func use2(int); func get() *int`)
		k := nilness.New(s.Info, s.Src.Syntax)
		var e ast.Expr // as an argument
		ast.Inspect(s.Func("f").Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && e == nil && len(call.Args) == 1 && s.Src.Node(call.Args[0]) == c.e {
				e = call.Args[0]
			}
			return true
		})
		if got := k.Fixed(e); (got != nil) != c.want {
			t.Errorf("%s: %v", c.about, got)
		}
	}
}

func TestCompared(t *testing.T) {
	for _, c := range []struct{ cond, then, otherwise string }{
		{`p != nil`, "p", ""},
		{`p == nil`, "", "p"},
		{`(p != nil)`, "p", ""},
		{`p != nil && q != nil`, "p q", ""},
		{`p != nil && ok`, "p", ""},
		{`p == nil || q == nil`, "", "p q"},
		{`p != nil || q != nil`, "", ""},
		{`p == nil && q == nil`, "", ""},
		{`p != q`, "", ""},
		{`p != nil && (q != nil && ok)`, "p q", ""},
		{`nil != p`, "", ""}, // not written that way
		{`changed != nil`, "", ""},
		{`ok`, "", ""},
		{`!(p == nil)`, "", ""},
	} {
		s := checked.Text(t, `func f(p, q, changed *int, ok bool) { if `+c.cond+` { changed = nil } }`)
		k := nilness.New(s.Info, s.Src.Syntax)
		for op, want := range map[token.Token]string{token.NEQ: c.then, token.EQL: c.otherwise} {
			vars := nilness.Vars{}
			k.Compared(checked.First[*ast.IfStmt](s, "if").Cond, op, vars)
			if got := list(vars); got != want {
				t.Errorf("%s by %s: %q, want %q", c.cond, op, got, want)
			}
		}
	}
}

func list(vars nilness.Vars) string {
	var names []string
	for v := range vars {
		names = append(names, v.Name())
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestNotNil(t *testing.T) {
	for _, c := range []struct {
		about, body string
		want        bool
	}{
		{"nil", `return nil`, false},
		{"a variable", `return err`, false},
		{"checked", `if err != nil { return err }; return other()`, true},
		{"checked with more", `if err != nil && c { return err }; return other()`, true},
		{"checked by or", `if err != nil || c { return err }; return other()`, false},
		{"in the else of ==", `if err == nil { c = true } else { return err }; return other()`, true},
		{"in the else of == with or", `if err == nil || c { c = true } else { return err }; return other()`, true},
		{"in the else of == with and", `if err == nil && c { c = true } else { return err }; return other()`, false},
		{"another was checked", `if e2 != nil { return err }; return other()`, false},
		{"in a case", `switch { case err != nil: return err }; return other()`, true},
		{"in a case of two", `switch { case err != nil, c: return err }; return other()`, false},
		{"deeper", `if err != nil { for { if c { return err } } }; return other()`, true},
		{"made here", `return errors.New("a")`, true},
		{"made by fmt", `return fmt.Errorf("a")`, true},
		{"made by something else", `return other()`, false},
		{"a package variable", `return top`, true},
		{"of another package", `return io.EOF`, true},
		{"a field", `return s.err`, false},
		{"a pointer in an interface", `return p`, true},
		{"a struct", `return own{}`, true},
	} {
		s := checked.Text(t, `import ("errors"; "fmt"; "io"); func f(err, e2 error, c bool, p *own, s struct{ err error }) error { `+c.body+` }
var top error; func other() error; type own struct{}; func (own) Error() string { return "" }; var _ = errors.New; var _ = fmt.Errorf; var _ = io.EOF`)
		ret := checked.First[*ast.ReturnStmt](s, "return")
		if got := nilness.New(s.Info, s.Src.Syntax).NotNil(ret, ret.Results[0]); got != c.want {
			t.Errorf("%s: %t", c.about, got)
		}
	}
}

// A nil that is a pointer is nil; in an interface it is not, but that is written.
func TestNilItselfIsNil(t *testing.T) {
	s := checked.Text(t, `func f() *int { return nil }`)
	ret := checked.First[*ast.ReturnStmt](s, "return")
	if nilness.New(s.Info, s.Src.Syntax).NotNil(ret, ret.Results[0]) {
		t.Error("nil is not nil")
	}
}

func TestProvedIsOfThatReturn(t *testing.T) {
	s := checked.Text(t, `func f(err error) (n int, e error) { if err != nil { return 1, err }; return 2, err }`)
	k, err := nilness.New(s.Info, s.Src.Syntax), s.Object("err")
	first, second := checked.First[*ast.ReturnStmt](s, "return 1"), checked.First[*ast.ReturnStmt](s, "return 2")
	if !k.Proved(first, err) || k.Proved(second, err) || k.Proved(first, s.Object("e")) {
		t.Error("what a condition proves, it proves for its own body and variable")
	}
}
