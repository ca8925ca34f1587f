package risk_test

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/risk"
)

// all returns the conditions of all risks of the last statement of a function, "-" for one
// without.
func all(t *testing.T, stmts string) string {
	t.Helper()
	results := "()"
	if strings.HasPrefix(stmts, "return") {
		results = "(int, error)"
	}
	c := checked.Text(t, `import ("bytes"; "slices"; "strings")
func f[N ~int, S ~[]int](p, q *T, i, j int, u uint, b byte, w uint16, h int8, list []int, arr [3]int, ap *[3]int, s string, m map[string]int, x any, st iface, fn func() int, n N, gs S, ch chan int, buf *bytes.Buffer) `+results+` {
`+stmts+`
}
type T struct{ n int; next *T; list []int; fn func() int; inner }
type inner struct{ deep int }
type iface interface{ M() int }
func (t T) value() int { return 0 }
func (t *T) pointer() int { return 0 }
func use(...any) {}
func call() int { return 0 }
var ( _ = strings.Repeat; _ = slices.Grow[[]int]; _ bytes.Buffer )`)
	cx, _ := c.Site()
	body := c.Func("f").Body.List
	s := body[len(body)-1]
	cx.Block = c.Func("f").Body
	var list []string
	for _, r := range risk.Find(cx, s, s.Pos(), nilness.Vars{}) {
		if r.Why != nil {
			list = append(list, "-")
			continue
		}
		list = append(list, r.String())
	}
	return strings.Join(list, " | ")
}

func TestEdges(t *testing.T) {
	for _, c := range []struct{ about, stmt, want string }{
		{"what the right of && does is not known", "use(p != nil && p.n > 0)", ""},
		{"what the left does is", "use(p.n > 0 && q.n > 0)", "p == nil"},
		{"a function literal runs later", "use(func() int { return p.n })", ""},
		{"a deferred call runs later", "defer p.pointer()", ""},
		{"its arguments do not", "defer use(p.n)", "p == nil"},
		{"a deferred function variable", "defer fn()", ""},
		{"go with an argument", "go use(list[i])", "i < 0 || i >= len(list)"},
		{"once for two uses", "use(p.n, p.next)", "p == nil"},
		{"two pointers", "use(p.n, q.n)", "p == nil | q == nil"},
		{"a chain", "use(p.next.n)", "p == nil | p != nil && p.next == nil"},
		{"a method with a pointer receiver may be called on nil", "p.pointer()", ""},
		{"one with a value receiver may not", "p.value()", "p == nil"},
		{"of an interface", "st.M()", "st == nil"},
		{"a method expression", "use(T.value)", ""},
		{"a field of a function type", "p.fn()", "p == nil | p != nil && p.fn == nil"},
		{"a function variable", "fn()", "fn == nil"},
		{"a promoted field", "use(p.deep)", "p == nil"},
		{"an assignment through a pointer", "*p = T{}", "p == nil"},
		{"to an element of a map", `m["a"]++`, "m == nil"},
		{"to an element of a slice", "list[i] = 1", "i < 0 || i >= len(list)"},
		{"an unsigned index", "use(list[b])", "int(b) >= len(list)"},
		{"a large unsigned index", "use(list[u])", "int(u) < 0 || int(u) >= len(list)"},
		{"a length as an index", "use(list[len(s)])", "len(s) >= len(list)"},
		{"a constant index of an array", "use(arr[1])", ""},
		{"a variable index of an array", "use(arr[i])", "i < 0 || i >= len(arr)"},
		{"behind a pointer", "use(ap[i])", "ap == nil | ap != nil && (i < 0 || i >= len(ap))"},
		{"an element of an element", "use(list[list[0]])", "len(list) <= 0 | 0 < len(list) && (list[0] < 0 || list[0] >= len(list))"},
		{"an index of a type parameter", "use(list[n])", "-"},
		{"an element of a type parameter", "use(gs[i])", "-"},
		{"a slice in order", "use(list[:])", ""},
		{"from a length", "use(list[len(s):])", "len(list) < len(s)"},
		{"up to a constant", "use(list[:3])", "cap(list) < 3"},
		{"of a string", "use(s[i:j])", "i < 0 || i > j || len(s) < j"},
		{"of constants", "use(list[1:3])", "cap(list) < 3"},
		{"from 0", "use(list[0:i])", "i < 0 || cap(list) < i"},
		{"of an array behind a pointer, with constants", "use(ap[1:2])", "ap == nil"},
		{"of an array behind a pointer", "use(ap[i:])", "ap == nil | ap != nil && (i < 0 || len(ap) < i)"},
		{"with three", "use(list[i:j:u])", "i < 0 || i > j || j > int(u) || cap(list) < int(u)"},
		{"a constant divisor", "use(i % 3)", ""},
		{"a divisor in an assignment", "i %= j", "j == 0"},
		{"a fraction's divisor", "y := 1.5; use(2 / y)", ""},
		{"a divisor with effects", "use(i / call())", "-"},
		{"an assertion with ok", "y, ok := x.(int)\n_, _ = y, ok", ""},
		{"an assertion", "use(x.(int))", "x.(int) fails"},
		{"a type switch", "switch x.(type) { }", ""},
		{"a size that is a byte", "use(make([]int, b))", ""},
		{"a signed byte", "use(make([]int, h))", "h < 0"},
		{"an unsigned size", "use(make([]int, u))", "u > 1<<20"},
		{"as much as there is already", "use(make([]int, len(list)))", ""},
		{"twice as much", "use(make([]int, 2*len(list)))", ""},
		{"a size and a capacity", "use(make([]int, i, j))", "i < 0 || i > 1<<20 | j < 0 || j > 1<<20"},
		{"repeated text", "use(strings.Repeat(s, i))", "i < 0 || i > 1<<20"},
		{"grown", "use(slices.Grow(list, i))", "i < 0 || i > 1<<20"},
		{"a buffer that grows", "buf.Grow(i)", "i < 0 || i > 1<<20"},
		{"the tag of a switch", "switch p.n { case q.n: }", "p == nil"},
		{"the condition of an if", "if p.n > 0 { use(q.n) }", "p == nil"},
		{"declared in the statement", "if y := call(); list[y] > 0 { }", "-"},
		{"the operand of a range", "for range p.list { }", "p == nil"},
		{"results", "return p.n, nil", "p == nil"},
		{"a send", "ch <- p.n", "p == nil"},
		{"a declaration", "var y = p.n; use(y)", ""},
		{"keys of a struct literal are no operands", "use(T{n: i})", ""},
		{"values are", "use(T{n: q.n})", "q == nil"},
		{"constants", "use(1 / 2)", ""},
	} {
		if got := all(t, c.stmt); got != c.want {
			t.Errorf("%s: %s\n\t%q, want\n\t%q", c.about, c.stmt, got, c.want)
		}
	}
}

// What has been used before is not nil.
func TestKnownNotNil(t *testing.T) {
	c := checked.Text(t, `type T struct{ n int; list []int }
func f(p, q *T, i int) { use(p.n, p.list[i], q.n) }
func use(...any) {}`)
	cx, _ := c.Site()
	s := c.Func("f").Body.List[0]
	notNil := nilness.Vars{c.Object("p"): true}
	var list []string
	for _, r := range risk.Find(cx, s, s.Pos(), notNil) {
		list = append(list, r.String())
		if (r.Proves != nil) != (r.String() == "q == nil") {
			t.Errorf("%s proves %v", r, r.Proves)
		}
	}
	if got := strings.Join(list, " | "); got != "i < 0 || i >= len(p.list) | q == nil" {
		t.Errorf("%q", got)
	}
}

// A name that the statement itself, or a block around, gives another meaning can't be in
// the condition.
func TestHiddenNames(t *testing.T) {
	for stmt, want := range map[string]string{
		"{ nil := 1; use(nil, p.n) }":      "-",
		"{ len := 1; use(len, list[i]) }":  "-",
		"{ int := 1; use(int, list[b]) }":  "-",
		"{ i := 1; use(list[i]) }":         "i < 0 || i >= len(list)",
		"{ cap := 1; use(cap, list[:3]) }": "-",
	} {
		c := checked.Text(t, `type T struct{ n int }
func f(p *T, list []int, i int, b byte) { `+stmt+` }
func use(...any) {}`)
		cx, _ := c.Site()
		block := c.Func("f").Body.List[0].(*ast.BlockStmt)
		s := block.List[1]
		var list []string
		for _, r := range risk.Find(cx, s, s.Pos(), nilness.Vars{}) {
			text := r.String()
			if r.Why != nil {
				text = "-"
			}
			list = append(list, text)
		}
		if got := strings.Join(list, " | "); got != want {
			t.Errorf("%s: %q, want %q", stmt, got, want)
		}
	}
}
