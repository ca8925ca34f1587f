package control_test

import (
	"go/ast"
	"go/token"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
)

// read returns the flow of the function f with its source.
func read(t *testing.T, src string) (*control.Flow, *checked.Code) {
	t.Helper()
	s := checked.Text(t, src)
	b := control.New(s.Info)
	b.Read(s.Func("f").Body)
	return b, s
}

// name writes a goal: the text of what is there, "next" for a further round, "end".
func name(s *checked.Code, g control.Goal) string {
	at, round := g.At()
	switch {
	case at == nil:
		return ""
	case round:
		return "next " + s.Src.Node(at)[:3]
	case at == ast.Node(s.Func("f").Body):
		return "end"
	}
	text := s.Src.Node(at)
	return text[:min(len(text), 7)]
}

func TestJumps(t *testing.T) {
	for _, c := range []struct {
		about, src, jump           string
		to, drop, bare, swap, swop string // swop: label of the swapped one
		direct                     bool
	}{
		{
			"break of a loop", `func f() { for { if c { break }; a() }; z() }`, "break",
			"z()", "a()", "", "next for", "", true,
		},
		{
			"continue of a loop", `func f() { for { if c { continue }; a() }; z() }`, "continue",
			"next for", "a()", "", "z()", "", true,
		},
		{
			"break at the end of the function", `func f() { for { break } }`, "break",
			"end", "next for", "", "next for", "", true,
		},
		{
			"break of a switch in a loop", `func f() { for { switch n { case 1: break }; a() }; z() }`, "break",
			"a()", "a()", "", "next for", "", true,
		},
		{
			"break of a switch outside of loops", `func f() { switch n { case 1: break; a() }; z() }`, "break",
			"z()", "a()", "", "", "", true,
		},
		{
			"continue inside of a switch: a break would leave that", `func f() { for { switch n { case 1: continue }; a() }; z() }`, "continue",
			"next for", "a()", "", "a()", "", false,
		},
		{
			"continue inside of a select, of a loop with a label", `func f() { L: for { select { case <-ch: continue }; a(); if c { break L } }; z() }`, "continue",
			"next for", "a()", "", "z()", "L", false,
		},
		{
			"continue of a loop with a label that it does not need", `func f() { L: for { if c { continue }; a(); if c { break L } }; z() }`, "continue",
			"next for", "a()", "", "z()", "", true,
		},
		{
			"break with a label out of an inner loop", `func f() { L: for { for { break L }; a() }; z() }`, "break L",
			"z()", "next for", "a()", "next for", "L", false,
		},
		{
			"continue with a label", `func f() { L: for { for { continue L }; a() }; z() }`, "continue L",
			"next for", "next for", "next for", "z()", "L", false,
		},
		{
			"break with the label of a switch: there is no continue", `func f() { for { L: switch n { case 1: for { break L } }; a() }; z() }`, "break L",
			"a()", "next for", "a()", "", "L", false,
		},
		{
			"a label that says what is so anyway", `func f() { L: for { break L }; z() }`, "break L",
			"z()", "next for", "z()", "next for", "L", true,
		},
		{
			"continue before a break: leaving it out comes to the break's goal", `func f() { for { if c { continue }; break }; z() }`, "continue",
			"next for", "z()", "", "z()", "", true,
		},
		{
			"empty statements are no goal", `func f() { for { if c { break }; ; ; a() }; ; z() }`, "break",
			"z()", "a()", "", "next for", "", true,
		},
		{
			"in an else", `func f() { for range 3 { if c { a() } else if d() { continue } else { a() }; a() }; z() }`, "continue",
			"next for", "a()", "", "z()", "", true,
		},
		{
			"range over a function", `func f() { for range seq { break }; z() }`, "break",
			"z()", "next for", "", "next for", "", true,
		},
		{
			"in a type switch", `func f() { for { switch x.(type) { case int: { break; } }; a() }; z() }`, "break",
			"a()", "a()", "", "next for", "", true,
		},
	} {
		b, s := read(t, c.src+`; var (c bool; n int; ch chan int; x any; seq func(func() bool)); func a(); func z(); func d() bool`)
		st := checked.First[*ast.BranchStmt](s, c.jump)
		j := b.Jump(st)
		if got := name(s, j.To); got != c.to {
			t.Errorf("%s: goes to %q, want %q", c.about, got, c.to)
		}
		if got := name(s, j.Drop); got != c.drop {
			t.Errorf("%s: left out goes to %q, want %q", c.about, got, c.drop)
		}
		if got := name(s, j.Bare); got != c.bare {
			t.Errorf("%s: without label goes to %q, want %q", c.about, got, c.bare)
		}
		if got := name(s, j.Swap); got != c.swap || j.Label != c.swop || (j.SwapTo == nil) != (c.swap == "") {
			t.Errorf("%s: swapped goes to %q with label %q, want %q with %q", c.about, got, j.Label, c.swap, c.swop)
		}
		if j.Direct != c.direct {
			t.Errorf("%s: direct is %t", c.about, j.Direct)
		}
	}
}

func TestGotoIsNoJump(t *testing.T) {
	b, s := read(t, `func f() { L: a(); goto L }; func a()`)
	if j := b.Jump(checked.First[*ast.BranchStmt](s, "goto")); j != nil {
		t.Errorf("%+v", j)
	}
}

func TestFallthrough(t *testing.T) {
	for _, c := range []struct{ about, clauses, to, drop string }{
		{"into a case", `case 1: a(); fallthrough; case 2: b()`, "case 2:", "z()"},
		{"into an empty case", `case 1: fallthrough; case 2: ; case 3: b()`, "case 2:", "z()"},
		{"into a case without statements", "case 1: fallthrough\ncase 2:\ncase 3: b()", "z()", "z()"},
		{"before a semicolon", `case 1: fallthrough; ; default: b()`, "default", "z()"},
	} {
		f, s := read(t, `func f() { switch n {`+c.clauses+`}; z() }; var n int; func a(); func b(); func z()`)
		j := f.Jump(checked.First[*ast.BranchStmt](s, "fallthrough"))
		if to, drop := name(s, j.To), name(s, j.Drop); to != c.to || drop != c.drop {
			t.Errorf("%s: to %q, without to %q; want %q, %q", c.about, to, drop, c.to, c.drop)
		}
	}
}

func TestFallsThrough(t *testing.T) {
	ft := &ast.BranchStmt{Tok: token.FALLTHROUGH}
	for _, c := range []struct {
		about string
		list  []ast.Stmt
		want  bool
	}{
		{"nothing", nil, false},
		{"at the end", []ast.Stmt{&ast.ReturnStmt{}, ft}, true},
		{"under labels", []ast.Stmt{&ast.LabeledStmt{Stmt: &ast.LabeledStmt{Stmt: ft}}}, true},
		{"before empty statements", []ast.Stmt{ft, &ast.EmptyStmt{}, &ast.EmptyStmt{}}, true},
		{"not at the end", []ast.Stmt{ft, &ast.ReturnStmt{}}, false},
		{"only empty statements", []ast.Stmt{&ast.EmptyStmt{}}, false},
		{"another jump", []ast.Stmt{&ast.BranchStmt{Tok: token.BREAK}}, false},
	} {
		if got := control.FallsThrough(c.list); (got == ft) != c.want || got != nil && !c.want {
			t.Errorf("%s: %v", c.about, got)
		}
	}
}

func TestLoops(t *testing.T) {
	for _, c := range []struct {
		about, body string
		labeled     string
		gotos       bool
		named       bool
		continues   int
		labels      []string
	}{
		{"bare", `for { break }`, "", false, false, 0, nil},
		{"continues count wherever they stand", `for { if c { continue }; switch { case c: continue } }`, "", false, false, 2, nil},
		{"those of an inner loop do not", `for { for { continue } }`, "", false, false, 0, nil},
		{"those with its label do", `L: for { for { continue L } }`, "L", false, true, 1, []string{"L"}},
		{"a label that nothing names", `goto L; L: for { break }`, "L", true, false, 0, []string{"L"}},
		{"goto from inside", `L: for { goto L }`, "L", false, false, 0, []string{"L"}},
		{"goto from behind", `L: for { if c { break } }; goto L`, "L", true, false, 0, []string{"L"}},
		{"goto and break", `L: for { break L }; goto L`, "L", true, true, 0, []string{"L"}},
		{"goto to another label", `M: a(); L: for { break L }; goto M`, "L", false, true, 0, []string{"L", "M"}},
		{"labels in function literals are others", `L: for { func() { N: for { break N } }(); break L }`, "L", false, true, 0, []string{"L"}},
	} {
		b, s := read(t, `func f() { `+c.body+` }; var c bool; func a()`)
		l := b.Loop(checked.First[*ast.ForStmt](s, "for"))
		label := ""
		if l.Labeled != nil {
			label = l.Labeled.Label.Name
		}
		if label != c.labeled || l.Gotos != c.gotos || l.Named != c.named || len(l.Continues) != c.continues || len(l.Labels) != len(c.labels) {
			t.Errorf("%s: %+v of label %q", c.about, l, label)
		}
		for _, name := range c.labels {
			if !l.Labels[name] {
				t.Errorf("%s: no label %s", c.about, name)
			}
		}
	}
}

func TestContinuesAreInTheOrderOfTheSource(t *testing.T) {
	b, s := read(t, `func f() { L: for { if c { continue }; for { continue L }; if c { continue }; continue } }; var c bool`)
	list := b.Loop(checked.First[*ast.ForStmt](s, "for")).Continues
	if len(list) != 4 || !slices.IsSortedFunc(list, func(x, y *ast.BranchStmt) int { return int(x.Pos() - y.Pos()) }) {
		t.Errorf("%d continues, or out of order", len(list))
	}
}

// A body is read by itself: the statements of function literals in it are not its own.
func TestFunctionLiteralsAreReadByThemselves(t *testing.T) {
	b, s := read(t, `func f() { for { func() { for { break } }(); continue } }`)
	inner := checked.First[*ast.FuncLit](s, "func()")
	jump := checked.First[*ast.BranchStmt](s, "break")
	if b.Jump(jump) != nil {
		t.Error("the literal was read with the function")
	}
	b.Read(inner.Body)
	if j := b.Jump(jump); j == nil || j.Target.Stmt.Pos() <= inner.Pos() {
		t.Errorf("%+v", j)
	}
	if l := b.Loop(checked.First[*ast.ForStmt](s, "for { func")); len(l.Continues) != 1 {
		t.Error("what was known of the outer body is lost")
	}
}

func TestTerminates(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{``, false},
		{`a()`, false},
		{`return`, true},
		{`panic(1)`, true},
		{`(panic)(1)`, true},
		{`goto L; L: a()`, false}, // the label begins again
		{`L: return; goto L`, true},
		{`{ return }`, true},
		{`if c { return }`, false},
		{`if c { return } else { return }`, true},
		{`if c { return } else { a() }`, false},
		{`if c { return } else if c { return } else { panic(1) }`, true},
		{`if c { return } else if c { return }`, false},
		{`for { a() }`, true},
		{`for { if c { break } }`, false},
		{`for { switch { case c: break } }`, true}, // of the switch
		{`L: for { switch { case c: break L } }`, false},
		{`for c { return }`, false},
		{`for range 3 { return }`, false},
		{`switch { case c: return; default: return }`, true},
		{`switch { case c: return }`, false},
		{`switch { case c: return; default: a() }`, false},
		{`switch { case c: break; default: return }`, false},
		{`switch { case c: fallthrough; default: return }`, true},
		{`switch x.(type) { case int: return; default: panic(1) }`, true},
		{`switch x.(type) { case int: return }`, false},
		{`select { case <-ch: return }`, true}, // there need not be a default
		{`select { case <-ch: break }`, false},
		{`select { case <-ch: a() }`, false},
		{`select {}`, true},
		{`return; a()`, true},
	} {
		b, s := read(t, `func f() { `+c.body+` }; var (c bool; x any; ch chan int); func a()`)
		if got := b.Terminates(s.Func("f").Body.List); got != c.want {
			t.Errorf("%s: %t", c.body, got)
		}
	}
}

// A function may be called panic: then it returns.
func TestShadowedPanicDoesNotTerminate(t *testing.T) {
	b, s := read(t, `func f() { panic(1) }; func panic(int) {}`)
	if list := s.Func("f").Body.List; b.Terminates(list) || b.JumpsAway(list[0]) {
		t.Error("a call of the package's own panic")
	}
}

func TestJumpsAway(t *testing.T) {
	for _, c := range []struct {
		stmt string
		want bool
	}{
		{"return", true},
		{"panic(1)", true},
		{"break", true},
		{"continue", true},
		{"goto L", true},
		{"fallthrough", false}, // the next clause is not dead
		{"a()", false},
		{"{ return }", false}, // no simple statement
		{"n++", false},
	} {
		b, s := read(t, `func f() { L: for { switch { case c: break; case d: continue; case e: goto L; case g: panic(1); case h: fallthrough; default: a() }; { return }; n++ }; goto L }
var (c, d, e, g, h bool; n int); func a()`)
		if got := b.JumpsAway(checked.First[ast.Stmt](s, c.stmt)); got != c.want {
			t.Errorf("%s: %t", c.stmt, got)
		}
	}
}

func TestTrimEmpty(t *testing.T) {
	empty, full := &ast.EmptyStmt{}, &ast.ReturnStmt{}
	for _, c := range []struct {
		list []ast.Stmt
		want int
	}{
		{nil, 0},
		{[]ast.Stmt{empty, empty}, 0},
		{[]ast.Stmt{empty, full}, 2}, // only at the end
		{[]ast.Stmt{full, empty, empty}, 1},
	} {
		if got := control.TrimEmpty(c.list); len(got) != c.want {
			t.Errorf("%d left of %d, want %d", len(got), len(c.list), c.want)
		}
	}
}
