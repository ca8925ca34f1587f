package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
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
	if w.info.EndsInConstant(b) {
		site.Taken = append(site.Taken, operator.Up, operator.Down)
	}
	absent, why := w.absentBound(e, b, builtin)
	if absent == "" && why == "" {
		site.Taken = append(site.Taken, operator.Drop)
	}
	t := types.Default(w.info.TypeOf(b))
	arg, cant := w.typeArg(t, e.Pos(), w.info.IsConstant(b) || w.info.HasUntypedShift(b))
	base, live := w.offer(site, b, func(ch operator.Change) (plain, string) {
		if ch.Do != operator.Drop {
			return w.movedBound(b, ch.Do), cmp.Or(cant, w.fx.Order(w.within, b))
		}
		p, reason := w.droppedBound(e, b, absent)
		return p, cmp.Or(why, cant, w.fx.Order(w.within, b), reason)
	})
	if len(live) == 0 {
		return
	}
	if !slices.ContainsFunc(live, func(c operator.Change) bool { return c.Do == operator.Drop }) {
		absent = "0"
	}
	w.wrap(b.Pos(), b.End(), w.helperOf("Bound", t, arg, "%d, %s, ", base, alternatives(live, moveCode)), ", "+absent+")")
}

// absentBound writes the bound that stands where b is left out. It is empty if
// there is no use in leaving it out, and with a reason if it can't be written.
func (w *walker) absentBound(e *ast.SliceExpr, b ast.Expr, builtin string) (text, why string) {
	switch {
	case builtin == "" && w.info.IsConstant(b): // constant-replacement makes it 0
		return "", ""
	case builtin == "":
		return "0", ""
	case e.Slice3 && b == e.High:
		return "", "" // has to be there
	case !w.holdsLength(b):
		return "", "the type of the bound may not hold the length"
	}
	text, why = w.lengthText(builtin, e.X, e.Pos())
	if text == w.f.Node(b) {
		return "", ""
	}
	return text, why
}

// holdsLength says whether a bound's type has room for every length.
func (w *walker) holdsLength(b ast.Expr) bool {
	return typing.EachTerm(types.Default(w.info.TypeOf(b)), func(t types.Type) bool {
		basic, ok := t.Underlying().(*types.Basic)
		if !ok {
			return false
		}
		_, hi := typing.IntRange(basic)
		return hi >= 1<<31-1
	})
}

// movedBound is the plain edit that moves a bound by one.
func (w *walker) movedBound(b ast.Expr, do operator.Action) plain {
	text := w.parenthesised(b, 4) // that of + and -
	if do == operator.Up {
		return plain{b.Pos(), b.End(), text + "+1", "moved the bound " + w.f.Short(b) + " up by one"}
	}
	return plain{b.Pos(), b.End(), text + "-1", "moved the bound " + w.f.Short(b) + " down by one"}
}

// droppedBound is the plain edit that leaves a bound out. A bound whose evaluation
// matters is multiplied by nothing.
func (w *walker) droppedBound(e *ast.SliceExpr, b ast.Expr, absent string) (plain, string) {
	p := plain{b.Pos(), b.End(), "", "left out the bound " + w.f.Short(b)}
	others := slices.DeleteFunc([]ast.Expr{e.X, e.Low, e.High, e.Max}, func(o ast.Expr) bool { return o == b })
	if w.fx.Droppable(b, others...) && len(w.r.uses.Lost(w.f.Tok, b.Pos(), b.End())) == 0 {
		if b == e.Max { // with its colon
			p.lo = e.High.End()
		}
		return p, ""
	}
	zero := "0*(" + w.f.Node(b) + ")"
	if absent == "0" {
		p.text = zero
		return p, ""
	}
	if w.info.TypeOf(b) == types.Typ[types.Int] {
		p.text = absent + "+" + zero
		return p, ""
	}
	name, why := w.info.Predeclared("int", b.Pos())
	p.text = fmt.Sprintf("%s+%s(%s)", absent, name, zero)
	return p, why
}
