package statements_test

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/expressions"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/statements"
)

// A function to offer the sites of: what it declares is at hand in its body.
type function struct {
	*statements.Function
	code *checked.Code
	decl *ast.FuncDecl
	list *mutants.List
}

func newFunction(t *testing.T, operators, results, body string) *function {
	t.Helper()
	c := checked.Text(t, `import ("log"; "os"; "strings")
func body(p *T, q *T, i, j int, list []int, arr [3]int, m map[string]int, x any, ch chan int, s string, a, b bool)`+results+` {
`+body+`
}
type T struct{ n int; next *T; list []int }
func (t *T) get() int { return 0 }
func (t T) value() int { return 0 }
func use(...any) {}
func call() int { return 0 }
func get() *T { return nil }
var ( top *T; flag interface{}; _ = os.Exit; _ = log.Print; _ = strings.ToLower )`)
	cx, list := c.Site()
	ops, err := operator.ByNames(operators)
	if err != nil {
		t.Fatal(err)
	}
	list.Operators, cx.Operators = ops, ops
	fn := c.Func("body")
	cx.Block, cx.Results = fn.Body, c.Info.Defs[fn.Name].(*types.Func).Signature().Results()
	cx.Flow.Read(fn.Body)
	return &function{statements.New(cx), c, fn, list}
}

// result are the texts of the plain edits, and the reasons why there are no more.
func (f *function) result() (edits, skips string) {
	f.code.Edits(f.list.Mutants)
	var reasons []string
	for _, s := range f.list.Skips {
		reasons = append(reasons, s.Reason)
	}
	return replacements(f.list), strings.Join(reasons, " | ")
}

// slow is the body with its mutants, without the braces around it.
func (f *function) slow() string {
	b := f.decl.Body
	return strings.TrimSpace(string(f.Slow.Render(f.code.Src.Src, f.code.Src.Off(b.Lbrace)+1, f.code.Src.Off(b.Rbrace))))
}

// A guard asks, before a statement, for what would make it panic: the plain edit is an if
// statement that leaves the function, or leaves out the statement.
func TestGuards(t *testing.T) {
	for _, c := range []struct {
		about, operators, results, body string
		want, skips                     string
	}{
		{"a field through a pointer", "nil-guard", "()", "i = p.n", "if p == nil { return }; | if p != nil { i = p.n }", ""},
		{"the same pointer again", "nil-guard", "()", "i = p.n\nj = p.n", "if p == nil { return }; | if p != nil { i = p.n }", ""},
		{"another pointer", "nil-guard", "()", "i = p.n\nj = q.n", "if p == nil { return }; | if p != nil { i = p.n } | if q == nil { return }; | if q != nil { j = q.n }", ""},
		{"a pointer that was asked for", "nil-guard", "()", "if p != nil { i = p.n }", "", ""},
		{"after a return", "nil-guard", "()", "if p == nil { return }\ni = p.n", "", ""},
		{"in the else branch", "nil-guard", "()", "if p == nil { use(1) } else { i = p.n }", "", ""},
		{"where it is nil", "nil-guard", "()", "if p == nil { i = p.n }", "if p == nil { return }; | if p != nil { i = p.n }", ""},
		{"after an assignment", "nil-guard", "()", "i = p.n\np = q\nj = p.n", "if p == nil { return }; | if p != nil { i = p.n } | if p == nil { return }; | if p != nil { j = p.n }", ""},
		{"a method with a pointer", "nil-guard", "()", "p.get()", "", ""},
		{"a method of the value", "nil-guard", "()", "p.value()", "if p == nil { return }; | if p != nil { p.value() }", ""},
		{"a write to a map", "nil-guard", "()", "m[s] = 1", "if m == nil { return }; | if m != nil { m[s] = 1 }", ""},
		{"a read of a map", "nil-guard", "()", "i = m[s]", "", ""},
		{"in the right operand of an and", "nil-guard", "()", "a = b && p.n > 0", "", ""},
		{"in a function literal", "nil-guard", "()", "use(func() int { return p.n })", "", ""},
		{"an index", "bounds-guard", "()", "i = list[j]", "if j < 0 || j >= len(list) { return }; | if !(j < 0 || j >= len(list)) { i = list[j] }", ""},
		{"a constant index", "bounds-guard", "()", "i = list[2]", "if len(list) <= 2 { return }; | if !(len(list) <= 2) { i = list[2] }", ""},
		{"a divisor", "divisor-guard", "()", "i = i / j", "if j == 0 { return }; | if !(j == 0) { i = i / j }", ""},
		{"a constant divisor", "divisor-guard", "()", "i = i / 2", "", ""},
		{"a type assertion", "assertion-guard", "()", "i = x.(int)", "if _, ok := x.(int); !ok { return }; | if _, ok := x.(int); ok { i = x.(int) }", ""},
		{"a size", "size-guard", "()", "list = make([]int, i)", "if i < 0 || i > 1<<20 { return }; | if !(i < 0 || i > 1<<20) { list = make([]int, i) }", ""},
		{"a statement that declares", "nil-guard", "()", "k := p.n\nuse(k)", "if p == nil { return }; ", ""},
		{"a return", "nil-guard", " (int, error)", "return p.n, nil", "if p == nil { return 0, nil }; | if p == nil { return 0, os.ErrClosed }; ", ""},
		{"nil is hidden", "nil-guard", " error", "{ nil := 1; use(nil, p.n) }\nreturn nil", "", "nil has another declaration here | nil has another declaration here"},
		{"behind a label", "nil-guard", "()", "L:\nfor range p.list { if a { continue L } }", "if p == nil { return }; ", ""},
		{"at a goto's label", "nil-guard", "()", "i = p.n\nL:\nj = p.n\nif a { goto L }", "if p == nil { return }; | if p != nil { i = p.n } | if p == nil { return }; | if p != nil { j = p.n }", ""},
		{"in clauses", "nil-guard", "()", "switch i {\ncase 1:\ni = p.n\ndefault:\nj = p.n\n}\nselect {\ncase <-ch:\ni = q.n\n}", "if p == nil { return }; | if p != nil { i = p.n } | if p == nil { return }; | if p != nil { j = p.n } | if q == nil { return }; | if q != nil { i = q.n }", ""},
		{"after a return in the same list", "nil-guard", "()", "return\ni = p.n", "", ""},
		{"without guards among the operators", "math", "()", "i = p.n", "", ""},
	} {
		f := newFunction(t, c.operators, c.results, c.body)
		statements.Guards(f.Function, f.decl.Body.List)
		edits, skips := f.result()
		if got := strings.ReplaceAll(edits, ";  |", "; |"); got != c.want || skips != c.skips {
			t.Errorf("%s: %s\n\tbecomes %q\n\twant    %q\n\tskips %q\n\twant  %q", c.about, c.body, got, c.want, skips, c.skips)
		}
	}
}

// The guard of a loop counts its turns, from before the loop and its label on.
func TestGuardsOfLoops(t *testing.T) {
	count := func(loop, what string) string {
		return "turns := 0; " + loop + " if turns++; turns > 1000 { " + what + " }; "
	}
	for _, c := range []struct {
		about, results, body string
		want                 string
	}{
		{"a condition", "()", "for i < j { i++ }", count("for i < j {", "return") + " | " + count("for i < j {", "break")},
		{"a range", " (int, error)", "for range list { i++ }\nreturn 0, nil", count("for range list {", "return 0, os.ErrClosed") + " | " + count("for range list {", "return 0, nil") + " | " + count("for range list {", "break")},
		{"without end", " int", "for { if a { return 1 } }", count("for {", "return 0")},
		{"under a label", "()", "L:\nfor range list { for range m { continue L } }", count("L:\nfor range list {", "return") + " | " + count("L:\nfor range list {", "break") + " | " + count("for range m {", "return") + " | " + count("for range m {", "break")},
		{"in a function with a goto", "()", "L:\nfor range list { i++ }\nif a { goto L }", ""},
		{"a name that only looks like it", "()", "returns := 0\nfor range list { returns++ }", count("for range list {", "return") + " | " + count("for range list {", "break")},
		{"a name that is taken", "()", "for range list { turns := 1; use(turns) }", strings.ReplaceAll(count("for range list {", "return")+" | "+count("for range list {", "break"), "turns", "fuzzmutR_turns")},
	} {
		f := newFunction(t, "loop-guard", c.results, c.body)
		statements.Guards(f.Function, f.decl.Body.List)
		if edits, skips := f.result(); edits != c.want || skips != "" {
			t.Errorf("%s: %s\n\tbecomes %q\n\twant    %q\n\tskips %q", c.about, c.body, edits, c.want, skips)
		}
	}
	f := newFunction(t, "loop-guard", "()", "for i < j { i++ }")
	statements.Guards(f.Function, f.decl.Body.List)
	if got, want := f.slow(), "{ fuzzmutR_t162 := 0; for i < j { fuzzmutR_t162++; if fuzzmutrt.Turns(1, fuzzmutR_t162) { return }; if fuzzmutrt.Turns(2, fuzzmutR_t162) { break };  i++ } }"; got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// The guard of a function that may call itself counts its calls in progress in a variable of the
// package.
func TestGuardsOfDepth(t *testing.T) {
	const tail = "defer func() { depth-- }(); if depth > 1000 { "
	for _, c := range []struct {
		about, results, body string
		want                 []string
		slow                 string
	}{
		{"without results", "()", "call()", []string{"return"}, "return"},
		{"with an error", " (int, error)", "return 0, nil", []string{"return 0, os.ErrClosed", "return 0, nil"}, "return 0, os.ErrClosed }; if fuzzmutrt.Deep(2, fuzzmutR_d) { return 0, nil"},
		{"with a name that is taken", "(depth int)", "return call()", []string{"return 0"}, "return 0"},
	} {
		f := newFunction(t, "depth-guard", c.results, c.body)
		f.Recursive = map[*ast.FuncDecl]bool{f.decl: true}
		statements.Depth(f.Function, f.decl)
		name, head := "depth", f.code.Src.Text(f.decl.Pos(), f.decl.Body.Lbrace+1)
		if strings.Contains(head, name) {
			name = "fuzzmutR_depth"
		}
		var want []string
		for _, leave := range c.want {
			want = append(want, "var "+name+" int; "+head+" "+name+"++; "+strings.ReplaceAll(tail, "depth", name)+leave+" }; ")
		}
		if edits, skips := f.result(); edits != strings.Join(want, " | ") || skips != "" {
			t.Errorf("%s: becomes %q\n\twant    %q\n\tskips %q", c.about, edits, want, skips)
		}
		slow := "if fuzzmutR_d := fuzzmutrt.Deeper(1, " + strconv.Itoa(len(c.want)) + "); fuzzmutR_d > 0 { defer fuzzmutrt.Shallower(1, fuzzmutrt.Run); if fuzzmutrt.Deep(1, fuzzmutR_d) { " + c.slow + " }; }; \n" + c.body
		if got := f.slow(); got != slow {
			t.Errorf("%s: %s, want\n%s", c.about, got, slow)
		}
	}
	f := newFunction(t, "depth-guard", "()", "call()")
	if statements.Depth(f.Function, f.decl); len(f.list.Mutants) != 0 {
		t.Errorf("a function that does not call itself: %+v", f.list.Mutants)
	}
}

// The ok of a receive in a select clause is inverted after the colon: the clause has to stay
// a receive.
func TestOkOfASelectClause(t *testing.T) {
	for _, c := range []struct{ about, clause, want, skips string }{
		{"declared", "case v, ok := <-ch: use(v, ok)", ": ok = !ok;", ""},
		{"assigned", "case i, a = <-ch: use(i, a)", ": a = !a;", ""},
		{"blank", "case v, _ := <-ch: use(v)", "", ""},
		{"without ok", "case v := <-ch: use(v)", "", ""},
		{"a send", "case ch <- 1: use(1)", "", ""},
		{"with effects", "case i, *func() *bool { return &a }() = <-ch: use(i)", "", "operand that may have effects"},
		{"in an interface", "case i, flag = <-ch: use(i)", "", "ok in a variable of an interface type"},
		{"only a condition", "case v, ok := <-ch: if ok { use(v) }", "", "the same program: only a condition, which is negated"},
	} {
		f := newFunction(t, "comma-ok-inversion,condition-negation", "()", "select {\n"+c.clause+"\n}")
		clause := f.decl.Body.List[0].(*ast.SelectStmt).Body.List[0]
		statements.Offer(f.Function, clause, site.Position{})
		if edits, skips := f.result(); edits != c.want || skips != c.skips {
			t.Errorf("%s: %q, skips %q; want %q, %q", c.about, edits, skips, c.want, c.skips)
		}
	}
	f := newFunction(t, "comma-ok-inversion", "()", "select {\ncase v, ok := <-ch:\nuse(v, ok)\n}")
	statements.Offer(f.Function, f.decl.Body.List[0].(*ast.SelectStmt).Body.List[0], site.Position{})
	if got, want := f.slow(), "select {\ncase v, ok := <-ch: ok = fuzzmutrt.Bool(1, 0x1, ok);\nuse(v, ok)\n}"; got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// Where there is no list, the ok is inverted by a function literal.
func TestOkOutsideOfAList(t *testing.T) {
	for _, c := range []struct{ about, body, want, skips string }{
		{"of a map", "if v, ok := m[s]; a { use(v, ok) }", "func() (fuzzmutR_0 int, fuzzmutR_1 bool) { fuzzmutR_0, fuzzmutR_1 = m[s]; return fuzzmutR_0, !fuzzmutR_1 }()", ""},
		{"the type is hidden", "all := map[int]*T{}; { T := 1; use(T); if v, ok := all[1]; a { use(v, ok) } }", "", "its type can't be named here"},
		{"of a type assertion", "if v, ok := x.(*T); a { use(v, ok) }", "func() (fuzzmutR_0 *T, fuzzmutR_1 bool) { fuzzmutR_0, fuzzmutR_1 = x.(*T); return fuzzmutR_0, !fuzzmutR_1 }()", ""},
	} {
		f := newFunction(t, "comma-ok-inversion", "()", c.body)
		s := checked.First[ast.Stmt](f.code, "if")
		statements.Offer(f.Function, s.(*ast.IfStmt).Init, site.Position{})
		if edits, skips := f.result(); edits != c.want || skips != c.skips {
			t.Errorf("%s: %q, skips %q; want %q, %q", c.about, edits, skips, c.want, c.skips)
		}
	}
}

// A branch is emptied as a whole, unless its mutant is another one already, or no
// program.
func TestEmptiedBranches(t *testing.T) {
	for _, c := range []struct {
		about, operators, body string
		last                   bool
		want, skips            string
	}{
		{"then", "empty-then", "if a { use(1); use(2) }", false, "", ""},
		{"then, where the condition is made false", "empty-then,condition-forced", "if a { use(1); use(2) }", false, "", "the same as the condition always false"},
		{"then, beside an else", "empty-then,condition-forced", "if a { use(1) } else { use(2) }", false, "", ""},
		{"what keeps a variable used", "empty-then", "k := call()\nif a { use(k); use(k) }", false, "_ = k", ""},
		{"the last statement", "empty-then", "if a { use(1) } else { use(2) }", true, "", "does not compile: missing return"},
		{"only a log", "empty-then", "if a { log.Print(1) }", false, "", "logging call"},
		{"else", "empty-else", "if a { } else { use(1) }", false, "", ""},
		{"else if", "empty-else", "if a { } else if b { use(1) }", false, "", ""},
		{"a case", "empty-case", "switch i { case 1: use(1); use(2) }", false, "", ""},
		{"a case that falls through", "empty-case", "switch i { case 1: use(1); fallthrough; case 2: }", false, "", ""},
		{"nothing but a fallthrough", "empty-case", "switch i { case 1: fallthrough; case 2: }", false, "·", ""},
		{"default", "empty-default", "switch i { default: use(1) }", false, "", ""},
		{"a clause of a select", "empty-select-case", "select { case <-ch: use(1) }", false, "", ""},
		{"default of a select", "empty-default", "select { case <-ch: \n default: use(1) }", false, "", ""},
		{"empty statements", "empty-then", "if a { ;; }", false, "·", ""},
	} {
		f := newFunction(t, c.operators, "()", c.body)
		conditions := 0
		ast.Inspect(f.decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				f.Within = n
				expressions.Offer(expressions.Condition, f.Context, n.Cond, site.Place{})
				conditions = len(f.list.Mutants)
				statements.NoteThen(f.Function, n)
				statements.Then(f.Function, n, c.last)
				statements.Else(f.Function, n, c.last)
			case *ast.CaseClause:
				statements.Case(f.Function, n, c.last)
			case *ast.CommClause:
				statements.Comm(f.Function, n, c.last)
			}
			return true
		})
		f.code.Edits(f.list.Mutants[:conditions])
		f.list.Mutants = f.list.Mutants[conditions:]
		edits, skips := f.result()
		offered := len(f.list.Mutants) > 0
		if edits != strings.TrimSuffix(c.want, "·") || skips != c.skips || offered != (c.skips == "" && c.want != "·" && !strings.Contains(c.about, "else if")) {
			t.Errorf("%s: %d mutants, %q, skips %q; want %q, %q", c.about, len(f.list.Mutants), edits, skips, c.want, c.skips)
		}
	}
}

// The only statement of a branch is not left out where the condition made false is the same.
func TestTheOnlyJumpOfABranch(t *testing.T) {
	for _, c := range []struct{ body, want, skips string }{
		{"for b { if a { break }; use(1) }", "", "the same as the condition always false"},
		{"for b { if a { use(2); break }; use(1) }", "", ""},
		{"for b { if a { break } else { use(2) }; use(1) }", "", ""},
	} {
		f := newFunction(t, "break-continue-removal,condition-forced", "()", c.body)
		s := checked.First[ast.Stmt](f.code, "if a").(*ast.IfStmt)
		f.Within = s
		expressions.Offer(expressions.Condition, f.Context, s.Cond, site.Place{})
		f.list.Mutants = nil
		statements.NoteThen(f.Function, s)
		statements.Offer(f.Function, checked.First[ast.Stmt](f.code, "break"), site.Position{InList: true})
		if edits, skips := f.result(); edits != c.want || skips != c.skips || (len(f.list.Mutants) > 0) != (c.skips == "") {
			t.Errorf("%s: %q, skips %q; want %q, %q", c.body, edits, skips, c.want, c.skips)
		}
	}
}

// A loop that can be left where its first round ends, without a difference unless there is
// a second round, counts its rounds; any other one asks each time.
func TestLoopsThatAreCalm(t *testing.T) {
	for _, c := range []struct {
		loop string
		calm bool
	}{
		{"for a { use(i) }", true},
		{"for call() > 0 { use(i) }", false}, // the condition is evaluated once more
		{"for k := 0; k < i; k++ { use(k) }", true},
		{"for k := 0; k < i; i++ { use(k) }", false}, // seen later
		{"for k := 0; k < i; k++ { use(&k) }", false},
		{"for k := 0; k < i; k++ { use(func() int { return k }) }", false},
		{"for k, l := 0, 1; k < i; k, l = l, k+l { use(k) }", true},
		{"for k, l := 0, 1; k < i; k, l = l, call() { use(k) }", false},
		{"for k := p; a; k = k.next { use(k) }", false},
		{"for k := 0; k < i; use(k) { use(k) }", false},
		{"for range list { use(i) }", true},
		{"for range ch { use(i) }", false}, // a value is lost
	} {
		f := newFunction(t, "loop-once", "()", c.loop)
		s := f.decl.Body.List[0]
		statements.Offer(f.Function, s, site.Position{InList: true})
		if loop, ok := s.(*ast.ForStmt); ok {
			statements.ForLoop(f.Function, loop, site.Position{InList: true})
		}
		f.result()
		slow := f.slow()
		if got := strings.Contains(slow, "fuzzmutrt.Rounds("); got != c.calm || !got && !strings.Contains(slow, "if fuzzmutrt.On(1) { break }") {
			t.Errorf("%s: calm %v:\n%s", c.loop, got, slow)
		}
	}
}

// A jump that has to leave another statement than the nearest gets a label in the copied
// body, and the loop has it there.
func TestLabelsOfTheCopiedBody(t *testing.T) {
	for _, c := range []struct{ about, body, want string }{
		{
			"a continue inside of a switch", "for a { switch i { case 1: continue }; use(1) }",
			"{ fuzzmutR_nAT := fuzzmutrt.Rounds(1); fuzzmutR_lAT: for a { fuzzmutR_nAT = fuzzmutrt.Again(1, fuzzmutR_nAT);  switch i { case 1: if fuzzmutrt.Leave(1) { break fuzzmutR_lAT }; continue }; use(1) ; if fuzzmutrt.Leave(1) { break }; }; fuzzmutrt.Ended(1) }",
		},
		{
			"a continue of its own", "for a { if b { continue }; use(1) }",
			"{ fuzzmutR_nAT := fuzzmutrt.Rounds(1); for a { fuzzmutR_nAT = fuzzmutrt.Again(1, fuzzmutR_nAT);  if b { if fuzzmutrt.Leave(1) { break }; continue }; use(1) ; if fuzzmutrt.Leave(1) { break }; }; fuzzmutrt.Ended(1) }",
		},
	} {
		f := newFunction(t, "loop-once", "()", c.body)
		loop := f.decl.Body.List[0].(*ast.ForStmt)
		statements.ForLoop(f.Function, loop, site.Position{InList: true})
		statements.PlaceLabel(f.Function, loop, loop.Body)
		f.result()
		want := strings.ReplaceAll(c.want, "AT", strconv.Itoa(f.code.Src.Off(loop.Pos())))
		if got := f.slow(); got != want {
			t.Errorf("%s:\n%s, want\n%s", c.about, got, want)
		}
	}
}
