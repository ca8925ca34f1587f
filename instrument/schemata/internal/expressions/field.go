package expressions

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Field offers to leave a field of a struct literal at its zero value.
func Field(cx *site.Context, kv *ast.KeyValueExpr) {
	key, ok := kv.Key.(*ast.Ident)
	if !ok {
		return
	}
	v, ok := cx.Info.Uses[key].(*types.Var)
	if !ok || !v.IsField() {
		return
	}
	e, t := kv.Value, v.Type()
	k := &field{Context: cx, key: key, e: e, t: t}
	need := !types.Identical(cx.Info.TypeOf(e), t) || cx.Info.HasUntypedShift(e) || typing.ClassOf(t) == operator.Bool && !typing.PlainBool(t)
	k.arg, k.why = cx.Calls.TypeArg(t, e.Pos(), need)
	cx.Offer(k)
}

type field struct {
	*site.Context
	key *ast.Ident
	e   ast.Expr
	t   types.Type
	arg string
	why reasons.Reason
}

func (k *field) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Field, Type: k.t, Value: k.Info.Value(k.e), IsZero: k.Info.IsZero(k.e, k.t)}, k.e
}

func (k *field) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	p, reason := fieldEdit(k.Context, k.key, k.e, k.t)
	return p, cmp.Or(k.why, k.Order(k.e), reason)
}

func (k *field) Schemata(base int, _ []operator.Change) {
	k.Calls.Wrap(k.e.Pos(), k.e.End(), k.Calls.BeginFor("Ret", k.t, k.arg, "%d, ", base), ")")
}

// fieldEdit is the plain edit of a field's value. Its evaluation stays if it could
// be noticed, or uses something for the last time.
func fieldEdit(cx *site.Context, key *ast.Ident, e ast.Expr, t types.Type) (plain.Edit, reasons.Reason) {
	p := plain.Edit{Lo: e.Pos(), Hi: e.End(), Desc: fmt.Sprintf("left field %s at zero", key.Name)}
	var why reasons.Reason
	if !cx.Lost(e) && cx.Effects.Droppable(e) {
		p.Text, why = cx.Values.Zero(t, e.Pos())
		return p, why
	}
	name, ok := cx.Types.Name(t, e.Pos(), true)
	old := cx.Src.Node(e)
	if !ok {
		return p, reasons.CantName
	}
	p.Text = fmt.Sprintf("func(%s) (_ %[1]s) { return }(%s)", name, old)
	return p, nil
}
