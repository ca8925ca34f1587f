package logic_test

import (
	"fmt"
	"go/ast"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/effects"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/stored"
)

// An expr is a boolean expression: a variable, a call, or made of others by !, && or ||.
type expr struct {
	op   string // "" for a variable or a call
	x, y *expr
	leaf int
	call bool
}

func (e *expr) String() string {
	switch {
	case e.op == "!":
		return "!(" + e.x.String() + ")"
	case e.op != "":
		return "(" + e.x.String() + " " + e.op + " " + e.y.String() + ")"
	case e.call:
		return fmt.Sprintf("f%d()", e.leaf)
	}
	return fmt.Sprintf("v%d", e.leaf)
}

// A run evaluates an expression with one part forced, and notes what is called.
type run struct {
	values uint
	forced *expr
	to     bool
	calls  strings.Builder
}

func (r *run) eval(e *expr) (v bool) {
	switch e.op {
	case "":
		v = r.values>>e.leaf&1 == 1
		if e.call {
			fmt.Fprintf(&r.calls, "%d ", e.leaf)
		}
	case "!":
		v = !r.eval(e.x)
	case "&&":
		v = r.eval(e.x) && r.eval(e.y)
	case "||":
		v = r.eval(e.x) || r.eval(e.y)
	}
	if e == r.forced { // it is evaluated nevertheless
		return r.to
	}
	return v
}

// behavior is what an expression gives and calls for all values of its leaves.
func behavior(e *expr, leaves int, forced *expr, to bool) string {
	var all strings.Builder
	for values := range uint(1) << leaves {
		r := run{values: values, forced: forced, to: to}
		fmt.Fprintf(&all, "%v %s;", r.eval(e), r.calls.String())
	}
	return all.String()
}

// random makes an expression of some leaves from first on, each once.
func random(r *rand.Rand, first, n int) *expr {
	switch {
	case r.IntN(4) == 0:
		return &expr{op: "!", x: random(r, first, n)}
	case n == 1:
		return &expr{leaf: first, call: r.IntN(4) == 0}
	}
	k := 1 + r.IntN(n-1)
	return &expr{op: []string{"&&", "||"}[r.IntN(2)], x: random(r, first, k), y: random(r, first+k, n-k)}
}

// terms are the operands of && and || that are not such themselves.
func terms(e *expr) (list []*expr) {
	if e == nil {
		return nil
	}
	for _, x := range []*expr{e.x, e.y} {
		if x != nil && (e.op == "&&" || e.op == "||") && x.op != "&&" && x.op != "||" {
			list = append(list, x)
		}
		list = append(list, terms(x)...)
	}
	return list
}

// A term need not be forced only if another mutant, that is made, does just the same: gives
// the same values after the same calls.
func TestWhatNeedNotBeForcedIsForcedElsewhere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	spared := 0
	for range 400 {
		leaves := 2 + r.IntN(4)
		e := random(r, 0, leaves)
		c := checked.Body(t, "var v0, v1, v2, v3, v4 bool\nfunc f0() bool { return v0 }\nfunc f1() bool { return v0 }\nfunc f2() bool { return v0 }\nfunc f3() bool { return v0 }\nfunc f4() bool { return v0 }",
			"if "+e.String()+" {\n}")
		l := logic.New(c.Info, stored.Find(c.Info.Info, c.Src.Syntax), effects.New(c.Info, c.Src), operator.All())
		whole := []bool{} // what another site forces the whole to
		for _, v := range []bool{true, false} {
			if r.IntN(2) == 0 {
				whole = append(whole, v)
			}
		}
		l.Settle(c.Stmt("if").(*ast.IfStmt).Cond, func(v bool) bool { return slices.Contains(whole, v) })
		made := make(map[string]bool)
		for _, v := range whole {
			made[behavior(e, leaves, e, v)] = true
		}
		list := terms(e)
		for _, term := range list {
			for _, v := range []bool{true, false} {
				if l.Settled(c.Expr(term.String()), logic.Forcing(v)) == nil {
					made[behavior(e, leaves, term, v)] = true
				}
			}
		}
		for _, term := range list {
			for _, v := range []bool{true, false} {
				if why := l.Settled(c.Expr(term.String()), logic.Forcing(v)); why != nil {
					spared++
					if !made[behavior(e, leaves, term, v)] {
						t.Errorf("%s: nothing does as %s made %v does, although: %s; the whole is forced to %v", e, term, v, why, whole)
					}
				}
			}
		}
	}
	if spared < 400 {
		t.Errorf("only %d terms were spared", spared)
	}
}

// Without another site that forces the whole, and without calls, each way to change the
// values by a term has one mutant, not more.
func TestNoTwoForcedTermsDoTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		leaves := 2 + r.IntN(3)
		e := random(r, 0, leaves)
		var pure func(e *expr)
		pure = func(e *expr) {
			if e != nil {
				e.call = false
				pure(e.x)
				pure(e.y)
			}
		}
		pure(e)
		c := checked.Body(t, "var v0, v1, v2, v3 bool", "if "+e.String()+" {\n}")
		l := logic.New(c.Info, stored.Find(c.Info.Info, c.Src.Syntax), effects.New(c.Info, c.Src), operator.All())
		l.Settle(c.Stmt("if").(*ast.IfStmt).Cond, nil)
		made := make(map[string]string)
		for _, term := range terms(e) {
			for _, v := range []bool{true, false} {
				if l.Settled(c.Expr(term.String()), logic.Forcing(v)) != nil {
					continue
				}
				text := fmt.Sprintf("%s made %v", term, v)
				b := behavior(e, leaves, term, v)
				if other, ok := made[b]; ok {
					t.Errorf("%s: %s does as %s", e, text, other)
				}
				made[b] = text
			}
		}
	}
}

// A second call does nothing: what the first one has found stays.
func TestAnExpressionIsSettledOnce(t *testing.T) {
	c := checked.Body(t, "var a, b bool", "if a || b {\n}")
	l := logic.New(c.Info, stored.Find(c.Info.Info, c.Src.Syntax), effects.New(c.Info, c.Src), operator.All())
	cond := c.Stmt("if").(*ast.IfStmt).Cond
	l.Settle(cond, nil)
	l.Settle(cond, func(bool) bool { return true })
	if why := l.Settled(c.Expr("a"), operator.True); why != nil {
		t.Errorf("a need not be forced: %s", why)
	}
}

func TestComparisonsThatNeedNotBeForced(t *testing.T) {
	for _, c := range []struct {
		cond, operators string
		true_, false_   bool
	}{
		{"len(s) >= 0", "all", true, true}, // true is what it is, false is what < makes
		{"len(s) >= 0", "comparison-forced", true, false},
		{"len(s) < 0", "all", true, true},
		{"len(s) < 0", "comparison-forced", false, true},
		{"len(s) > 0", "all", true, true}, // what >= and < make
		{"len(s) > 0", "comparison-forced", false, false},
		{"n >= 0", "all", false, false}, // it may be below
		{"u >= 0", "all", true, true},
		{"len(s) >= 1", "all", false, false},
		{"s == \"\"", "all", true, true}, // what >= and < make
		{"s == \"a\"", "all", false, false},
		{"p == nil", "all", false, false},
	} {
		k := checked.Body(t, "var (\n\ts string\n\tn int\n\tu uint\n\tp *int\n)", "if "+c.cond+" {\n}")
		ops, err := operator.ByNames(c.operators)
		if err != nil {
			t.Fatal(err)
		}
		l := logic.New(k.Info, stored.Find(k.Info.Info, k.Src.Syntax), effects.New(k.Info, k.Src), ops)
		cond := k.Stmt("if").(*ast.IfStmt).Cond
		if got := l.Settled(cond, operator.True) != nil; got != c.true_ {
			t.Errorf("%s with %s: need not be made true: %v", c.cond, c.operators, got)
		}
		if got := l.Settled(cond, operator.False) != nil; got != c.false_ {
			t.Errorf("%s with %s: need not be made false: %v", c.cond, c.operators, got)
		}
	}
}
