package expressions

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// arithmetic offers x op y, which becomes a helper call: the operator becomes a comma.
func arithmetic(cx *site.Context, e ast.Expr, p site.Place) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op == token.LAND || b.Op == token.LOR || typing.IsComparison(b) {
		return
	}
	class := typing.ClassOf(cx.Info.TypeOf(b))
	kind := operator.Arithmetic
	switch {
	case class == operator.String:
		kind = operator.Concatenation
	case !typing.Numeric(class):
		return
	}
	k := &operation{Context: cx, e: b, place: p, site: &operator.Site{
		Kind: kind, Op: b.Op, Class: class, Value: cx.Info.Value(b.Y), LeftValue: cx.Info.Value(b.X), Disjoint: cx.Info.Disjoint(b.X, b.Y),
	}}
	var need bool
	var cant reasons.Reason
	k.helper, need, k.why = arithHelper(cx, b.Op, class, b.X, b.Y)
	k.arg, cant = cx.Calls.TypeArg(cx.Info.TypeOf(b), b.Pos(), need)
	k.why = cmp.Or(k.why, cant, cx.Order(b))
	cx.Offer(k)
}

type operation struct {
	*site.Context
	e           *ast.BinaryExpr
	place       site.Place
	site        *operator.Site
	helper, arg string
	why         reasons.Reason
}

func (k *operation) Describe() (*operator.Site, ast.Node) { return k.site, k.e }

func (k *operation) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	p, reason := operationEdit(k.Context, k.e, ch, k.place)
	return p, cmp.Or(k.why, reason)
}

func (k *operation) Schemata(base int, live []operator.Change) {
	call := beginOperation(k.Context, k.helper, k.Info.TypeOf(k.e), k.arg, base, live, k.e.Op)
	k.Calls.Wrap(k.e.Pos(), k.e.End(), call, ")")
	k.Calls.ReplaceOp(k.e.OpPos, k.e.Op, ",")
}

// arithHelper chooses the helper for an operation and says whether its type
// argument can't be inferred.
func arithHelper(cx *site.Context, op token.Token, class operator.Class, x, y ast.Expr) (name string, need bool, why reasons.Reason) {
	need = cx.Info.HasUntypedShift(x, y) || cx.Info.IsConstant(x) && cx.Info.IsConstant(y)
	switch op {
	case token.SHL, token.SHR, token.SHL_ASSIGN, token.SHR_ASSIGN:
		if cx.Info.IsFloatShift(y) {
			why = reasons.FloatShift
		}
		return "Shift", cx.Info.IsConstant(x) || cx.Info.HasUntypedShift(x), why
	}
	switch class {
	case operator.Number:
		return "ArithN", need, nil
	case operator.String:
		return "Concat", false, nil
	}
	return "ArithI", need, nil
}

// operationEdit is the plain edit of a change of x op y.
func operationEdit(cx *site.Context, e *ast.BinaryExpr, ch operator.Change, c site.Place) (plain.Edit, reasons.Reason) {
	switch ch.Do {
	case operator.KeepLeft:
		return kept(cx, e, e.X, e.Y)
	case operator.KeepRight:
		return kept(cx, e, e.Y, e.X)
	case operator.Exchange:
		return exchanged(cx, e)
	}
	return cx.Plain.Swapped(e, ch.Op, c.Operand), nil
}

// kept leaves one operand of an operation. The other is evaluated all the same
// where that could be noticed, or where it uses something for the last time.
func kept(cx *site.Context, e *ast.BinaryExpr, kept, dropped ast.Expr) (plain.Edit, reasons.Reason) {
	p := plain.Edit{Lo: e.Pos(), Hi: e.End(), Desc: fmt.Sprintf("kept only %s of %s", cx.Src.Short(kept), cx.Src.Short(e))}
	if cx.Info.HasUntypedShift(kept) {
		return p, reasons.UntypedShift
	}
	lost := cx.Lost(dropped)
	switch {
	case !lost && cx.Effects.Droppable(dropped, kept) && !cx.Info.IsConstant(kept):
		p.Text = cx.Plain.Unglued(e.Pos(), cx.Src.Node(kept))
	case typing.ClassOf(cx.Info.TypeOf(e)) == operator.String:
		p.Text = emptied(cx, e, dropped)
	default:
		text, why := keptLater(cx, e, kept, dropped)
		p.Text = text
		return p, why
	}
	return p, nil
}

// emptied is x + y of strings with [:0] after one of them, which can't be a
// constant: that is a string still, evaluated and used, and the sum is none.
func emptied(cx *site.Context, e *ast.BinaryExpr, dropped ast.Expr) string {
	text := cx.Src.Node(dropped)
	if _, ok := dropped.(*ast.BinaryExpr); ok {
		text = "(" + text + ")"
	}
	if dropped == e.X {
		return text + "[:0]" + cx.Src.Text(e.X.End(), e.End())
	}
	return cx.Src.Text(e.Pos(), e.Y.Pos()) + text + "[:0]"
}

// keptBeside adds to the kept operand nothing times the dropped one, of integers.
func keptBeside(cx *site.Context, e *ast.BinaryExpr, dropped ast.Expr) string {
	x, y := cx.Plain.Parenthesised(e.X, token.ADD.Precedence()), cx.Plain.Parenthesised(e.Y, token.MUL.Precedence())
	if dropped == e.X {
		x = "0*" + cx.Plain.Parenthesised(e.X, token.MUL.Precedence())
	} else {
		y = "0*" + y
	}
	text := x + cx.Src.Text(e.X.End(), e.OpPos) + "+" + cx.Src.Text(e.OpPos+token.Pos(len(e.Op.String())), e.Y.Pos()) + y
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
func keptLater(cx *site.Context, e *ast.BinaryExpr, kept, dropped ast.Expr) (text string, why reasons.Reason) {
	name, ok := cx.Types.Name(cx.Info.TypeOf(e), e.Pos(), true)
	old := cx.Src.Node(dropped)
	switch {
	case !ok:
		return "", reasons.CantName
	case cx.Info.IsConstant(dropped):
		return "", reasons.LastUse
	case cx.Info.HasUntypedShift(dropped):
		return "", reasons.UntypedShift
	case typing.ClassOf(cx.Info.TypeOf(e)) == operator.Integer && e.Op != token.SHL && e.Op != token.SHR:
		return keptBeside(cx, e, dropped), nil
	case strings.Contains(cx.Src.Node(e), "recover"):
		return "", reasons.MovesRecover
	case dropped == e.X:
		return fmt.Sprintf("func() %s { _ = %s; return %s }()", name, old, cx.Src.Node(kept)), nil
	}
	tmp := cx.Names.Result + "0"
	return fmt.Sprintf("func() %s { %s := %s; _ = %s; return %s }()", name, tmp, cx.Src.Node(kept), old, tmp), nil
}

// beginOperation begins the helper call for an operation with changes.
func beginOperation(cx *site.Context, name string, t types.Type, arg string, base int, live []operator.Change, op token.Token) string {
	alts := helper.Alternatives(live, arithCode)
	if name == "Concat" { // of strings, which have no other
		return cx.Calls.BeginFor(name, t, arg, "%d, %s, ", base, alts)
	}
	return cx.Calls.BeginFor(name, t, arg, "%d, %s, %d, ", base, alts, arithCodes[op])
}

// exchanged is y op x for x op y.
func exchanged(cx *site.Context, e *ast.BinaryExpr) (plain.Edit, reasons.Reason) {
	if !cx.Effects.Pure(e.X) || !cx.Effects.Pure(e.Y) || !cx.Effects.PanicsAlike(e.X, e.Y) {
		return plain.Edit{}, reasons.OrderMatters
	}
	least := e.Op.Precedence()
	text := cx.Plain.Parenthesised(e.Y, least) + cx.Src.Text(e.X.End(), e.Y.Pos()) + cx.Plain.Parenthesised(e.X, least+1)
	return plain.Replace(e.Pos(), e.End(), cx.Plain.Unglued(e.Pos(), text), "swapped the operands of "+cx.Src.Short(e)), nil
}

// arithCodes and compareCodes are the core's codes of operators.
var arithCodes = map[token.Token]int{
	token.ADD: codes.Add, token.SUB: codes.Sub, token.MUL: codes.Mul, token.QUO: codes.Quo, token.REM: codes.Rem,
	token.AND: codes.And, token.OR: codes.Or, token.XOR: codes.Xor, token.AND_NOT: codes.AndNot,
	token.SHL: codes.Shl, token.SHR: codes.Shr,
}

func arithCode(c operator.Change) int {
	switch c.Do {
	case operator.KeepLeft:
		return codes.Left
	case operator.KeepRight:
		return codes.Right
	case operator.Exchange:
		return codes.Exchanged
	}
	return arithCodes[c.Op]
}
