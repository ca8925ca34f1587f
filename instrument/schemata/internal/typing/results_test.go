package typing_test

import (
	"fmt"
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
)

const functions = `package p

import ("math/big"; "strings"; "time")

type T struct{ n int }
type Count int

func (c *Count) Add() { *c++ }
func (T) Compare(o T) int { if d := sign(1); d != 0 { return d }; return strings.Compare("", "") }
func sign(n int) int { switch { case n < 0: return -1; case n > 0: return 1 }; return 0 }
func inner(n int) int { f := func() int { return n }; _ = f; return 2 }
func named(n int) (r int) { r = n; return }
func loop(n int) int { if n > 0 { return loop(n - 1) }; return 0 }
func open(n int) int { if n > 0 { return n }; return 0 }
func least(n int) int { if n > 0 { return len("") }; return strings.Index("", "") }
func late(n int) (r int) { defer func() { r = n }(); return 1 }
func saved() int { defer func() { recover() }(); return 1 }
func part() int { return whole() % 3 }
func whole() int { return len("") }
func two() (int, int) { return 1, 2 }
func gen[X any](x X) int { return 3 }
func set(*int)

var top = 1
var _, _ = big.NewInt, time.Now

func f(n int, t T, z *big.Int, at time.Time) { `

func TestBoundsOfResults(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`x := sign(n); _ = x`, "-1 1"},
		{`x := t.Compare(t); _ = x`, "-1 1"},
		{`x := inner(n); _ = x`, "2 2"},
		{`x := named(n); _ = x`, "- -"},
		{`x := loop(n); _ = x`, "- -"}, // what it returns itself is not known
		{`x := open(n); _ = x`, "- -"},
		{`x := least(n); _ = x`, "-1 -"},
		{`x := gen(n); _ = x`, "3 3"},
		{`x := late(n); _ = x`, "- -"},
		{`x := saved(); _ = x`, "- -"}, // 0 after a panic
		{`x := part(); _ = x`, "0 2"},  // whatever is found first
		{`x := z.Cmp(z); _ = x`, "-1 1"},
		{`x := z.Sign(); _ = x`, "-1 1"},
		{`x := at.Compare(at); _ = x`, "-1 1"},
		{`x := sign(n); y := x; x, y = x, y; _ = x`, "- -"},
		{`x := sign(n); x = n; _ = x`, "- -"},
		{`x := sign(n); x++; _ = x`, "- -"},
		{`x := sign(n); set(&x); _ = x`, "- -"},
		{`x := sign(n); func() { x = n }(); _ = x`, "- -"},
		{`x := sign(n); for x = range n {}; _ = x`, "- -"},
		{`for x := range n { _ = x }`, "- -"},
		{`x, y := two(); _ = y; _ = x`, "- -"},
		{`x, y := sign(n), n; _ = y; _ = x`, "-1 1"},
		{`var x = sign(n); _ = x`, "-1 1"},
		{`var x int; _ = x`, "- -"},
		{`x := Count(1); x.Add(); _ = x`, "- -"},
		{`x := 1; _ = x`, "- -"},
		{`_ = top`, "- -"},
		{`x := func() int { return 1 }(); _ = x`, "- -"},
	} {
		code := checked.File(t, functions+c.body+" }\n")
		code.Info.FindResults([]*ast.File{code.Src.Syntax})
		var last ast.Expr // what is assigned to the last blank
		ast.Inspect(code.Func("f").Body, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 1 {
				if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name == "_" {
					last = a.Rhs[0]
				}
			}
			return true
		})
		b := code.Info.Bounds(last)
		if got := fmt.Sprint(number(b.Least), " ", number(b.Most)); got != c.want {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
}
