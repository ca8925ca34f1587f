package expressions_test

import (
	"fmt"
	"go/ast"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/expressions"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// offerIn asks for sites of a body, and returns what becomes of them: the texts of the
// plain edits, the reasons why there are no more, and the body with its mutants.
func offerIn(t *testing.T, operators, body string, offer func(cx *site.Context, body *ast.BlockStmt)) (edits, skips, slow string) {
	t.Helper()
	c := checked.Text(t, `import "strings"
func f(i, j int, u uint8, x float64, s, t string, list, other []int, bs []byte, arr [3]int, p *T, m map[string]int, ch chan int, b, d bool) {
`+body+`
}
type own int
type flag bool
type inner struct { n int }
type T struct { n int; x float64; s string; next *T; list []int; ok bool; flag flag; own own; inner inner; any any; f func() }
func use(...any) {}
func call() int { return 0 }
func text() string { return "" }
func get() *T { return nil }
var top int; var _ = strings.ToLower`)
	cx, list := c.Site()
	ops, err := operator.ByNames(operators)
	if err != nil {
		t.Fatal(err)
	}
	list.Operators, cx.Operators = ops, ops
	cx.Block = c.Func("f").Body
	offer(cx, cx.Block)
	c.Edits(list.Mutants)
	var texts, reasons []string
	for _, m := range list.Mutants {
		texts = append(texts, m.Replacement)
	}
	for _, s := range list.Skips {
		reasons = append(reasons, s.Reason)
	}
	lo, hi := c.Src.Off(cx.Block.Lbrace)+1, c.Src.Off(cx.Block.Rbrace)
	return strings.Join(texts, " | "), strings.Join(reasons, " | "), strings.TrimSpace(string(cx.Slow.Render(c.Src.Src, lo, hi)))
}

// assignment offers the first statement of a body.
func assignment(p site.Position) func(cx *site.Context, body *ast.BlockStmt) {
	return func(cx *site.Context, body *ast.BlockStmt) {
		s := body.List[0]
		if f, ok := s.(*ast.ForStmt); ok {
			s = f.Post
		}
		cx.Within = body.List[0]
		switch s := s.(type) {
		case *ast.AssignStmt:
			expressions.OpAssign(cx, s, p)
		case *ast.IncDecStmt:
			expressions.IncDec(cx, s, p)
		}
	}
}

func TestAssignments(t *testing.T) {
	const all = "math,compound-assignment,string-concatenation,operand-exchange,increments"
	for _, c := range []struct {
		about, body string
		outside     bool // of a list
		want, skips string
		slow        string // "" is not looked at
	}{
		{"a sum", "i += j", false, "-= | =", "", "i = fuzzmutrt.ArithIInt(1, 0xd2, 1, i,  j)"},
		{"a difference", "i -= j", false, "+= | = | i = j - i", "", ""},
		{"a difference of what binds less", "i -= j - 1", false, "+= | = | i = j - 1 - i", "", ""},
		{"bits", "i &^= j", false, "&= | = | i = j &^ i", "", ""},
		{"a shift", "i <<= 2", false, ">>=", "", ""},
		{"a quotient of itself", "i /= i", false, "*=", "the same program as without the statement | the same program: equal operands", ""},
		{"with effects", "i -= call()", false, "+= | =", "evaluating the operands may have effects, whose order would change", ""},
		{"a text", "s += t", false, "= | s = t + s", "", "s = fuzzmutrt.ConcatString(1, 0xed, s,  t)"},
		{"nothing added", "i += 0", false, "=", "the same program: neutral operand", ""},
		{"divided by nothing", "x *= 0", false, "", "does not compile: division by zero | the same program: neutral operand", ""},
		{"the last use of a variable", "k := 1; k += j", false, "", "", ""},
		{"an element", "list[i] += j", false, "-= | =", "", ""},
		{"an element with effects", "list[call()] += j", false, "-= | =", "", "if fuzzmutrt.On(1) { list[call()] -=  j } else if fuzzmutrt.On(2) { list[call()] =  j } else { list[call()] += j }"},
		{"with effects, outside of a list", "for ; b; list[call()] += j { }", true, "", "operand that may have effects, outside of a statement list | operand that may have effects, outside of a statement list", ""},
		{"on several lines", "list[call()] += j +\n1", false, "-= | =", "", "if fuzzmutrt.On(1) { list[call()] -= j + 1 } else if fuzzmutrt.On(2) { list[call()] = j + 1 } else { list[call()] += j +\n1 }"},
		{"no number", "b = d", false, "", "", ""},
		{"one more", "i++; use(i)", false, "--", "", "i = fuzzmutrt.IncInt(1, 1, i); use(i)"},
		{"one less", "u--; use(u)", false, "++", "", ""},
		{"of a fraction", "x++; use(x)", false, "--", "", ""},
		{"of what nothing reads", "i++", false, "", "the same program: nothing reads what is stored here", ""},
		{"of an own type", "p.own++", false, "--", "", ""},
		{"of what has effects", "get().n++", false, "--", "", "if fuzzmutrt.On(1) { get().n-- } else { get().n++ }"},
		{"of what has effects, outside of a list", "for ; b; get().n++ { }", true, "", "operand that may have effects, outside of a statement list", ""},
	} {
		offer := assignment(site.Position{InList: !c.outside})
		if c.about == "the last use of a variable" {
			offer = func(cx *site.Context, body *ast.BlockStmt) {
				expressions.OpAssign(cx, body.List[1].(*ast.AssignStmt), site.Position{InList: true})
			}
			c.want, c.skips = "-=", "does not compile: last use of a variable"
		}
		edits, skips, slow := offerIn(t, all, c.body, offer)
		if edits != c.want || skips != c.skips || c.slow != "" && slow != c.slow {
			t.Errorf("%s: %s\n\tbecomes %q\n\twant    %q\n\tskips %q\n\twant  %q\n\tcopied %s", c.about, c.body, edits, c.want, skips, c.skips, slow)
		}
	}
}

// A field is left at zero; what else its value does is kept.
func TestFields(t *testing.T) {
	for _, c := range []struct{ about, value, want, skips, slow string }{
		{"a number", "n: i", "0", "", "fuzzmutrt.RetInt(1, i)"},
		{"a constant", "n: 3", "", "", "3"},
		{"zero", "next: nil", "", "", "nil"},
		{"a text", "s: t", `""`, "", "fuzzmutrt.RetString(1, t)"},
		{"a pointer", "next: p", "nil", "", "fuzzmutrt.Ret(1, p)"},
		{"a slice", "list: other", "nil", "", ""},
		{"a struct", "inner: p.inner", "func(inner) (_ inner) { return }(p.inner)", "", ""}, // it may panic
		{"an own type", "own: own(i)", "0", "", ""},
		{"an own bool", "flag: b == d", "false", "", ""},
		{"a call", "n: call()", "func(int) (_ int) { return }(call())", "", ""},
		{"a call of another type", "any: call()", "func(any) (_ any) { return }(call())", "", ""},
		{"a function", "f: func() {}", "nil", "", ""},
		{"its type is hidden", "inner: get().inner", "", "its type can't be named here", ""},
	} {
		body := "use(T{" + c.value + "})"
		if c.about == "its type is hidden" {
			body = "new := func(k T) {}; { inner := 1; use(inner); new(T{inner: get().inner}) }"
		}
		edits, skips, slow := offerIn(t, "field-clearing", body, func(cx *site.Context, body *ast.BlockStmt) {
			ast.Inspect(body, func(n ast.Node) bool {
				if kv, ok := n.(*ast.KeyValueExpr); ok {
					cx.Within = body.List[len(body.List)-1]
					expressions.Field(cx, kv)
				}
				return true
			})
		})
		want := "use(T{" + strings.Split(c.value, ": ")[0] + ": " + c.slow + "})"
		if edits != c.want || skips != c.skips || c.slow != "" && slow != want {
			t.Errorf("%s: %s\n\tbecomes %q\n\twant    %q\n\tskips %q\n\twant  %q\n\tcopied %s", c.about, c.value, edits, c.want, skips, c.skips, slow)
		}
	}
	// A key of a map, or of an array, is no field.
	edits, _, _ := offerIn(t, "field-clearing", "use(map[int]int{i: j}, [3]int{0: i})", func(cx *site.Context, body *ast.BlockStmt) {
		ast.Inspect(body, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				expressions.Field(cx, kv)
			}
			return true
		})
	})
	if edits != "" {
		t.Errorf("of elements: %q", edits)
	}
}

// What another operator does to a length is not offered once more.
func TestLengthsThatAreOperands(t *testing.T) {
	lengths := func(cx *site.Context, body *ast.BlockStmt) {
		cx.Within = body.List[0]
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				expressions.NoteLengths(cx, n)
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "make" {
					expressions.NoteMake(cx, n)
				}
				expressions.Offer(expressions.Value, cx, n, site.Place{Operand: true})
			}
			return true
		})
	}
	const up, down = "(len(s)+1)", "(len(s)-1)"
	for _, c := range []struct{ body, want string }{
		{"use(len(s))", up + " | " + down},
		{"use(len(s) + 1)", ""},
		{"use(1 + len(s))", ""},
		{"use(len(s) + i)", up + " | " + down},
		{"use(len(s) == 1)", ""},
		{"use(len(s) == i)", up + " | " + down},
		{"use(len(s) == i + 1)", ""},
		{"use(len(s) < i)", up},
		{"use(i > len(s))", up},
		{"use(len(s) > i)", down},
		{"use(i <= len(s))", up},
		{"use(i >= len(s))", down},
		{"use(len(s) <= 1)", ""},
		{"use(len(s) < len(t))", up + " | "},
		{"use(len(s) - len(t))", up + " | " + down},
		{"use(make([]int, len(s)))", up + " | " + down},
		{"use(make([]int, 0, len(s)))", ""},
		{"use(make([]int, len(s), len(s) + call()))", up + " | " + down},
		{"use(make(map[int]int, len(s)))", ""},
		{"use(make(chan int, len(s)))", up + " | " + down},
		{"use(len(list))", "(len(list)+1) | (len(list)-1) | cap(list)"},
		{"use(make([]int, 0, cap(list)))", ""},
	} {
		edits, skips, _ := offerIn(t, "length-change", c.body, lengths)
		if want := strings.TrimSuffix(c.want, " | "); edits != want || skips != "" {
			t.Errorf("%s: %q, skips %q; want %q", c.body, edits, skips, want)
		}
	}
}

// The tag of a switch is recorded with its labels: as texts with their lengths, or as
// numbers.
func TestRecordedTags(t *testing.T) {
	for _, c := range []struct{ about, tag, clauses, want string }{
		{"texts", "s", "case \"ab\", \"c\": case t:", `fuzzmutrt.TagString(0x425, "\x02ab\x01c", s)`},
		{"numbers", "i", "case 1, -1: case 300:", `fuzzmutrt.TagInt(0x125, "\x02\x01\xd8\x04", i)`},
		{"bytes", "u", "case 'a':", ""},
		{"an own type", "p.own", "case 1:", ""},
		{"the text of bytes", "string(bs)", "case \"a\":", `string(fuzzmutrt.TagBytes(`},
		{"no labels", "i", "default:", "i"},
		{"no constants", "i", "case j:", "i"},
		{"a fraction", "x", "case 1:", "x"},
		{"a bool", "b", "case true:", "b"},
		{"a pointer", "p", "case nil:", "p"},
	} {
		_, _, slow := offerIn(t, "math", "switch "+c.tag+" { "+c.clauses+" }", func(cx *site.Context, body *ast.BlockStmt) {
			expressions.RecordTag(cx, body.List[0].(*ast.SwitchStmt))
		})
		tag, _ := strings.CutPrefix(slow, "switch ")
		tag = strings.TrimSuffix(tag, " { "+c.clauses+" }")
		if c.want == c.tag && tag != c.tag || !strings.HasPrefix(tag, c.want) {
			t.Errorf("%s: %s, want %s", c.about, tag, c.want)
		}
	}
	// Up to a number of them.
	var labels []string
	for i := range 70 {
		labels = append(labels, fmt.Sprintf("%q", string(rune('0'+i))))
	}
	_, _, slow := offerIn(t, "math", "switch s { case "+strings.Join(labels, ", ")+": }", func(cx *site.Context, body *ast.BlockStmt) {
		expressions.RecordTag(cx, body.List[0].(*ast.SwitchStmt))
	})
	if n := strings.Count(slow, `\x01`); n != 64 {
		t.Errorf("%d labels are recorded", n)
	}
}

// What is evaluated late, or not at all, is guarded where it stands: it counts as false where it
// would panic, and after || as true, too.
func TestGuardsOfOperands(t *testing.T) {
	first := func(cx *site.Context, body *ast.BlockStmt) ast.Expr {
		return body.List[0].(*ast.ExprStmt).X.(*ast.CallExpr).Args[0]
	}
	right := func(cx *site.Context, body *ast.BlockStmt) {
		expressions.GuardRight(cx, first(cx, body).(*ast.BinaryExpr))
	}
	later := func(cx *site.Context, body *ast.BlockStmt) { expressions.GuardLater(cx, first(cx, body)) }
	used := func(cx *site.Context, body *ast.BlockStmt) {
		e := first(cx, body).(*ast.SelectorExpr)
		expressions.GuardCalled(cx, e, e.X)
	}
	for _, c := range []struct {
		about, operators, body string
		offer                  func(cx *site.Context, body *ast.BlockStmt)
		edits, skips           string
	}{
		{"after and", "guards", "use(b && p.n > 0)", right, "p != nil && p.n > 0", ""},
		{"after or", "guards", "use(b || p.n > 0)", right, "p != nil && p.n > 0 | p == nil || p.n > 0", ""},
		{"asked for before", "guards", "use(p != nil && p.n > 0)", right, "", ""},
		{"asked for the other way", "guards", "use(p == nil || p.n > 0)", right, "", ""},
		{"used before", "guards", "use(p.n > i && p.x > 0)", right, "", ""},
		{"an index", "guards", "use(i < 9 && list[i] == j)", right, "!(i < 0 || i >= len(list)) && list[i] == j", ""},
		{"an or in it", "guards", "use(b && (i/j > 0 || d))", right, "!(j == 0) && (i/j > 0 || d)", ""},
		{"an assertion", "guards", "use(b && p.any.(int) > 0)", right, "p != nil && p.any.(int) > 0 | !(p != nil && !func() bool { _, ok := p.any.(int); return ok }()) && p.any.(int) > 0", ""},
		{"a condition", "guards", "use(i/j > 0 || d)", later, "!(j == 0) && (i/j > 0 || d)", ""},
		{"a boolean of another type", "guards", "use(flag(b) && p.flag)", right, "", ""},
		{"a call", "guards", "use(b && list[call()] > 0)", right, "", "the operand of a guard could have effects, or is not known before the statement"},
		{"without guards", "math", "use(b && p.n > 0)", right, "", ""},
		{"a field of a result", "guards", "use(get().n)", used, "func(fuzzmutR_ *T) *T { if fuzzmutR_ == nil { fuzzmutR_ = new(T) }; return fuzzmutR_ }(get())", ""},
		{"a field of a variable", "guards", "use(p.n)", used, "", ""},
		{"a result without guards", "math", "use(get().n)", used, "", ""},
	} {
		edits, skips, _ := offerIn(t, c.operators, c.body, c.offer)
		if edits != c.edits || skips != c.skips {
			t.Errorf("%s: %s\n\tbecomes %q\n\twant    %q\n\tskips %q\n\twant  %q", c.about, c.body, edits, c.edits, skips, c.skips)
		}
	}
}

// Only the copied bodies ask: for the condition while tracing and with the mutant alone.
func TestGuardsOfOperandsInTheCopy(t *testing.T) {
	_, _, slow := offerIn(t, "guards", "use(b || p.n > 0, get().n)", func(cx *site.Context, body *ast.BlockStmt) {
		args := body.List[0].(*ast.ExprStmt).X.(*ast.CallExpr).Args
		expressions.GuardRight(cx, args[0].(*ast.BinaryExpr))
		expressions.GuardCalled(cx, args[1], args[1].(*ast.SelectorExpr).X)
	})
	want := "use(b || (!(fuzzmutrt.Guards(1) && fuzzmutrt.Guard(1, p == nil)) && ((fuzzmutrt.Guards(2) && fuzzmutrt.Guard(2, p == nil) || (p.n > 0)))), fuzzmutrt.Present(3, get()).n)"
	if slow != want {
		t.Errorf("%s\nwant %s", slow, want)
	}
}
