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

// arguments offers each pair of neighboring arguments of one type. Each place
// gets both values, so the operands are written twice: they may have no effects.
func arguments(cx *site.Context, e ast.Expr, _ site.Place) {
	call := e.(*ast.CallExpr)
	sig, ok := typing.Core(cx.Info.TypeOf(call.Fun)).(*types.Signature)
	if !ok {
		return
	}
	fixed := sig.Params().Len()
	if sig.Variadic() {
		fixed--
	}
	for i := 0; i+1 < min(fixed, len(call.Args)); i++ {
		if types.Identical(sig.Params().At(i).Type(), sig.Params().At(i+1).Type()) {
			argumentPair(cx, call.Args[i], call.Args[i+1], sig.Params().At(i).Type())
		}
	}
}

func argumentPair(cx *site.Context, x, y ast.Expr, t types.Type) {
	own := types.Identical(cx.Info.TypeOf(x), cx.Info.TypeOf(y))
	if !own || !cx.Effects.Effectless(x) || !cx.Effects.Effectless(y) || cx.Src.Node(x) == cx.Src.Node(y) ||
		cx.Info.IsConstant(x) && cx.Info.IsConstant(y) {
		return
	}
	_, named := ast.Unparen(x).(*ast.Ident)
	inferred := named && types.Identical(t, cx.Info.TypeOf(x)) && !cx.Info.IsConstant(x) && !cx.Info.IsConstant(y) && !cx.Info.Types[x].IsNil()
	k := &pair{Context: cx, x: x, y: y, t: t, helper: "Alt"}
	k.arg, k.why = cx.Calls.TypeArg(t, x.Pos(), !inferred)
	switch {
	case !cx.Effects.Replayable(x) || !cx.Effects.Replayable(y):
		k.why = reasons.SeveralLines
	case typing.ClassOf(t) == operator.String:
		k.helper = "Swapped"
	case typing.HasPointers(t):
		k.why = reasons.Escapes
	}
	cx.Offer(k)
}

// pair is two arguments that can be exchanged.
type pair struct {
	*site.Context
	x, y        ast.Expr
	t           types.Type
	helper, arg string
	why         reasons.Reason
}

func (k *pair) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Arguments}, k.y
}

func (k *pair) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	x, y := k.x, k.y
	text := k.Src.Node(y) + k.Src.Text(x.End(), y.Pos()) + k.Src.Node(x)
	desc := fmt.Sprintf("swapped %s and %s", k.Src.Short(x), k.Src.Short(y))
	return plain.Replace(x.Pos(), y.End(), text, desc), cmp.Or(k.why, k.Order(x, y))
}

func (k *pair) Schemata(base int, _ []operator.Change) {
	k.Calls.Wrap(k.x.Pos(), k.x.End(), k.Calls.BeginFor(k.helper, k.t, k.arg, "%d, ", base), ", "+k.Src.Node(k.y)+")")
	k.Calls.Wrap(k.y.Pos(), k.y.End(), k.Calls.BeginFor(k.helper, k.t, k.arg, "%d, ", base), ", "+k.Src.Node(k.x)+")")
}
