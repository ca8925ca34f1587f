package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// arguments offers each pair of neighbouring arguments of one type. Each place
// gets both values, so the operands are written twice: they may have no effects.
func (w *walker) arguments(e *ast.CallExpr) {
	sig, ok := typing.Core(w.Info.TypeOf(e.Fun)).(*types.Signature)
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
	own := types.Identical(w.Info.TypeOf(x), w.Info.TypeOf(y))
	if !own || !w.Effects.Effectless(x) || !w.Effects.Effectless(y) || w.Src.Node(x) == w.Src.Node(y) || w.Info.IsConstant(x) && w.Info.IsConstant(y) {
		return
	}
	_, named := ast.Unparen(x).(*ast.Ident)
	inferred := named && types.Identical(t, w.Info.TypeOf(x)) && !w.Info.IsConstant(x) && !w.Info.IsConstant(y) && !w.Info.Types[x].IsNil()
	arg, why := w.Calls.TypeArg(t, x.Pos(), !inferred)
	helper := "Alt"
	switch {
	case !w.Effects.Replayable(x) || !w.Effects.Replayable(y):
		why = "argument on several lines"
	case typing.ClassOf(t) == operator.String:
		helper = "Swapped"
	case typing.HasPointers(t):
		why = "what it points to could no longer be kept on the stack"
	}
	base, live := w.offer(&operator.Site{Kind: operator.Arguments}, y, func(operator.Change) (plain.Edit, string) {
		text := w.Src.Node(y) + w.Src.Text(x.End(), y.Pos()) + w.Src.Node(x)
		desc := fmt.Sprintf("exchanged %s and %s", w.Src.Short(x), w.Src.Short(y))
		return plain.Replace(x.Pos(), y.End(), text, desc), cmp.Or(why, w.Order(x, y))
	})
	if len(live) > 0 {
		w.Calls.Wrap(x.Pos(), x.End(), w.Calls.BeginFor(helper, t, arg, "%d, ", base), ", "+w.Src.Node(y)+")")
		w.Calls.Wrap(y.Pos(), y.End(), w.Calls.BeginFor(helper, t, arg, "%d, ", base), ", "+w.Src.Node(x)+")")
	}
}

// field offers to leave a field of a struct literal at its zero value.
func (w *walker) field(kv *ast.KeyValueExpr) {
	key, ok := kv.Key.(*ast.Ident)
	if !ok {
		return
	}
	v, ok := w.Info.Uses[key].(*types.Var)
	if !ok || !v.IsField() {
		return
	}
	e, t := kv.Value, v.Type()
	site := &operator.Site{Kind: operator.Field, Type: t, Value: w.Info.Value(e), IsZero: w.Info.IsZero(e, t)}
	arg, why := w.Calls.TypeArg(t, e.Pos(), !types.Identical(w.Info.TypeOf(e), t) || w.Info.HasUntypedShift(e) || typing.ClassOf(t) == operator.Bool && !typing.PlainBool(t))
	base, live := w.offer(site, e, func(operator.Change) (plain.Edit, string) {
		p, reason := w.fieldEdit(key, e, t)
		return p, cmp.Or(why, w.Order(e), reason)
	})
	if len(live) > 0 {
		w.Calls.Wrap(e.Pos(), e.End(), w.Calls.BeginFor("Ret", t, arg, "%d, ", base), ")")
	}
}

// fieldEdit is the plain edit of a field's value. Its evaluation stays if it could
// be noticed, or uses something for the last time.
func (w *walker) fieldEdit(key *ast.Ident, e ast.Expr, t types.Type) (plain.Edit, string) {
	p := plain.Edit{Lo: e.Pos(), Hi: e.End(), Desc: fmt.Sprintf("left field %s zero", key.Name)}
	var why string
	if !w.Lost(e) && w.Effects.Droppable(e) {
		p.Text, why = w.Values.Zero(t, e.Pos())
		return p, why
	}
	name, ok := w.Types.Name(t, e.Pos(), true)
	old := w.Src.Node(e)
	if !ok {
		return p, typename.CantName
	}
	p.Text = fmt.Sprintf("func(%s) (_ %[1]s) { return }(%s)", name, old)
	return p, ""
}
