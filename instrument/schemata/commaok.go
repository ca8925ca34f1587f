package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// commaOk offers the ok of v, ok = m[k], x.(T) or <-c.
func (w *walker) commaOk(s ast.Stmt, lhs []ast.Expr, rhs []ast.Expr, inList bool) {
	ok, e, isOk := w.okOperand(lhs, rhs)
	if !isOk {
		return
	}
	t := w.Info.TypeOf(ok)
	if t == nil || typing.ClassOf(t) != operator.Bool { // an interface
		t = types.Typ[types.Bool]
	}
	arg, why := w.Calls.TypeArg(t, e.Pos(), true)
	base, live := w.offer(&operator.Site{Kind: operator.CommaOk}, s, func(operator.Change) (plain.Edit, string) {
		p, reason := w.commaOkEdit(s, lhs, e, t, inList)
		return p, cmp.Or(why, w.onlyCondition(ok), reason)
	})
	if len(live) > 0 {
		w.commaOkHelper(e, arg, base)
	}
}

// okOperand returns the ok on the left and what gives it, without parentheses.
func (w *walker) okOperand(lhs, rhs []ast.Expr) (ok, e ast.Expr, found bool) {
	if len(lhs) != 2 || len(rhs) != 1 {
		return nil, nil, false
	}
	if id, blank := lhs[1].(*ast.Ident); blank && id.Name == "_" {
		return nil, nil, false
	}
	switch e := ast.Unparen(rhs[0]).(type) {
	case *ast.IndexExpr, *ast.TypeAssertExpr, *ast.UnaryExpr:
		return lhs[1], e, true
	}
	return nil, nil, false
}

// commaOkHelper makes a helper call of what gives a value and an ok. A type
// assertion's type is copied to the front.
func (w *walker) commaOkHelper(e ast.Expr, arg string, base int) {
	f := w.f
	switch e := e.(type) {
	case *ast.IndexExpr:
		w.Calls.Wrap(e.Pos(), e.End(), w.Calls.Begin("Map", arg, "%d, ", base), "")
		f.slow.Replace(f.Off(e.Lbrack), f.Off(e.Lbrack)+1, ").At(")
		f.slow.Replace(f.Off(e.Rbrack), f.Off(e.Rbrack)+1, ")")
	case *ast.TypeAssertExpr:
		arg = strings.TrimSuffix(arg, "]") + ", " + f.Node(e.Type) + "]"
		w.Calls.Wrap(e.Pos(), e.End(), w.Calls.Begin("Assert", arg, "%d, ", base), "")
		f.slow.Replace(f.Off(e.X.End()), f.Off(e.End()), ")")
	case *ast.UnaryExpr:
		w.Calls.Wrap(e.Pos(), e.End(), "", ")")
		w.Calls.ReplaceOp(e.OpPos, e.Op, w.Calls.Begin("Receive", arg, "%d, ", base))
	}
}

// commaOkEdit is the plain edit that inverts an ok: a statement behind, or else a
// function literal.
func (w *walker) commaOkEdit(s ast.Stmt, lhs []ast.Expr, e ast.Expr, t types.Type, inList bool) (plain.Edit, string) {
	ok, text := w.Src.Node(lhs[1]), w.Src.Node(e)
	p := plain.Replace(s.Pos(), s.End(), "", "inverted "+ok)
	if inList && w.Effects.Replayable(lhs[1]) && types.Identical(t, w.Info.TypeOf(lhs[1])) {
		p.Text = fmt.Sprintf("%s; %s = !%[2]s", w.Src.Node(s), ok)
		return p, ""
	}
	tuple, _ := w.Info.TypeOf(e).(*types.Tuple)
	if tuple == nil {
		return p, typename.CantName
	}
	val, named := w.Types.Name(tuple.At(0).Type(), e.Pos(), true)
	typ, okNamed := w.Types.Name(t, e.Pos(), true)
	if !named || !okNamed {
		return p, typename.CantName
	}
	p.Lo, p.Hi = e.Pos(), e.End()
	tmp := w.Names.Result
	p.Text = fmt.Sprintf("func() (%s0 %s, %[1]s1 %[3]s) { %[1]s0, %[1]s1 = %[4]s; return %[1]s0, !%[1]s1 }()", tmp, val, typ, text)
	return p, plain.CantMove(text)
}

// commaOkClause offers the ok of a receive that a select clause waits for, which
// has to stay a receive: it is inverted behind the colon.
func (w *walker) commaOkClause(c *ast.CommClause) {
	s, isAssign := c.Comm.(*ast.AssignStmt)
	if !isAssign {
		return
	}
	ok, _, isOk := w.okOperand(s.Lhs, s.Rhs)
	if !isOk {
		return
	}
	text := w.Src.Node(ok)
	base, live := w.offer(&operator.Site{Kind: operator.CommaOk}, s, func(operator.Change) (plain.Edit, string) {
		why := w.onlyCondition(ok)
		if !w.Effects.Replayable(ok) {
			why = "operand that may have effects"
		}
		if typing.ClassOf(w.Info.TypeOf(ok)) != operator.Bool {
			why = "ok in a variable of an interface type"
		}
		return plain.Replace(c.Colon, c.Colon+1, fmt.Sprintf(": %s = !%[1]s;", text), "inverted "+text), why
	})
	if len(live) > 0 {
		w.Slow.Insert(w.Src.Off(c.Colon)+1, fmt.Sprintf(" %s = %s%[1]s);", text, w.Calls.BeginBool("Bool", w.Info.TypeOf(ok), "", "%d, %s, ", base, helper.Alternatives(live, helper.BoolCode))))
	}
}

// onlyCondition says whether an ok is declared only to be a condition, which is
// negated by another operator.
func (w *walker) onlyCondition(ok ast.Expr) string {
	id, isIdent := ok.(*ast.Ident)
	v, isVar := w.Info.Defs[id].(*types.Var)
	if !isIdent || !isVar || !w.Applies("condition-negation") {
		return ""
	}
	if w.conditions == nil {
		w.countConditions()
	}
	if c := w.conditions[v]; c.uses == 1 && c.whole == 1 {
		return mutants.NoChange + " program: only a condition, which is negated"
	}
	return ""
}

// has says whether an operator is among those to apply.
func (w *walker) has(name string) bool {
	for _, op := range w.Operators {
		if op.Name == name {
			return true
		}
	}
	return false
}

// conditionUses counts how often a variable is named, and how often it or its
// negation is a whole condition.
type conditionUses struct{ uses, whole int }

func (w *walker) countConditions() {
	w.conditions = map[*types.Var]conditionUses{}
	count := func(e ast.Expr, uses, whole int) {
		if id, ok := e.(*ast.Ident); ok {
			if v, ok := w.Info.Uses[id].(*types.Var); ok {
				c := w.conditions[v]
				w.conditions[v] = conditionUses{c.uses + uses, c.whole + whole}
			}
		}
	}
	ast.Inspect(w.Src.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			count(n, 1, 0)
		case *ast.IfStmt:
			count(withoutNot(n.Cond), 0, 1)
		case *ast.ForStmt:
			count(withoutNot(n.Cond), 0, 1)
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						count(withoutNot(e), 0, 1)
					}
				}
			}
		}
		return true
	})
}

// withoutNot returns what a condition or its negation asks.
func withoutNot(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	e = ast.Unparen(e)
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		return ast.Unparen(not.X)
	}
	return e
}
