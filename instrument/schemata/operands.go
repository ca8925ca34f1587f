package schemata

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// The edits of changes that keep, exchange or drop the operands of an operation
// and leave other operators alone.

// operationEdit is the plain edit of a change of x op y.
func (w *walker) operationEdit(e *ast.BinaryExpr, ch operator.Change, c place) (plain, string) {
	switch ch.Do {
	case operator.KeepLeft:
		return w.kept(e, e.X, e.Y)
	case operator.KeepRight:
		return w.kept(e, e.Y, e.X)
	case operator.Exchange:
		return w.exchanged(e)
	}
	return w.swapped(e, ch.Op, c), ""
}

// kept leaves one operand of an operation. The other is evaluated all the same
// where that could be noticed, or where it uses something for the last time.
func (w *walker) kept(e *ast.BinaryExpr, kept, dropped ast.Expr) (plain, string) {
	p := plain{lo: e.Pos(), hi: e.End(), desc: fmt.Sprintf("left %s of %s", w.f.Short(kept), w.f.Short(e))}
	if w.info.HasUntypedShift(kept) {
		return p, "a shift of an untyped constant takes its type from the other operand"
	}
	lost := len(w.r.uses.Lost(w.f.Tok, dropped.Pos(), dropped.End())) > 0
	switch {
	case !lost && w.fx.Droppable(dropped, kept) && !w.info.IsConstant(kept):
		p.text = w.unglued(e.Pos(), w.f.Node(kept))
	case typing.ClassOf(w.info.TypeOf(e)) == operator.String:
		p.text = w.emptied(e, dropped)
	default:
		text, why := w.keptLater(e, kept, dropped)
		p.text = text
		return p, why
	}
	return p, ""
}

// emptied is x + y of strings with [:0] behind one of them, which can't be a
// constant: that is a string still, evaluated and used, and the sum is none.
func (w *walker) emptied(e *ast.BinaryExpr, dropped ast.Expr) string {
	text := w.f.Node(dropped)
	if _, ok := dropped.(*ast.BinaryExpr); ok {
		text = "(" + text + ")"
	}
	if dropped == e.X {
		return text + "[:0]" + w.f.Text(e.X.End(), e.End())
	}
	return w.f.Text(e.Pos(), e.Y.Pos()) + text + "[:0]"
}

// keptBeside adds to the kept operand nothing times the dropped one, of integers.
func (w *walker) keptBeside(e *ast.BinaryExpr, dropped ast.Expr) string {
	x, y := w.parenthesised(e.X, token.ADD.Precedence()), w.parenthesised(e.Y, token.MUL.Precedence())
	if dropped == e.X {
		x = "0*" + w.parenthesised(e.X, token.MUL.Precedence())
	} else {
		y = "0*" + y
	}
	text := x + w.f.Text(e.X.End(), e.OpPos) + "+" + w.f.Text(e.OpPos+token.Pos(len(e.Op.String())), e.Y.Pos()) + y
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
	name, ok := w.r.types.Name(w.info.TypeOf(e), e.Pos(), true)
	old := w.f.Node(dropped)
	switch {
	case !ok:
		return "", cantName
	case w.info.IsConstant(dropped):
		return "", "does not compile: last use of an import or variable"
	case w.info.HasUntypedShift(dropped):
		return "", "a shift of an untyped constant takes its type from the other operand"
	case typing.ClassOf(w.info.TypeOf(e)) == operator.Integer && e.Op != token.SHL && e.Op != token.SHR:
		return w.keptBeside(e, dropped), ""
	case strings.Contains(w.f.Node(e), "recover"):
		return "", "recover can't be moved into a function literal"
	case dropped == e.X:
		return fmt.Sprintf("func() %s { _ = %s; return %s }()", name, old, w.f.Node(kept)), ""
	}
	tmp := w.r.names.result + "0"
	return fmt.Sprintf("func() %s { %s := %s; _ = %s; return %s }()", name, tmp, w.f.Node(kept), old, tmp), ""
}

// unglued returns text that can begin at pos: behind an operator an operator is
// put in parentheses.
func (w *walker) unglued(pos token.Pos, text string) string {
	if source.Glues(text[0]) && source.Glues(w.f.Src[w.f.Off(pos)-1]) {
		return "(" + text + ")"
	}
	return text
}

// operation begins the helper call for an operation with changes.
func (w *walker) operation(helper string, t types.Type, arg string, base int, live []operator.Change, op token.Token) string {
	alts := alternatives(live, arithCode)
	if helper == "Concat" { // of strings, which have no other
		return w.helperOf(helper, t, arg, "%d, %s, ", base, alts)
	}
	return w.helperOf(helper, t, arg, "%d, %s, %d, ", base, alts, arithCodes[op])
}

const orderMatters = "evaluating the operands may have effects, whose order would change"

// exchanged is y op x for x op y.
func (w *walker) exchanged(e *ast.BinaryExpr) (plain, string) {
	if !w.fx.Pure(e.X) || !w.fx.Pure(e.Y) || !w.fx.PanicsAlike(e.X, e.Y) {
		return plain{}, orderMatters
	}
	least := e.Op.Precedence()
	text := w.parenthesised(e.Y, least) + w.f.Text(e.X.End(), e.Y.Pos()) + w.parenthesised(e.X, least+1)
	return plain{e.Pos(), e.End(), w.unglued(e.Pos(), text), "exchanged the operands of " + w.f.Short(e)}, ""
}

// assignToken returns the assignment that a change puts in the place of x op= y.
func assignToken(ch operator.Change) token.Token {
	if ch.Do == operator.KeepRight {
		return token.ASSIGN
	}
	return assignOp(ch.Op)
}

// opAssignEdit is the plain edit of a change of x op= y.
func (w *walker) opAssignEdit(s *ast.AssignStmt, ch operator.Change) (plain, string) {
	x, y := s.Lhs[0], s.Rhs[0]
	same := w.f.Node(x) == w.f.Node(y)
	switch ch.Do {
	case operator.Exchange:
		if same {
			return plain{}, "the same program: equal operands"
		}
		if !w.info.IsSimple(x) || !w.fx.Pure(y) || !w.fx.PanicsAlike(x, y) {
			return plain{}, orderMatters
		}
		op := binaryOp(s.Tok)
		text := fmt.Sprintf("%s = %s %s %s", w.f.Node(x), w.parenthesised(y, op.Precedence()), op, w.f.Node(x))
		return plain{s.Pos(), s.End(), text, "exchanged the operands of " + w.f.Short(s)}, ""
	case operator.KeepRight:
		_, variable := ast.Unparen(x).(*ast.Ident)
		switch {
		case variable && len(w.r.uses.Lost(w.f.Tok, x.Pos(), x.End())) > 0:
			return plain{}, "does not compile: last use of a variable"
		case same:
			return plain{}, "the same program as without the statement"
		}
	}
	return w.swappedOp(s.TokPos, s.Tok, assignToken(ch)), ""
}

// complement offers to drop the ^ of ^x.
func (w *walker) complement(e *ast.UnaryExpr) {
	t := w.info.TypeOf(e)
	if typing.ClassOf(t) != operator.Integer {
		return
	}
	arg, why := w.typeArg(t, e.Pos(), w.info.HasUntypedShift(e.X))
	base, live := w.offer(&operator.Site{Kind: operator.Complement, Class: operator.Integer}, e, func(operator.Change) (plain, string) {
		return w.operandEdit(e), why
	})
	if len(live) > 0 {
		w.wrap(e.Pos(), e.End(), "", ")")
		w.replaceOp(e.OpPos, token.XOR, w.helper("Complement", arg, "%d, ", base))
	}
}

// not offers to drop the ! of !x.
func (w *walker) not(e *ast.UnaryExpr) {
	t := w.info.TypeOf(e)
	arg, why := w.boolArg(t, e.Pos())
	site := &operator.Site{Kind: operator.Not, Class: operator.Bool, IsComparison: typing.IsComparison(e.X)}
	base, live := w.offer(site, e, func(operator.Change) (plain, string) { return w.operandEdit(e), why })
	if len(live) > 0 {
		w.wrap(e.Pos(), e.End(), w.boolHelper("Bool", t, arg, "%d, %s, ", base, alternatives(live, boolCode)), ")")
	}
}

// operandEdit drops a unary operator.
func (w *walker) operandEdit(e *ast.UnaryExpr) plain {
	return plain{e.Pos(), e.End(), w.unglued(e.Pos(), w.f.Node(e.X)), "removed the " + e.Op.String()}
}
