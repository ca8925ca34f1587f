// Package logic knows which terms of boolean expressions need not be forced.
package logic

import (
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/effects"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/equivalence"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/stored"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// A term of && and || that is forced may decide the whole: in a || b a true b makes
// all of it true, and so does a true a unless evaluating b has effects. Such a
// mutant is the same program as the one that forces what it decides.

// Logic knows the boolean expressions of a function.
type Logic struct {
	info      *typing.Info
	facts     *stored.Facts
	fx        *effects.Effects
	operators []*operator.Operator
	seen      map[ast.Expr]bool        // by Settle
	spare     map[force]reasons.Reason // what need not be forced, and why
}

// New returns what is known of no expression yet. The operators are those to apply.
func New(info *typing.Info, facts *stored.Facts, fx *effects.Effects, operators []*operator.Operator) *Logic {
	return &Logic{info: info, facts: facts, fx: fx, operators: operators, seen: map[ast.Expr]bool{}, spare: map[force]reasons.Reason{}}
}

// force is a boolean expression made always true, or always false.
type force struct {
	e    ast.Expr
	true bool
}

// Settle finds the terms of a boolean expression that need not be forced. The
// function says whether another site forces the whole; nil, that none does. An
// expression is settled once.
func (l *Logic) Settle(root ast.Expr, elsewhere func(bool) bool) {
	root = ast.Unparen(root)
	if l.seen[root] {
		return
	}
	s := settler{l: l, seen: map[force]bool{}}
	if elsewhere != nil {
		s.elsewhere = elsewhere
	}
	s.visit(root, nil)
}

// settler walks one boolean expression.
type settler struct {
	l         *Logic
	elsewhere func(bool) bool
	seen      map[force]bool
}

// logic is a node of a boolean expression made of ! && ||.
type logic struct {
	e     ast.Expr // without parentheses
	up    *logic
	other ast.Expr // what need not be evaluated once this is known: the right operand, of the left
}

func (s settler) visit(e ast.Expr, up *logic) { s.node(&logic{e: ast.Unparen(e), up: up}) }

func (s settler) node(n *logic) {
	s.l.seen[n.e] = true
	switch e := n.e.(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			s.visit(e.X, n)
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			s.operand(&logic{e: ast.Unparen(e.X), up: n, other: e.Y})
			s.operand(&logic{e: ast.Unparen(e.Y), up: n})
		}
	}
}

// operand notes which ways of forcing an operand of && or || are the same as other mutants.
func (s settler) operand(n *logic) {
	if b, ok := n.e.(*ast.BinaryExpr); !ok || b.Op != token.LAND && b.Op != token.LOR {
		for _, v := range []bool{true, false} {
			if why := s.decided(n, v); why != nil {
				s.l.spare[force{n.e, v}] = why
			}
		}
	}
	s.node(n)
}

// decided says why forcing n to be v is the same as another mutant; nil if it is not.
func (s settler) decided(n *logic, v bool) reasons.Reason {
	start := n
	for ; n.up != nil; n = n.up {
		switch e := n.up.e.(type) {
		case *ast.UnaryExpr:
			v = !v
			continue
		case *ast.BinaryExpr:
			if v == (e.Op == token.LOR) && (n.other == nil || s.l.fx.Pure(n.other)) {
				continue
			}
		}
		break
	}
	if n.up == nil && n != start && s.elsewhere != nil && s.elsewhere(v) {
		return reasons.DecidesWhole
	}
	if s.seen[force{n.e, v}] {
		return reasons.DecidesPart
	}
	s.seen[force{n.e, v}] = true
	return nil
}

// Settled returns why a condition or term need not be forced.
func (l *Logic) Settled(e ast.Expr, do operator.Action) reasons.Reason {
	if do != operator.True && do != operator.False {
		return nil
	}
	e = ast.Unparen(e)
	if why := l.spare[force{e, do == operator.True}]; why != nil {
		return why
	}
	b, ok := e.(*ast.BinaryExpr)
	if !ok || !typing.IsComparison(b) || !l.info.ComparesOrdered(b) {
		return nil
	}
	site := ComparisonSite(l.info, l.facts, b)
	if why := equivalence.Reason(site, operator.Change{Do: do}); why != nil {
		return why
	}
	for _, op := range []token.Token{token.GEQ, token.LSS} {
		swap := operator.Change{Do: operator.Swap, Op: op}
		if equivalence.Truth(site, swap) == do && l.Proposes(site, swap) {
			return reasons.LikeSwap
		}
	}
	return nil
}

// Forcing returns the change that makes a boolean always v.
func Forcing(v bool) operator.Action {
	if v {
		return operator.True
	}
	return operator.False
}

// Proposes says whether one of the operators makes a change at a site.
func (l *Logic) Proposes(s *operator.Site, c operator.Change) bool {
	for _, op := range l.operators {
		for _, other := range op.Inspect(s) {
			if other.Do == c.Do && other.Op == c.Op {
				return true
			}
		}
	}
	return false
}

// ComparisonSite describes a comparison.
func ComparisonSite(info *typing.Info, facts *stored.Facts, e *ast.BinaryExpr) *operator.Site {
	bounds := info.Bounds(e.X)
	return &operator.Site{
		Kind: operator.Comparison, Op: e.Op, Class: typing.ClassOf(info.TypeOf(e.X)), Ordered: info.ComparesOrdered(e),
		Value: info.Value(e.Y), NonNegative: info.NonNegative(e.X), Least: bounds.Least, Most: bounds.Most, Orders: facts.Orders(e),
	}
}
