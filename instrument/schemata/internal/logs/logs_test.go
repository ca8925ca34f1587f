package logs_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logs"
)

const imports = `import ("bytes"; "fmt"; "log"; "os"; "testing")
var ( buf bytes.Buffer; t testing.T; l *log.Logger; c bool; out = os.Stdout )
`

func TestLogs(t *testing.T) {
	for _, c := range []struct {
		call string
		want bool
	}{
		{`print(1)`, true},
		{`println("a", 2)`, true},
		{`log.Print(1)`, true},
		{`log.Fatal(1)`, true},
		{`l.Printf("%d", 1)`, true},
		{`t.Log(1)`, true},
		{`fmt.Println()`, true},
		{`fmt.Printf("a")`, true},
		{`fmt.Sprint(1)`, false},
		{`fmt.Errorf("a")`, false},
		{`fmt.Fprintln(os.Stderr, 1)`, true},
		{`fmt.Fprintf((os.Stdout), "a")`, true},
		{`fmt.Fprint(&buf, 1)`, false},
		{`fmt.Fprint(out, 1)`, false}, // a variable can be anything
		{`fmt.Fprint(os.Stdin, 1)`, false},
		{`os.Exit(1)`, false},
		{`own()`, false},
		{`report()`, true},
		{`func() {}()`, false},
		{`clear(map[int]int{})`, false},
		{`(func())(own)()`, false},
	} {
		s := checked.Text(t, imports+`func f() { _ = 1; `+c.call+` }
func own() { c = true }
func report() { log.Print(1) }`)
		l := logs.Find(s.Info, []*ast.File{s.Src.Syntax}, nil)
		if got := l.Logs(s.FirstExpr(c.call).(*ast.CallExpr)); got != c.want {
			t.Errorf("%s: %t", c.call, got)
		}
	}
}

// TestFind: a function that does nothing but log is one that logs.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		about, decl string
		want        bool
		call        string
	}{
		{"one call", `func g() { log.Print(1) }`, true, "g()"},
		{"several", `func g() { log.Print(1); println(2) }`, true, "g()"},
		{"nothing at all", `func g() { }`, false, "g()"},
		{"on a condition", `func g() { if c { log.Print(1) } }`, true, "g()"},
		{"with an else", `func g() { if c { log.Print(1) } else { log.Print(2) } }`, false, "g()"},
		{"the condition has a statement", `func g() { if n := 1; n > 0 { log.Print(1) } }`, false, "g()"},
		{"an empty condition", `func g() { if c { } }`, false, "g()"},
		{"with a result", `func g() (n int) { log.Print(1); return }`, false, "g()"},
		{"something else besides", `func g() { log.Print(1); c = true }`, false, "g()"},
		{"it does not return", `func g() { log.Fatal(1) }`, false, "g()"},
		{"it panics", `func g() { log.Panicf("a") }`, false, "g()"},
		{"through another", `func g() { h() }; func h() { log.Print(1) }`, true, "g()"},
		{"through another that calls it again", `func g() { h() }; func h() { g() }`, false, "g()"},
		{"a method", `type t0 struct{}; func (t0) g() { log.Print(1) }`, true, "t0{}.g()"},
		{"a generic function", `func g[T any](x T) { log.Print(x) }`, true, "g(1)"},
		{"shadowed", `func g() { log := logger{}; log.Print(1) }; type logger struct{}; func (logger) Print(int) { c = true }`, false, "g()"},
		{"without a body", `func g()`, false, "g()"},
	} {
		s := checked.Text(t, imports+c.decl+"\nfunc f() { "+c.call+" }")
		found := logs.Find(s.Info, []*ast.File{s.Src.Syntax}, nil).Logs(checked.First[*ast.CallExpr](s, c.call))
		if found != c.want {
			t.Errorf("%s: %t", c.about, found)
		}
	}
}

func TestGenericInstancesLog(t *testing.T) {
	s := checked.Text(t, imports+`func g[T any](x T) { log.Print(x) }; func f() { g(1); g[string]("a") }`)
	l := logs.Find(s.Info, []*ast.File{s.Src.Syntax}, nil)
	for _, call := range []string{`g(1)`, `g[string]("a")`} {
		if !l.Logs(s.FirstExpr(call).(*ast.CallExpr)) {
			t.Errorf("%s does not log", call)
		}
	}
}

func TestOnly(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{``, true},
		{`log.Print(1)`, true},
		{`log.Print(1); println()`, true},
		{`(log.Print)(1)`, true},
		{`log.Print(1); c = true`, false},
		{`if c { log.Print(1) }`, false},
		{`defer log.Print(1)`, false},
	} {
		s := checked.Text(t, imports+`func f() { `+c.body+` }`)
		l := logs.Find(s.Info, []*ast.File{s.Src.Syntax}, nil)
		if got := l.Only(s.Func("f").Body.List); got != c.want {
			t.Errorf("%q: %t", c.body, got)
		}
	}
}
