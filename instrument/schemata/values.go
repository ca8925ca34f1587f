package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// arguments offers each pair of neighbouring arguments of one type. Each place
// gets both values, so the operands are written twice: they may have no effects.
func (w *walker) arguments(e *ast.CallExpr) {
	sig, ok := typing.Core(w.info.TypeOf(e.Fun)).(*types.Signature)
	if !ok {
		return
	}
	fixed := sig.Params().Len()
	if sig.Variadic() {
		fixed--
	}
	for i := 0; i+1 < min(fixed, len(e.Args)); i++ {
		if types.Identical(sig.Params().At(i).Type(), sig.Params().At(i+1).Type()) {
			w.argumentPair(e.Args[i], e.Args[i+1], sig.Params().At(i).Type())
		}
	}
}

func (w *walker) argumentPair(x, y ast.Expr, t types.Type) {
	own := types.Identical(w.info.TypeOf(x), w.info.TypeOf(y))
	if !own || !w.fx.Effectless(x) || !w.fx.Effectless(y) || w.f.Node(x) == w.f.Node(y) || w.info.IsConstant(x) && w.info.IsConstant(y) {
		return
	}
	_, named := ast.Unparen(x).(*ast.Ident)
	inferred := named && types.Identical(t, w.info.TypeOf(x)) && !w.info.IsConstant(x) && !w.info.IsConstant(y) && !w.info.Types[x].IsNil()
	arg, why := w.typeArg(t, x.Pos(), !inferred)
	helper := "Alt"
	switch {
	case !w.fx.Replayable(x) || !w.fx.Replayable(y):
		why = "argument on several lines"
	case typing.ClassOf(t) == operator.String:
		helper = "Swapped"
	case typing.HasPointers(t):
		why = "what it points to could no longer be kept on the stack"
	}
	base, live := w.offer(&operator.Site{Kind: operator.Arguments}, y, func(operator.Change) (plain, string) {
		text := w.f.Node(y) + w.f.Text(x.End(), y.Pos()) + w.f.Node(x)
		desc := fmt.Sprintf("exchanged %s and %s", w.f.Short(x), w.f.Short(y))
		return plain{x.Pos(), y.End(), text, desc}, cmp.Or(why, w.fx.Order(w.within, x, y))
	})
	if len(live) > 0 {
		w.wrap(x.Pos(), x.End(), w.helperOf(helper, t, arg, "%d, ", base), ", "+w.f.Node(y)+")")
		w.wrap(y.Pos(), y.End(), w.helperOf(helper, t, arg, "%d, ", base), ", "+w.f.Node(x)+")")
	}
}

// field offers to leave a field of a struct literal at its zero value.
func (w *walker) field(kv *ast.KeyValueExpr) {
	key, ok := kv.Key.(*ast.Ident)
	if !ok {
		return
	}
	v, ok := w.info.Uses[key].(*types.Var)
	if !ok || !v.IsField() {
		return
	}
	e, t := kv.Value, v.Type()
	site := &operator.Site{Kind: operator.Field, Type: t, Value: w.info.Value(e), IsZero: w.info.IsZero(e, t)}
	arg, why := w.typeArg(t, e.Pos(), !types.Identical(w.info.TypeOf(e), t) || w.info.HasUntypedShift(e) || typing.ClassOf(t) == operator.Bool && !typing.PlainBool(t))
	base, live := w.offer(site, e, func(operator.Change) (plain, string) {
		p, reason := w.fieldEdit(key, e, t)
		return p, cmp.Or(why, w.fx.Order(w.within, e), reason)
	})
	if len(live) > 0 {
		w.wrap(e.Pos(), e.End(), w.helperOf("Ret", t, arg, "%d, ", base), ")")
	}
}

// fieldEdit is the plain edit of a field's value. Its evaluation stays if it could
// be noticed, or uses something for the last time.
func (w *walker) fieldEdit(key *ast.Ident, e ast.Expr, t types.Type) (plain, string) {
	p := plain{lo: e.Pos(), hi: e.End(), desc: fmt.Sprintf("left field %s zero", key.Name)}
	var why string
	if len(w.r.uses.Lost(w.f.Tok, e.Pos(), e.End())) == 0 && w.fx.Droppable(e) {
		p.text, why = w.zeroText(t, e.Pos())
		return p, why
	}
	name, ok := w.r.types.Name(t, e.Pos(), true)
	old := w.f.Node(e)
	if !ok {
		return p, cantName
	}
	p.text = fmt.Sprintf("func(%s) (_ %[1]s) { return }(%s)", name, old)
	return p, ""
}
