package expressions

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// OpAssign offers x op= y, which becomes x = helper(x, y). An x that could have effects
// is evaluated in one arm of an if for each operator instead.
func OpAssign(cx *site.Context, s *ast.AssignStmt, p site.Position) {
	x, y := s.Lhs[0], s.Rhs[0]
	class := typing.ClassOf(cx.Info.TypeOf(x))
	kind := operator.Arithmetic
	switch {
	case class == operator.String:
		kind = operator.Concatenation
	case !typing.Numeric(class):
		return
	}
	op := binaryOp(s.Tok)
	k := &opAssign{Context: cx, s: s, op: op, simple: cx.Info.IsSimple(x), site: &operator.Site{
		Kind: kind, Op: op, Class: class, Value: cx.Info.Value(y), Assigns: true, Disjoint: cx.Info.Disjoint(x, y),
	}}
	var need bool
	k.helper, need, k.why = arithHelper(cx, op, class, x, y)
	if k.simple {
		var cant reasons.Reason
		k.arg, cant = cx.Calls.TypeArg(cx.Info.TypeOf(x), s.Pos(), need)
		k.why = cmp.Or(k.why, cant)
	} else {
		k.why = armReason(cx, s, p)
	}
	cx.Offer(k)
}

type opAssign struct {
	*site.Context
	s           *ast.AssignStmt
	op          token.Token
	simple      bool // x can be evaluated twice
	site        *operator.Site
	helper, arg string
	why         reasons.Reason
}

func (k *opAssign) Describe() (*operator.Site, ast.Node) { return k.site, k.s }

func (k *opAssign) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	p, reason := opAssignEdit(k.Context, k.s, ch)
	return p, cmp.Or(k.why, reason)
}

func (k *opAssign) Schemata(base int, live []operator.Change) {
	s, x, y := k.s, k.s.Lhs[0], k.s.Rhs[0]
	if k.simple {
		call := beginOperation(k.Context, k.helper, k.Info.TypeOf(x), k.arg, base, live, k.op)
		k.Calls.ReplaceOp(s.TokPos, s.Tok, "= "+call+k.Src.Node(x)+", ")
		k.Calls.Wrap(y.Pos(), y.End(), "", ")")
		return
	}
	arms := ""
	for i, ch := range live {
		text := k.Src.Line(s.Pos(), s.TokPos) + assignToken(ch).String() + " " + k.Src.Line(s.TokPos+token.Pos(len(s.Tok.String())), s.End())
		arms += fmt.Sprintf("if %s) { %s } else ", k.Calls.Begin("On", "", "%d", base+i), text)
	}
	k.Calls.Wrap(s.Pos(), s.End(), arms+"{ ", " }")
}

// IncDec offers x++ or x--.
func IncDec(cx *site.Context, s *ast.IncDecStmt, p site.Position) {
	class := typing.ClassOf(cx.Info.TypeOf(s.X))
	if !typing.Numeric(class) {
		return
	}
	k := &incDec{Context: cx, s: s, class: class, simple: cx.Info.IsSimple(s.X)}
	if !k.simple {
		k.why = armReason(cx, s, p)
	}
	cx.Offer(k)
}

type incDec struct {
	*site.Context
	s      *ast.IncDecStmt
	class  operator.Class
	simple bool // x can be evaluated twice
	why    reasons.Reason
}

func (k *incDec) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.IncDec, Op: k.s.Tok, Class: k.class}, k.s
}

func (k *incDec) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	return k.Context.Plain.SwappedOp(k.s.TokPos, k.s.Tok, ch.Op), k.why
}

func (k *incDec) Schemata(base int, live []operator.Change) {
	s := k.s
	if k.simple {
		call := k.Calls.BeginFor("Inc", k.Info.TypeOf(s.X), "", "%d, %d, ", base, arithCodes[s.Tok-token.INC+token.ADD])
		k.Calls.ReplaceOp(s.TokPos, s.Tok, " = "+call+k.Src.Node(s.X)+")")
		return
	}
	text := k.Src.Line(s.X.Pos(), s.X.End()) + live[0].Op.String()
	k.Calls.Wrap(s.Pos(), s.End(), fmt.Sprintf("if %s) { %s } else { ", k.Calls.Begin("On", "", "%d", base), text), " }")
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

// armReason says why a statement can't be copied into an arm of an if.
func armReason(cx *site.Context, s ast.Stmt, p site.Position) reasons.Reason {
	if !p.InList {
		return reasons.EffectsOutside
	}
	_, why := cx.Src.Flat(s.Pos(), s.End(), s)
	return why
}

// assignToken returns the assignment that a change puts in place of x op= y.
func assignToken(ch operator.Change) token.Token {
	if ch.Do == operator.KeepRight {
		return token.ASSIGN
	}
	return assignOp(ch.Op)
}

// opAssignEdit is the plain edit of a change of x op= y.
func opAssignEdit(cx *site.Context, s *ast.AssignStmt, ch operator.Change) (plain.Edit, reasons.Reason) {
	x, y := s.Lhs[0], s.Rhs[0]
	same := cx.Src.Node(x) == cx.Src.Node(y)
	switch ch.Do {
	case operator.Exchange:
		if same {
			return plain.Edit{}, reasons.EqualOperands
		}
		if !cx.Info.IsSimple(x) || !cx.Effects.Pure(y) || !cx.Effects.PanicsAlike(x, y) {
			return plain.Edit{}, reasons.OrderMatters
		}
		op := binaryOp(s.Tok)
		text := fmt.Sprintf("%s = %s %s %s", cx.Src.Node(x), cx.Plain.Parenthesised(y, op.Precedence()), op, cx.Src.Node(x))
		return plain.Replace(s.Pos(), s.End(), text, "swapped the operands of "+cx.Src.Short(s)), nil
	case operator.KeepRight:
		_, variable := ast.Unparen(x).(*ast.Ident)
		switch {
		case variable && cx.Lost(x):
			return plain.Edit{}, reasons.LastUseOfVariable
		case same:
			return plain.Edit{}, reasons.LikeDeletion
		}
	}
	return cx.Plain.SwappedOp(s.TokPos, s.Tok, assignToken(ch)), nil
}
