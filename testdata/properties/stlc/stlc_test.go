package stlc

import (
	"math/rand/v2"
	"testing"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

func drawType(r *rand.Rand, depth int) *Type {
	if depth == 0 || r.IntN(2) == 0 {
		return nil
	}
	return function(drawType(r, depth-1), drawType(r, depth-1))
}

// draw draws an expression of type t.
func draw(r *rand.Rand, env []*Type, t *Type, depth int) *Expr {
	var vars []*Expr
	for i, v := range env {
		if same(v, t) {
			vars = append(vars, &Expr{Op: Var, N: uint8(len(env) - 1 - i)})
		}
	}
	switch {
	case len(vars) > 0 && (depth == 0 || r.IntN(2) == 0):
		return vars[r.IntN(len(vars))]
	case depth > 0 && r.IntN(2) == 0:
		arg := drawType(r, 1)
		return &Expr{Op: App, L: draw(r, env, function(arg, t), depth-1), R: draw(r, env, arg, depth-1)}
	case t.isBool():
		return &Expr{N: uint8(r.IntN(2))}
	}
	return &Expr{Op: Abs, Arg: t.Arg, L: draw(r, append(env[:len(env):len(env)], t.Arg), t.Res, max(depth-1, 0))}
}

func TestNoFaultNoFailure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for range 20000 {
		if o := (Calculus{}).Check(draw(r, nil, drawType(r, 2), 6)); o != hunt.Passed {
			t.Fatalf("outcome %v", o)
		}
	}
}

func TestEveryFaultShows(t *testing.T) {
	for fault := 1; fault <= Faults; fault++ {
		r := rand.New(rand.NewPCG(1, uint64(fault)))
		n := 0
		for n < 50000 && (Calculus{fault}).Check(draw(r, nil, drawType(r, 2), 6)) != hunt.Failed {
			n++
		}
		if n == 50000 {
			t.Errorf("fault %d does not show", fault)
		}
		t.Logf("fault %d: %d expressions", fault, n+1)
	}
}

func TestTypeOf(t *testing.T) {
	b := &Type{}
	for _, c := range []struct {
		name string
		e    *Expr
		want *Type
		ok   bool
	}{
		{"nothing is false", nil, nil, true},
		{"a free variable", &Expr{Op: Var}, nil, false},
		{"the identity", &Expr{Op: Abs, L: &Expr{Op: Var}}, function(b, b), true},
		{"an argument of another type", &Expr{Op: App, L: &Expr{Op: Abs, L: &Expr{Op: Var}}, R: &Expr{Op: Abs}}, nil, false},
		{"a bool is no function", &Expr{Op: App}, nil, false},
		{"the kind goes by the remainder", &Expr{Op: Abs + 4, L: &Expr{Op: Var + 8}}, function(b, b), true},
	} {
		if got, ok := TypeOf(nil, c.e); ok != c.ok || ok && !same(got, c.want) {
			t.Errorf("%s: %v, %v", c.name, got, ok)
		}
	}
}
