package statements

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// commaOk offers the ok of an assignment v, ok = m[k], x.(T) or <-c.
func commaOk(cx *Function, s ast.Stmt, p site.Position) {
	if a, ok := s.(*ast.AssignStmt); ok && (a.Tok == token.DEFINE || a.Tok == token.ASSIGN) {
		CommaOk(cx, s, a.Lhs, a.Rhs, p.InList)
	}
}

// CommaOk offers the ok on the left side of an assignment or declaration.
func CommaOk(cx *Function, s ast.Stmt, lhs, rhs []ast.Expr, inList bool) {
	ok, e, isOk := okOperand(cx, lhs, rhs)
	if !isOk {
		return
	}
	k := &okSite{Function: cx, s: s, lhs: lhs, e: e, t: cx.Info.TypeOf(ok), inList: inList}
	if k.t == nil || typing.ClassOf(k.t) != operator.Bool { // an interface
		k.t = types.Typ[types.Bool]
	}
	k.arg, k.why = cx.Calls.TypeArg(k.t, e.Pos(), true)
	k.why = cmp.Or(k.why, onlyCondition(cx, ok))
	cx.Offer(k)
}

type okSite struct {
	*Function
	s      ast.Stmt
	lhs    []ast.Expr
	e      ast.Expr   // what gives the ok
	t      types.Type // of the ok
	inList bool
	arg    string
	why    reasons.Reason
}

func (k *okSite) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.CommaOk}, k.s
}

func (k *okSite) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	p, reason := commaOkEdit(k.Function, k.s, k.lhs, k.e, k.t, k.inList)
	return p, cmp.Or(k.why, reason)
}

func (k *okSite) Schemata(base int, _ []operator.Change) {
	commaOkHelper(k.Function, k.e, k.arg, base)
}

// received offers the ok of a receive that a select clause waits for, which
// has to stay a receive: it is inverted after the colon.
func received(cx *Function, s ast.Stmt, _ site.Position) {
	c, ok := s.(*ast.CommClause)
	if !ok {
		return
	}
	a, ok := c.Comm.(*ast.AssignStmt)
	if !ok {
		return
	}
	if ok, _, isOk := okOperand(cx, a.Lhs, a.Rhs); isOk {
		cx.Offer(&receivedOk{cx, c, a, ok})
	}
}

type receivedOk struct {
	*Function
	c  *ast.CommClause
	s  *ast.AssignStmt
	ok ast.Expr
}

func (k *receivedOk) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.CommaOk}, k.s
}

func (k *receivedOk) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	why := onlyCondition(k.Function, k.ok)
	if !k.Effects.Replayable(k.ok) {
		why = reasons.HasEffects
	}
	if typing.ClassOf(k.Info.TypeOf(k.ok)) != operator.Bool {
		why = reasons.InterfaceOk
	}
	text := k.Src.Node(k.ok)
	return plain.Replace(k.c.Colon, k.c.Colon+1, fmt.Sprintf(": %s = !%[1]s;", text), "inverted "+text), why
}

func (k *receivedOk) Schemata(base int, live []operator.Change) {
	call := k.Calls.BeginBool("Bool", k.Info.TypeOf(k.ok), "", "%d, %s, ", base, helper.Alternatives(live, helper.BoolCode))
	k.Slow.Insert(k.Src.Off(k.c.Colon)+1, fmt.Sprintf(" %s = %s%[1]s);", k.Src.Node(k.ok), call))
}

// okOperand returns the ok on the left and what gives it, without parentheses.
func okOperand(cx *Function, lhs, rhs []ast.Expr) (ok, e ast.Expr, found bool) {
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
func commaOkHelper(cx *Function, e ast.Expr, arg string, base int) {
	f := cx.Src
	switch e := e.(type) {
	case *ast.IndexExpr:
		cx.Calls.Wrap(e.Pos(), e.End(), cx.Calls.Begin("Map", arg, "%d, ", base), "")
		cx.Slow.Replace(f.Off(e.Lbrack), f.Off(e.Lbrack)+1, ").At(")
		cx.Slow.Replace(f.Off(e.Rbrack), f.Off(e.Rbrack)+1, ")")
	case *ast.TypeAssertExpr:
		arg = strings.TrimSuffix(arg, "]") + ", " + f.Node(e.Type) + "]"
		cx.Calls.Wrap(e.Pos(), e.End(), cx.Calls.Begin("Assert", arg, "%d, ", base), "")
		cx.Slow.Replace(f.Off(e.X.End()), f.Off(e.End()), ")")
	case *ast.UnaryExpr:
		cx.Calls.Wrap(e.Pos(), e.End(), "", ")")
		cx.Calls.ReplaceOp(e.OpPos, e.Op, cx.Calls.Begin("Receive", arg, "%d, ", base))
	}
}

// commaOkEdit is the plain edit that inverts an ok: a statement after it, or else a
// function literal.
func commaOkEdit(cx *Function, s ast.Stmt, lhs []ast.Expr, e ast.Expr, t types.Type, inList bool) (plain.Edit, reasons.Reason) {
	ok, text := cx.Src.Node(lhs[1]), cx.Src.Node(e)
	p := plain.Replace(s.Pos(), s.End(), "", "inverted "+ok)
	if inList && cx.Effects.Replayable(lhs[1]) && types.Identical(t, cx.Info.TypeOf(lhs[1])) {
		p.Text = fmt.Sprintf("%s; %s = !%[2]s", cx.Src.Node(s), ok)
		return p, nil
	}
	tuple, _ := cx.Info.TypeOf(e).(*types.Tuple)
	if tuple == nil {
		return p, reasons.CantName
	}
	val, named := cx.Types.Name(tuple.At(0).Type(), e.Pos(), true)
	typ, okNamed := cx.Types.Name(t, e.Pos(), true)
	if !named || !okNamed {
		return p, reasons.CantName
	}
	p.Lo, p.Hi = e.Pos(), e.End()
	tmp := cx.Names.Result
	p.Text = fmt.Sprintf("func() (%s0 %s, %[1]s1 %[3]s) { %[1]s0, %[1]s1 = %[4]s; return %[1]s0, !%[1]s1 }()", tmp, val, typ, text)
	return p, plain.CantMove(text)
}

// onlyCondition says whether an ok is declared only to be a condition, which is
// negated by another operator.
func onlyCondition(cx *Function, ok ast.Expr) reasons.Reason {
	id, isIdent := ok.(*ast.Ident)
	v, isVar := cx.Info.Defs[id].(*types.Var)
	if !isIdent || !isVar || !cx.Applies("condition-negation") {
		return nil
	}
	if cx.conditions == nil {
		countConditions(cx)
	}
	if c := cx.conditions[v]; c.uses == 1 && c.whole == 1 {
		return reasons.OnlyCondition
	}
	return nil
}

// conditionUses counts how often a variable is named, and how often it or its
// negation is a whole condition.
type conditionUses struct{ uses, whole int }

func countConditions(cx *Function) {
	cx.conditions = map[*types.Var]conditionUses{}
	count := func(e ast.Expr, uses, whole int) {
		if id, ok := e.(*ast.Ident); ok {
			if v, ok := cx.Info.Uses[id].(*types.Var); ok {
				c := cx.conditions[v]
				cx.conditions[v] = conditionUses{c.uses + uses, c.whole + whole}
			}
		}
	}
	ast.Inspect(cx.Src.Syntax, func(n ast.Node) bool {
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
