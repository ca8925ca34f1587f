package expressions

import (
	"cmp"
	"fmt"
	"go/ast"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// extreme offers to exchange min for max.
func extreme(cx *site.Context, e ast.Expr, _ site.Place) {
	name, call := builtinCall(cx, e)
	if name != "min" && name != "max" || len(call.Args) < 2 {
		return
	}
	k := &extremeSite{Context: cx, e: call, name: name, other: "max", helper: "Min"}
	if name == "max" {
		k.other, k.helper = "min", "Max"
	}
	k.arg, k.why = cx.Calls.TypeArg(cx.Info.TypeOf(call), call.Pos(), cx.Info.HasUntypedShift(call.Args...))
	cx.Offer(k)
}

type extremeSite struct {
	*site.Context
	e                   *ast.CallExpr
	name, other, helper string
	arg                 string
	why                 reasons.Reason
}

func (k *extremeSite) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.MinMax}, k.e
}

func (k *extremeSite) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	_, hidden := k.Info.Predeclared(k.other, k.e.Pos())
	p := plain.Replace(k.e.Fun.Pos(), k.e.Fun.End(), k.other, fmt.Sprintf("changed %s to %s", k.name, k.other))
	return p, cmp.Or(k.why, hidden, k.Order(k.e))
}

func (k *extremeSite) Schemata(base int, _ []operator.Change) {
	k.Slow.Replace(k.Src.Off(k.e.Fun.Pos()), k.Src.Off(k.e.Lparen)+1, k.Calls.Begin(k.helper, k.arg, "%d, ", base))
}
