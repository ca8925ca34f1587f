package expressions

import (
	"fmt"
	"go/ast"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// recovery offers a call of recover whose result is used. Recover works where the
// deferred function itself calls it, and must not be called at all while the
// mutant is active, so the call stays in place as the right operand of an &&, and
// its result goes through a variable at the top of the function.
func recovery(cx *site.Context, e ast.Expr, _ site.Place) {
	if name, call := builtinCall(cx, e); name == "recover" && cx.Block != nil {
		cx.Offer(&recovered{cx, call})
	}
}

type recovered struct {
	*site.Context
	e *ast.CallExpr
}

func (k *recovered) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Recover}, k.e
}

func (k *recovered) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	null, why := k.Info.Predeclared("nil", k.e.Pos())
	return plain.Replace(k.e.Pos(), k.e.End(), "interface{}("+null+")", "did not recover"), why
}

func (k *recovered) Schemata(base int, _ []operator.Change) {
	kept := fmt.Sprintf("%sp%d", k.Names.Result, k.Src.Off(k.e.Pos()))
	k.Slow.Insert(k.Src.Off(k.Block.Lbrace)+1, fmt.Sprintf(" var %s %s.Any_;", kept, k.Names.RT))
	before := k.Calls.Begin("Kept", "", "%s && %s", k.Calls.Begin("Recovers", "", "%d)", base), k.Calls.Begin("Keep", "", "%d, &%s, ", base, kept))
	k.Calls.Wrap(k.e.Pos(), k.e.End(), before, "), &"+kept+")")
}
