package schemata

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// The edits of changes that keep, exchange or drop the operands of an operation
// and leave other operators alone.

// operationEdit is the plain edit of a change of x op y.
func (w *walker) operationEdit(e *ast.BinaryExpr, ch operator.Change, c site.Place) (plain.Edit, string) {
	switch ch.Do {
	case operator.KeepLeft:
		return w.kept(e, e.X, e.Y)
	case operator.KeepRight:
		return w.kept(e, e.Y, e.X)
	case operator.Exchange:
		return w.exchanged(e)
	}
	return w.Plain.Swapped(e, ch.Op, c.Operand), ""
}

// kept leaves one operand of an operation. The other is evaluated all the same
// where that could be noticed, or where it uses something for the last time.
func (w *walker) kept(e *ast.BinaryExpr, kept, dropped ast.Expr) (plain.Edit, string) {
	p := plain.Edit{Lo: e.Pos(), Hi: e.End(), Desc: fmt.Sprintf("left %s of %s", w.Src.Short(kept), w.Src.Short(e))}
	if w.Info.HasUntypedShift(kept) {
		return p, "a shift of an untyped constant takes its type from the other operand"
	}
	lost := w.Lost(dropped)
	switch {
	case !lost && w.Effects.Droppable(dropped, kept) && !w.Info.IsConstant(kept):
		p.Text = w.Plain.Unglued(e.Pos(), w.Src.Node(kept))
	case typing.ClassOf(w.Info.TypeOf(e)) == operator.String:
		p.Text = w.emptied(e, dropped)
	default:
		text, why := w.keptLater(e, kept, dropped)
		p.Text = text
		return p, why
	}
	return p, ""
}

// emptied is x + y of strings with [:0] behind one of them, which can't be a
// constant: that is a string still, evaluated and used, and the sum is none.
func (w *walker) emptied(e *ast.BinaryExpr, dropped ast.Expr) string {
	text := w.Src.Node(dropped)
	if _, ok := dropped.(*ast.BinaryExpr); ok {
		text = "(" + text + ")"
	}
	if dropped == e.X {
		return text + "[:0]" + w.Src.Text(e.X.End(), e.End())
	}
	return w.Src.Text(e.Pos(), e.Y.Pos()) + text + "[:0]"
}

// keptBeside adds to the kept operand nothing times the dropped one, of integers.
func (w *walker) keptBeside(e *ast.BinaryExpr, dropped ast.Expr) string {
	x, y := w.Plain.Parenthesised(e.X, token.ADD.Precedence()), w.Plain.Parenthesised(e.Y, token.MUL.Precedence())
	if dropped == e.X {
		x = "0*" + w.Plain.Parenthesised(e.X, token.MUL.Precedence())
	} else {
		y = "0*" + y
	}
	text := x + w.Src.Text(e.X.End(), e.OpPos) + "+" + w.Src.Text(e.OpPos+token.Pos(len(e.Op.String())), e.Y.Pos()) + y
	if source.Glues(y[0]) && text[len(text)-len(y)-1] == '+' {
		text = text[:len(text)-len(y)] + " " + y
	}
	if e.Op.Precedence() > token.ADD.Precedence() {
		text = "(" + text + ")"
	}
	return text
}

// keptLater evaluates both operands, of integers in one expression and of others in
// a function literal.
func (w *walker) keptLater(e *ast.BinaryExpr, kept, dropped ast.Expr) (text, why string) {
	name, ok := w.Types.Name(w.Info.TypeOf(e), e.Pos(), true)
	old := w.Src.Node(dropped)
	switch {
	case !ok:
		return "", typename.CantName
	case w.Info.IsConstant(dropped):
		return "", "does not compile: last use of an import or variable"
	case w.Info.HasUntypedShift(dropped):
		return "", "a shift of an untyped constant takes its type from the other operand"
	case typing.ClassOf(w.Info.TypeOf(e)) == operator.Integer && e.Op != token.SHL && e.Op != token.SHR:
		return w.keptBeside(e, dropped), ""
	case strings.Contains(w.Src.Node(e), "recover"):
		return "", "recover can't be moved into a function literal"
	case dropped == e.X:
		return fmt.Sprintf("func() %s { _ = %s; return %s }()", name, old, w.Src.Node(kept)), ""
	}
	tmp := w.Names.Result + "0"
	return fmt.Sprintf("func() %s { %s := %s; _ = %s; return %s }()", name, tmp, w.Src.Node(kept), old, tmp), ""
}

// operation begins the helper call for an operation with changes.
func (w *walker) operation(name string, t types.Type, arg string, base int, live []operator.Change, op token.Token) string {
	alts := helper.Alternatives(live, arithCode)
	if name == "Concat" { // of strings, which have no other
		return w.Calls.BeginFor(name, t, arg, "%d, %s, ", base, alts)
	}
	return w.Calls.BeginFor(name, t, arg, "%d, %s, %d, ", base, alts, arithCodes[op])
}

const orderMatters = "evaluating the operands may have effects, whose order would change"

// exchanged is y op x for x op y.
func (w *walker) exchanged(e *ast.BinaryExpr) (plain.Edit, string) {
	if !w.Effects.Pure(e.X) || !w.Effects.Pure(e.Y) || !w.Effects.PanicsAlike(e.X, e.Y) {
		return plain.Edit{}, orderMatters
	}
	least := e.Op.Precedence()
	text := w.Plain.Parenthesised(e.Y, least) + w.Src.Text(e.X.End(), e.Y.Pos()) + w.Plain.Parenthesised(e.X, least+1)
	return plain.Replace(e.Pos(), e.End(), w.Plain.Unglued(e.Pos(), text), "exchanged the operands of "+w.Src.Short(e)), ""
}

// assignToken returns the assignment that a change puts in the place of x op= y.
func assignToken(ch operator.Change) token.Token {
	if ch.Do == operator.KeepRight {
		return token.ASSIGN
	}
	return assignOp(ch.Op)
}

// opAssignEdit is the plain edit of a change of x op= y.
func (w *walker) opAssignEdit(s *ast.AssignStmt, ch operator.Change) (plain.Edit, string) {
	x, y := s.Lhs[0], s.Rhs[0]
	same := w.Src.Node(x) == w.Src.Node(y)
	switch ch.Do {
	case operator.Exchange:
		if same {
			return plain.Edit{}, "the same program: equal operands"
		}
		if !w.Info.IsSimple(x) || !w.Effects.Pure(y) || !w.Effects.PanicsAlike(x, y) {
			return plain.Edit{}, orderMatters
		}
		op := binaryOp(s.Tok)
		text := fmt.Sprintf("%s = %s %s %s", w.Src.Node(x), w.Plain.Parenthesised(y, op.Precedence()), op, w.Src.Node(x))
		return plain.Replace(s.Pos(), s.End(), text, "exchanged the operands of "+w.Src.Short(s)), ""
	case operator.KeepRight:
		_, variable := ast.Unparen(x).(*ast.Ident)
		switch {
		case variable && w.Lost(x):
			return plain.Edit{}, "does not compile: last use of a variable"
		case same:
			return plain.Edit{}, "the same program as without the statement"
		}
	}
	return w.Plain.SwappedOp(s.TokPos, s.Tok, assignToken(ch)), ""
}

// complement offers to drop the ^ of ^x.
func (w *walker) complement(e *ast.UnaryExpr) {
	t := w.Info.TypeOf(e)
	if typing.ClassOf(t) != operator.Integer {
		return
	}
	arg, why := w.Calls.TypeArg(t, e.Pos(), w.Info.HasUntypedShift(e.X))
	base, live := w.offer(&operator.Site{Kind: operator.Complement, Class: operator.Integer}, e, func(operator.Change) (plain.Edit, string) {
		return w.operandEdit(e), why
	})
	if len(live) > 0 {
		w.Calls.Wrap(e.Pos(), e.End(), "", ")")
		w.Calls.ReplaceOp(e.OpPos, token.XOR, w.Calls.Begin("Complement", arg, "%d, ", base))
	}
}

// not offers to drop the ! of !x.
func (w *walker) not(e *ast.UnaryExpr) {
	t := w.Info.TypeOf(e)
	arg, why := w.Calls.BoolArg(t, e.Pos())
	site := &operator.Site{Kind: operator.Not, Class: operator.Bool, IsComparison: typing.IsComparison(e.X)}
	base, live := w.offer(site, e, func(operator.Change) (plain.Edit, string) { return w.operandEdit(e), why })
	if len(live) > 0 {
		w.Calls.Wrap(e.Pos(), e.End(), w.Calls.BeginBool("Bool", t, arg, "%d, %s, ", base, helper.Alternatives(live, boolCode)), ")")
	}
}

// operandEdit drops a unary operator.
func (w *walker) operandEdit(e *ast.UnaryExpr) plain.Edit {
	return plain.Replace(e.Pos(), e.End(), w.Plain.Unglued(e.Pos(), w.Src.Node(e.X)), "removed the "+e.Op.String())
}
