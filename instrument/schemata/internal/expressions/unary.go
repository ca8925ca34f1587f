package expressions

import (
	"cmp"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// negation offers to drop the - of -x.
func negation(cx *site.Context, e ast.Expr, _ site.Place) {
	u, ok := e.(*ast.UnaryExpr)
	if !ok || u.Op != token.SUB || !typing.Numeric(typing.ClassOf(cx.Info.TypeOf(u))) {
		return
	}
	k := &unary{Context: cx, e: u, kind: operator.Negation, class: typing.ClassOf(cx.Info.TypeOf(u)), helper: "Neg"}
	k.arg, k.why = cx.Calls.TypeArg(cx.Info.TypeOf(u), u.Pos(), cx.Info.HasUntypedShift(u.X))
	k.why = cmp.Or(k.why, cx.Order(u))
	cx.Offer(k)
}

// complement offers to drop the ^ of ^x.
func complement(cx *site.Context, e ast.Expr, _ site.Place) {
	u, ok := e.(*ast.UnaryExpr)
	if !ok || u.Op != token.XOR || typing.ClassOf(cx.Info.TypeOf(u)) != operator.Integer {
		return
	}
	k := &unary{Context: cx, e: u, kind: operator.Complement, class: operator.Integer, helper: "Complement"}
	k.arg, k.why = cx.Calls.TypeArg(cx.Info.TypeOf(u), u.Pos(), cx.Info.HasUntypedShift(u.X))
	cx.Offer(k)
}

// unary is -x or ^x.
type unary struct {
	*site.Context
	e           *ast.UnaryExpr
	kind        operator.Kind
	class       operator.Class
	helper, arg string
	why         reasons.Reason
}

func (k *unary) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: k.kind, Class: k.class}, k.e
}

func (k *unary) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	return operandEdit(k.Context, k.e), k.why
}

func (k *unary) Schemata(base int, _ []operator.Change) {
	k.Calls.Wrap(k.e.Pos(), k.e.End(), "", ")")
	k.Calls.ReplaceOp(k.e.OpPos, k.e.Op, k.Calls.Begin(k.helper, k.arg, "%d, ", base))
}

// not offers to drop the ! of !x.
func not(cx *site.Context, e ast.Expr, _ site.Place) {
	u, ok := e.(*ast.UnaryExpr)
	if !ok || u.Op != token.NOT {
		return
	}
	k := &inverted{Context: cx, e: u}
	k.arg, k.why = cx.Calls.BoolArg(cx.Info.TypeOf(u), u.Pos())
	cx.Offer(k)
}

// inverted is !x.
type inverted struct {
	*site.Context
	e   *ast.UnaryExpr
	arg string
	why reasons.Reason
}

func (k *inverted) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Not, Class: operator.Bool, IsComparison: typing.IsComparison(k.e.X)}, k.e
}

func (k *inverted) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	return operandEdit(k.Context, k.e), k.why
}

func (k *inverted) Schemata(base int, live []operator.Change) {
	k.Calls.WrapBool(k.e, k.Info.TypeOf(k.e), k.arg, base, live)
}

// operandEdit drops a unary operator.
func operandEdit(cx *site.Context, e *ast.UnaryExpr) plain.Edit {
	return plain.Replace(e.Pos(), e.End(), cx.Plain.Unglued(e.Pos(), cx.Src.Node(e.X)), "removed the "+e.Op.String())
}
