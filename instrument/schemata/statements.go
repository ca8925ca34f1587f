package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// deletable offers a statement for deletion.
func (w *walker) deletable(s ast.Stmt, kind operator.StmtKind, p site.Position) {
	if !p.InList {
		return
	}
	base, live := w.offer(&operator.Site{Kind: operator.Statement, Stmt: kind, Effect: w.effect(s)}, s, func(operator.Change) (plain.Edit, string) {
		text, why := w.Plain.Keep(s)
		if w.isHalf(s) {
			why = mutants.HalfOfPair
		}
		return plain.Replace(s.Pos(), s.End(), text, "removed "+w.Src.Short(s)), why
	})
	if len(live) > 0 {
		w.Calls.Wrap(s.Pos(), s.End(), "if "+w.Calls.Begin("Do", "", "%d", base)+") { ", " }")
	}
}

func (w *walker) assign(s *ast.AssignStmt, p site.Position) {
	switch s.Tok {
	case token.DEFINE:
		w.commaOk(s, s.Lhs, s.Rhs, p.InList)
	case token.ASSIGN:
		if !w.Effects.Blank(s) {
			w.deletable(s, operator.OtherStmt, p)
		}
		w.commaOk(s, s.Lhs, s.Rhs, p.InList)
		for _, e := range s.Lhs {
			w.target(e)
		}
	default:
		w.deletable(s, operator.OtherStmt, p)
		w.opAssign(s, p)
		w.target(s.Lhs[0])
		w.expr(s.Rhs[0], site.Place{Limit: w.rightLimit(s.Tok, s.Lhs[0])})
		return
	}
	w.exprs(s.Rhs...)
}

// binaryOp returns the operator of an assignment like +=.
func binaryOp(tok token.Token) token.Token {
	if tok == token.AND_NOT_ASSIGN {
		return token.AND_NOT
	}
	return tok - token.ADD_ASSIGN + token.ADD
}

// assignOp is the inverse of binaryOp.
func assignOp(op token.Token) token.Token {
	if op == token.AND_NOT {
		return token.AND_NOT_ASSIGN
	}
	return op - token.ADD + token.ADD_ASSIGN
}

// opAssign makes x = helper(x, y) of x op= y. An x that could have effects is
// evaluated in one arm of an if for each operator instead.
func (w *walker) opAssign(s *ast.AssignStmt, p site.Position) {
	x, y := s.Lhs[0], s.Rhs[0]
	class := typing.ClassOf(w.Info.TypeOf(x))
	kind := operator.Arithmetic
	switch {
	case class == operator.String:
		kind = operator.Concatenation
	case !typing.Numeric(class):
		return
	}
	op := binaryOp(s.Tok)
	simple := w.Info.IsSimple(x)
	helper, need, why := w.arithHelper(op, class, x, y)
	var arg string
	if simple {
		var cant string
		arg, cant = w.Calls.TypeArg(w.Info.TypeOf(x), s.Pos(), need)
		why = cmp.Or(why, cant)
	} else {
		why = w.armReason(s, p)
	}
	site := &operator.Site{Kind: kind, Op: op, Class: class, Value: w.Info.Value(y), Assigns: true}
	base, live := w.offer(site, s, func(ch operator.Change) (plain.Edit, string) {
		p, reason := w.opAssignEdit(s, ch)
		return p, cmp.Or(why, reason)
	})
	switch {
	case len(live) == 0:
	case simple:
		w.Calls.ReplaceOp(s.TokPos, s.Tok, "= "+w.operation(helper, w.Info.TypeOf(x), arg, base, live, op)+w.Src.Node(x)+", ")
		w.Calls.Wrap(y.Pos(), y.End(), "", ")")
	default:
		arms := ""
		for i, ch := range live {
			text := w.Src.Line(s.Pos(), s.TokPos) + assignToken(ch).String() + " " + w.Src.Line(s.TokPos+token.Pos(len(s.Tok.String())), s.End())
			arms += fmt.Sprintf("if %s) { %s } else ", w.Calls.Begin("On", "", "%d", base+i), text)
		}
		w.Calls.Wrap(s.Pos(), s.End(), arms+"{ ", " }")
	}
}

// armReason says why a statement can't be copied into an arm of an if.
func (w *walker) armReason(s ast.Stmt, p site.Position) string {
	if !p.InList {
		return "operand that may have effects, outside of a statement list"
	}
	_, why := w.Src.Flat(s.Pos(), s.End(), s)
	return why
}

func (w *walker) incDec(s *ast.IncDecStmt, p site.Position) {
	w.deletable(s, operator.OtherStmt, p)
	class := typing.ClassOf(w.Info.TypeOf(s.X))
	if !typing.Numeric(class) {
		return
	}
	simple, why := w.Info.IsSimple(s.X), ""
	if !simple {
		why = w.armReason(s, p)
	}
	base, live := w.offer(&operator.Site{Kind: operator.IncDec, Op: s.Tok, Class: class}, s, func(ch operator.Change) (plain.Edit, string) {
		return w.Plain.SwappedOp(s.TokPos, s.Tok, ch.Op), why
	})
	switch {
	case len(live) == 0:
	case simple:
		w.Calls.ReplaceOp(s.TokPos, s.Tok, " = "+w.Calls.BeginFor("Inc", w.Info.TypeOf(s.X), "", "%d, %d, ", base, arithCodes[s.Tok-token.INC+token.ADD])+w.Src.Node(s.X)+")")
	default:
		text := w.Src.Line(s.X.Pos(), s.X.End()) + live[0].Op.String()
		w.Calls.Wrap(s.Pos(), s.End(), fmt.Sprintf("if %s) { %s } else { ", w.Calls.Begin("On", "", "%d", base), text), " }")
	}
	w.target(s.X)
}
