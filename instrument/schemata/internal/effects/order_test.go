package effects_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/effects"
)

// TestOrder: an operand that a later call in the same statement could change can't be
// handed to a helper, which would read it before.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		about, stmt, operand string
		early                bool // it would be read too early
	}{
		{"nothing follows", `sink(top)`, `top`, false},
		{"a package variable before a call", `sink(top, call())`, `top`, true},
		{"after the call", `sink(call(), top)`, `top`, false},
		{"a local variable", `sink(n, call())`, `n`, false},
		{"a local variable whose address is taken", `sink(x, call(), &x)`, `x`, true},
		{"a captured one", `sink(y, call()); func() { y++ }()`, `y`, true},
		{"captured for reading: coarse", `sink(y, call()); func() { sink(y) }()`, `y`, true},
		{"declared in the literal that uses it", `func() { z := 1; sink(z, call()) }()`, `z`, false},
		{"a constant", `sink(3, call())`, `3`, false},
		{"an operation of local variables", `sink(n+d, call())`, `n+d`, false},
		{"with a package variable in it", `sink(n+top, call())`, `n+top`, true},
		{"a field of a local struct", `sink(v.n, call())`, `v.n`, false},
		{"behind a pointer", `sink(p.n, call())`, `p.n`, true},
		{"an element", `sink(sl[0], call())`, `sl[0]`, true},
		{"a receive follows", `sink(top, <-ch)`, `top`, true},
		{"a conversion follows", `sink(top, uint8(n))`, `top`, false},
		{"len follows", `sink(top, len(str))`, `top`, false},
		{"copy follows", `sink(top, copy(sl, sl))`, `top`, true},
		{"a call is not read again", `sink(call(), call())`, `call()`, false},
		{"len of a local string", `sink(len(ls), call())`, `len(ls)`, false},
		{"len of a local map", `sink(len(lm), call())`, `len(lm)`, true},
		{"len of a package slice", `sink(len(sl), call())`, `len(sl)`, true},
		{"a function literal follows, which calls later", `sink(top, func() { call() })`, `top`, false},
		{"a pointer method: the variable may change", `sink(v2, v2.pointer())`, `v2`, true},
		{"a value method: it may not, but that is coarse", `sink(v3, v3.value())`, `v3`, true},
		{"a slice of a local array", `sink(la, call(), la[:])`, `la`, true},
		{"a slice of a local slice", `sink(ls2, call(), ls2[:])`, `ls2`, false},
		{"the address of an element of a local array", `sink(lb, call(), &lb[1])`, `lb`, true},
		{"the address of an element of a local slice", `sink(lc, call(), &lc[1])`, `lc`, false},
		{"the address of a field", `sink(ld, call(), &ld.n)`, `ld`, true},
		{"the address of a field behind a pointer", `sink(le, call(), &le.n)`, `le`, false},
		{"of another package", `sink(os.Args, call())`, `os.Args`, true},
		{"a function of another package", `sink(os.Getpid, call())`, `os.Getpid`, false},
		{"the left of && is done before the right", `if top > 0 && call() > 0 { }`, `top`, false},
		{"the right of && before another call", `sink(c && top > 0, call())`, `top`, true},
		{"the condition is done before the body", `if top > 0 { call() }`, `top`, false},
		{"the range operand before the body", `for range top { call() }`, `top`, false},
		{"the tag before the cases: one evaluation", `switch top { case call(): }`, `top`, false},
		{"the condition of a for", `for ; top > 0; call() { }`, `top`, false},
		{"a case before another case", `switch { case top > 0: case call() > 0: }`, `top`, false},
		{"in a case, a call in the same", `switch n { case top, call(): }`, `top`, true},
	} {
		s := checked.Text(t, `import "os"; func f(n, d int, p, le *T, v, v2, v3, ld T, x, y int, c bool, ls string, lm map[int]int, la, lb [3]int, ls2, lc []int) { `+c.stmt+`; _ = os.Args }`+declared)
		e := s.FirstExpr(c.operand)
		within := enclosing(s, e)
		if got := effects.New(s.Info, s.Src).Order(within, e); (got != nil) != c.early {
			t.Errorf("%s: %q in %s: %q", c.about, c.operand, c.stmt, got)
		}
	}
}

// enclosing returns the innermost statement around an expression that is no block.
func enclosing(s *checked.Code, e ast.Expr) (found ast.Stmt) {
	ast.Inspect(s.Src.Syntax, func(n ast.Node) bool {
		if n == nil || e.Pos() < n.Pos() || n.End() < e.End() {
			return n == ast.Node(s.Src.Syntax)
		}
		switch st := n.(type) {
		case *ast.BlockStmt, *ast.CaseClause:
		case ast.Stmt:
			found = st
		}
		return true
	})
	return found
}

func TestOrderOutsideOfStatements(t *testing.T) {
	s := checked.Text(t, `var x = add(top, call()); func add(a, b int) int`+declared)
	if got := effects.New(s.Info, s.Src).Order(nil, s.FirstExpr("top")); got != nil {
		t.Errorf("in an initialiser: %q", got)
	}
}

func TestOrderOfSeveral(t *testing.T) {
	s := checked.Text(t, `func f(n int) { sink(n, top, call()) }`+declared)
	fx := effects.New(s.Info, s.Src)
	within := checked.First[ast.Stmt](s, "sink")
	args := checked.First[*ast.CallExpr](s, "sink(").Args
	if fx.Order(within, args[0], args[1]) == nil || fx.Order(within, args[0]) != nil || fx.Order(within) != nil {
		t.Error("one that would be read early is enough, and none is fine")
	}
}
