package recursion_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/recursion"
)

func TestFunctionsThatMayCallThemselves(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"by itself", "func f(n int) { f(n - 1) }; func g() { f(1) }", "f"},
		{"by others", "func f() { g() }; func g() { h() }; func h() { f(); k() }; func k() {}", "f g h"},
		{"two cycles", "func f() { f(); g() }; func g() { h() }; func h() { g() }", "f g h"},
		{"a method", "type T struct{ next *T }; func (t *T) f() { (t.next).f() }", "f"},
		{"a method of a part", "type T struct{ next U }; type U struct{ T *T }; func (t *T) f() { t.next.g() }; func (u U) g() { u.T.f() }", "f g"},
		{"a method that is promoted", "type T struct{ U }; type U struct{}; func (u U) f(t T) { t.f(t) }", "f"},
		{"of a generic type", "type T[E any] struct{ e E }; func (t T[E]) f() { T[int]{}.f() }", "f"},
		{"a generic function", "func f[E any](e E) { f[E](e); f(1) }; func g[K, V any]() { g[K, int]() }", "f g"},
		{"an interface", "type I interface{ f() }; type T struct{ i I }; func (t T) f() { t.i.f() }; type U struct{}; func (U) f() {}; func (U) g() {}", "f"},
		{"an interface with another type", "type I interface{ f(int) }; type T struct{ i I }; func (t T) f() { t.i.f(1) }", ""},
		{"an interface's method as a value", "type I interface{ f() }; type T struct{ i I }; func (t T) f() { g := t.i.f; g() }", "f"},
		{"a table of functions", "type op func(int); type P struct{ ops map[int]op }; func (p *P) start() { p.ops[1] = p.one; p.ops[2] = two }\nfunc (p *P) one(n int) { p.next(n) }; func two(int) {}; func (p *P) next(n int) { p.ops[n](n) }", "next one"},
		{"a table that is initialized", "var ops []func(string)\nfunc init() { ops = []func(string){f, func(s string) { g(s) }} }\nfunc f(string) {}; func g(s string) { ops[0](s) }", "g"},
		{"a method expression", "type T struct{}; func (t *T) f() { g((*T).f) }; func g(fn func(*T)) { fn(nil) }", "f g"},
		{"a function literal", "func f() { func() { f() }() }; func g() { var h func(); h = func() { h() }; h() }", "f"},
		{"what is handed to another package", "func f(s string) { strings.Map(g, s) }; func g(r rune) rune { f(string(r)); return r }", "f g"},
		{"nothing but a conversion and a built-in", "type f int; func g() { _ = f(len([]f{})); panic(1) }", ""},
		{"a function of that name in another package", "func Map() { strings.Map(nil, \"\") }", ""},
		{"a variable of that name", "func f() { f := func() {}; f() }", ""},
		{"without a body", "func f(); func g() { f() }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			code := checked.Text(t, "import \"strings\"\nvar _ = strings.ToLower\n"+c.code)
			var got []string
			for d := range recursion.Find(code.Info.Info, []*ast.File{code.Src.Syntax}) {
				got = append(got, d.Name.Name)
			}
			slices.Sort(got)
			if want := strings.Fields(c.want); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
