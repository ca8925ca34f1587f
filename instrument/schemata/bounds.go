package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// bounds offers the bounds that a slice expression has.
func (w *walker) bounds(e *ast.SliceExpr) {
	if e.Low != nil {
		w.bound(e, e.Low, "")
	}
	if e.High != nil {
		w.bound(e, e.High, "len")
	}
	if e.Max != nil {
		w.bound(e, e.Max, "cap")
	}
}

// bound offers one bound; builtin gives the one that stands where it is absent,
// "" stands for 0.
func (w *walker) bound(e *ast.SliceExpr, b ast.Expr, builtin string) {
	site := &operator.Site{Kind: operator.SliceBound}
	if w.Info.EndsInConstant(b) {
		site.Taken = append(site.Taken, operator.Up, operator.Down)
	}
	absent, why := w.absentBound(e, b, builtin)
	if absent == "" && why == "" {
		site.Taken = append(site.Taken, operator.Drop)
	}
	t := types.Default(w.Info.TypeOf(b))
	arg, cant := w.Calls.TypeArg(t, e.Pos(), w.Info.IsConstant(b) || w.Info.HasUntypedShift(b))
	base, live := w.offer(site, b, func(ch operator.Change) (plain.Edit, string) {
		if ch.Do != operator.Drop {
			return w.movedBound(b, ch.Do), cmp.Or(cant, w.Order(b))
		}
		p, reason := w.droppedBound(e, b, absent)
		return p, cmp.Or(why, cant, w.Order(b), reason)
	})
	if len(live) == 0 {
		return
	}
	if !slices.ContainsFunc(live, func(c operator.Change) bool { return c.Do == operator.Drop }) {
		absent = "0"
	}
	w.Calls.Wrap(b.Pos(), b.End(), w.Calls.BeginFor("Bound", t, arg, "%d, %s, ", base, helper.Alternatives(live, moveCode)), ", "+absent+")")
}

// absentBound writes the bound that stands where b is left out. It is empty if
// there is no use in leaving it out, and with a reason if it can't be written.
func (w *walker) absentBound(e *ast.SliceExpr, b ast.Expr, builtin string) (text, why string) {
	switch {
	case builtin == "" && w.Info.IsConstant(b): // constant-replacement makes it 0
		return "", ""
	case builtin == "":
		return "0", ""
	case e.Slice3 && b == e.High:
		return "", "" // has to be there
	case !w.holdsLength(b):
		return "", "the type of the bound may not hold the length"
	}
	text, why = w.Values.Length(builtin, e.X, e.Pos())
	if text == w.Src.Node(b) {
		return "", ""
	}
	return text, why
}

// holdsLength says whether a bound's type has room for every length.
func (w *walker) holdsLength(b ast.Expr) bool {
	return typing.EachTerm(types.Default(w.Info.TypeOf(b)), func(t types.Type) bool {
		basic, ok := t.Underlying().(*types.Basic)
		if !ok {
			return false
		}
		_, hi := typing.IntRange(basic)
		return hi >= 1<<31-1
	})
}

// movedBound is the plain edit that moves a bound by one.
func (w *walker) movedBound(b ast.Expr, do operator.Action) plain.Edit {
	text := w.Plain.Parenthesised(b, 4) // that of + and -
	if do == operator.Up {
		return plain.Replace(b.Pos(), b.End(), text+"+1", "moved the bound "+w.Src.Short(b)+" up by one")
	}
	return plain.Replace(b.Pos(), b.End(), text+"-1", "moved the bound "+w.Src.Short(b)+" down by one")
}

// droppedBound is the plain edit that leaves a bound out. A bound whose evaluation
// matters is multiplied by nothing.
func (w *walker) droppedBound(e *ast.SliceExpr, b ast.Expr, absent string) (plain.Edit, string) {
	p := plain.Replace(b.Pos(), b.End(), "", "left out the bound "+w.Src.Short(b))
	others := slices.DeleteFunc([]ast.Expr{e.X, e.Low, e.High, e.Max}, func(o ast.Expr) bool { return o == b })
	if w.Effects.Droppable(b, others...) && !w.Lost(b) {
		if b == e.Max { // with its colon
			p.Lo = e.High.End()
		}
		return p, ""
	}
	zero := "0*(" + w.Src.Node(b) + ")"
	if absent == "0" {
		p.Text = zero
		return p, ""
	}
	if w.Info.TypeOf(b) == types.Typ[types.Int] {
		p.Text = absent + "+" + zero
		return p, ""
	}
	name, why := w.Info.Predeclared("int", b.Pos())
	p.Text = fmt.Sprintf("%s+%s(%s)", absent, name, zero)
	return p, why
}
