package expressions

import (
	"cmp"
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// contexts offers the arguments of a call that are passed as a context.Context.
func contexts(cx *site.Context, e ast.Expr, _ site.Place) {
	call := e.(*ast.CallExpr)
	imported := cx.Values.VisibleImports(call.Pos())["context"]
	sig, ok := cx.Info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if imported == "" || !ok {
		return
	}
	for i := range min(len(call.Args), sig.Params().Len()) {
		if _, spread := cx.Info.TypeOf(call.Args[i]).(*types.Tuple); spread {
			return // f(g()) with several results
		}
		if t := sig.Params().At(i).Type(); typing.IsContext(t) {
			offerContext(cx, call.Args[i], t, imported+".Background()")
		}
	}
}

func offerContext(cx *site.Context, e ast.Expr, t types.Type, background string) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if name := cx.Info.CalledFunc(call); name == "context.Background" || name == "context.TODO" {
			return
		}
	}
	k := &contextSite{Context: cx, e: e, t: t, background: background}
	k.arg, k.why = cx.Calls.TypeArg(t, e.Pos(), true)
	cx.Offer(k)
}

type contextSite struct {
	*site.Context
	e          ast.Expr
	t          types.Type
	background string // the text of a call of context.Background
	arg        string
	why        reasons.Reason
}

func (k *contextSite) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Context}, k.e
}

func (k *contextSite) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	e := k.e
	p := plain.Replace(e.Pos(), e.End(), k.background, "passed "+k.background+" instead of "+k.Src.Short(e))
	if !k.Lost(e) && k.Effects.Droppable(e) {
		return p, k.why
	}
	var reason reasons.Reason
	p.Text, reason = k.Values.Instead(e, k.t, k.background)
	return p, cmp.Or(k.why, reason)
}

func (k *contextSite) Schemata(base int, _ []operator.Change) {
	k.Calls.Wrap(k.e.Pos(), k.e.End(), k.Calls.Begin("Alt", k.arg, "%d, ", base), ", "+k.background+")")
}
