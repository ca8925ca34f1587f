package schemata

import (
	"go/ast"
	"go/constant"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// A term of && and || that is forced may decide the whole: in a || b a true b makes
// all of it true, and so does a true a unless evaluating b has effects. Such a
// mutant is the same program as the one that forces what it decides.

// force is a boolean expression made always true, or always false.
type force struct {
	e    ast.Expr
	true bool
}

// Reasons for leaving out a forced condition or term.
const (
	decidesWhole  = "the same program as another mutant: decides the whole expression"
	decidesPart   = "the same program as another mutant: decides the same part of the expression"
	neverNegative = "the same program: the operand is never negative"
	sameSwap      = "the same program as another mutant: an operand that is never negative, compared with 0"
)

// settle finds the terms of a boolean expression that need not be forced. The
// function says whether another site forces the whole; nil, that none does. An
// expression is settled once.
func (w *walker) settle(root ast.Expr, elsewhere func(bool) bool) {
	root = ast.Unparen(root)
	if w.inLogic[root] {
		return
	}
	if w.inLogic == nil {
		w.inLogic, w.needless = map[ast.Expr]bool{}, map[force]string{}
	}
	s := settler{w: w, seen: map[force]bool{}}
	if elsewhere != nil {
		s.elsewhere = elsewhere
	}
	s.visit(root, nil)
}

// settler walks one boolean expression.
type settler struct {
	w         *walker
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
	s.w.inLogic[n.e] = true
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

// operand judges both ways of forcing an operand of && or ||.
func (s settler) operand(n *logic) {
	if b, ok := n.e.(*ast.BinaryExpr); !ok || b.Op != token.LAND && b.Op != token.LOR {
		for _, v := range []bool{true, false} {
			if why := s.decided(n, v); why != "" {
				s.w.needless[force{n.e, v}] = why
			}
		}
	}
	s.node(n)
}

// decided says why forcing n to be v is another mutant's business.
func (s settler) decided(n *logic, v bool) string {
	start := n
	for ; n.up != nil; n = n.up {
		switch e := n.up.e.(type) {
		case *ast.UnaryExpr:
			v = !v
			continue
		case *ast.BinaryExpr:
			if v == (e.Op == token.LOR) && (n.other == nil || s.w.fx.Pure(n.other)) {
				continue
			}
		}
		break
	}
	if n.up == nil && n != start && s.elsewhere != nil && s.elsewhere(v) {
		return decidesWhole
	}
	if s.seen[force{n.e, v}] {
		return decidesPart
	}
	s.seen[force{n.e, v}] = true
	return ""
}

// settled returns why a condition or term need not be forced.
func (w *walker) settled(e ast.Expr, do operator.Action) string {
	if do != operator.True && do != operator.False {
		return ""
	}
	e = ast.Unparen(e)
	if why := w.needless[force{e, do == operator.True}]; why != "" {
		return why
	}
	b, ok := e.(*ast.BinaryExpr)
	if !ok || !typing.IsComparison(b) || !w.info.ComparesOrdered(b) {
		return ""
	}
	site := w.comparisonSite(b)
	if truthOf(site, operator.Change{Do: operator.Swap, Op: b.Op}) == do {
		return neverNegative
	}
	for _, op := range []token.Token{token.GEQ, token.LSS} {
		swap := operator.Change{Do: operator.Swap, Op: op}
		if truthOf(site, swap) == do && w.proposes(site, swap) {
			return sameSwap
		}
	}
	return ""
}

// truthOf returns True or False for a change that makes a boolean always so, and 0
// for others: a number that is not negative is never below 0.
func truthOf(s *operator.Site, c operator.Change) operator.Action {
	switch {
	case c.Do == operator.True || c.Do == operator.False:
		return c.Do
	case c.Do != operator.Swap || s.Kind != operator.Comparison || !s.NonNegative || s.Value == nil || constant.Sign(s.Value) != 0:
		return 0
	case c.Op == token.GEQ:
		return operator.True
	case c.Op == token.LSS:
		return operator.False
	}
	return 0
}

func forcing(v bool) operator.Action {
	if v {
		return operator.True
	}
	return operator.False
}

// proposes says whether one of the operators makes a change at a site.
func (w *walker) proposes(s *operator.Site, c operator.Change) bool {
	for _, op := range w.r.Operators {
		for _, other := range op.Inspect(s) {
			if other.Do == c.Do && other.Op == c.Op {
				return true
			}
		}
	}
	return false
}
