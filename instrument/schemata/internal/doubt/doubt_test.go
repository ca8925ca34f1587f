package doubt_test

import (
	"go/ast"
	"go/constant"
	"go/token"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/doubt"
)

// TestComparisons: one is in doubt if it holds wherever the original does.
func TestComparisons(t *testing.T) {
	holds := func(op token.Token, sign int) bool {
		return constant.Compare(constant.MakeInt64(int64(sign)), op, constant.MakeInt64(0))
	}
	ops := []token.Token{token.LSS, token.LEQ, token.EQL, token.NEQ, token.GEQ, token.GTR}
	for _, was := range ops {
		for _, op := range ops {
			wider, strict := op != was, true
			for sign := -1; sign <= 1; sign++ {
				wider = wider && (!holds(was, sign) || holds(op, sign))
			}
			strict = was != token.LEQ && was != token.GEQ && was != token.NEQ // what holds nearly always is meant so
			if got := doubt.Comparison(was, op) != ""; got != (wider && strict) {
				t.Errorf("%s in place of %s: %t", op, was, got)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		op     token.Token
		was, v int64
		want   bool
	}{
		{token.GTR, 0, -1, true},
		{token.GTR, 0, 1, false},
		{token.GTR, 3, 2, true},
		{token.LSS, 3, 4, true},
		{token.LSS, 3, 2, false},
		{token.LSS, 3, 5, false},
		{token.GEQ, 0, -1, false},
		{token.LEQ, 3, 4, false},
		{token.EQL, 3, 4, false},
		{token.ILLEGAL, 0, 1, false}, // no comparison
	} {
		if got := doubt.Limit(c.op, constant.MakeInt64(c.was), constant.MakeInt64(c.v)) != ""; got != c.want {
			t.Errorf("%s %d, %d: %t", c.op, c.was, c.v, got)
		}
	}
	if doubt.Limit(token.GTR, constant.MakeFloat64(0.5), constant.MakeFloat64(-0.5)) != "" {
		t.Error("a fraction")
	}
}

// TestRemoved: whether the first assignment to an element is there for the garbage collector.
func TestRemoved(t *testing.T) {
	for body, want := range map[string]bool{
		`s[len(s)-1] = nil; s = s[:len(s)-1]`:                true,
		`(*p)[i] = nil; *p = (*p)[:i]`:                       true,
		`(*p)[i] = nil; i++; (*p) = (*p)[:i]`:                true, // a guess
		`s[0] = nil; s = s[1:]`:                              true,
		`l[i] = item{}; l = l[:i]`:                           true,
		`var zero item; l[i] = zero; l = l[:i]`:              true,
		`if i > 3 { s[i] = nil; use(s[:i]) }; s = s[:i]`:     false,
		`switch { case i > 3: s[i] = nil; s = s[:i] }`:       true,
		`var zero item; zero.n = 3; l[i] = zero; l = l[:i]`:  false,
		`var zero item; set(&zero); l[i] = zero; l = l[:i]`:  false,
		`zero := *one; l[i] = zero; l = l[:i]`:               false,
		`var zero item; zero = *one; l[i] = zero; l = l[:i]`: false,
		`s[i] = one; s = s[:i]`:                              false,
		`s[i] = nil; s = s[:i+1]`:                            false,
		`s[i] = nil; s = s[i:]`:                              false,
		`s[0] = nil; s = s[2:]`:                              false,
		`s[i] = nil; other = other[:i]`:                      false,
		`s[i] = nil`:                                         false,
		`s = s[:i]; s[0] = nil`:                              false,
		`m[i] = nil; s = s[:i]`:                              false,
		`s[i], s[0] = nil, nil; s = s[:i]`:                   false,
	} {
		code := checked.File(t, `package p
type item struct{ n int }
var ( s, other []*item; p *[]*item; l []item; m map[int]*item; one *item )
func use(any)
func set(*item)
func f(i int) { `+body+` }
`)
		block := code.Func("f").Body
		var s ast.Stmt
		ast.Inspect(block, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && s == nil {
				if _, ok := ast.Unparen(a.Lhs[0]).(*ast.IndexExpr); ok {
					s = a
				}
			}
			return true
		})
		if got := doubt.Removed(code.Info, block, s, code.Src.Node) != ""; got != want {
			t.Errorf("%s: %t", body, got)
		}
	}
}
