package expressions

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// bounds offers the bounds that a slice expression has.
func bounds(cx *site.Context, e ast.Expr, _ site.Place) {
	s, ok := e.(*ast.SliceExpr)
	if !ok {
		return
	}
	if s.Low != nil {
		offerBound(cx, s, s.Low, "")
	}
	if s.High != nil {
		offerBound(cx, s, s.High, "len")
	}
	if s.Max != nil {
		offerBound(cx, s, s.Max, "cap")
	}
}

// offerBound offers one bound; builtin gives the one that stands where it is absent,
// "" stands for 0.
func offerBound(cx *site.Context, e *ast.SliceExpr, b ast.Expr, builtin string) {
	k := &bound{Context: cx, e: e, b: b}
	k.absent, k.why = absentBound(cx, e, b, builtin)
	t := types.Default(cx.Info.TypeOf(b))
	k.arg, k.cant = cx.Calls.TypeArg(t, e.Pos(), cx.Info.IsConstant(b) || cx.Info.HasUntypedShift(b))
	cx.Offer(k)
}

type bound struct {
	*site.Context
	e      *ast.SliceExpr
	b      ast.Expr
	absent string // what stands where it is absent, or why that can't be written
	why    reasons.Reason
	arg    string
	cant   reasons.Reason
}

func (k *bound) Describe() (*operator.Site, ast.Node) {
	s := &operator.Site{Kind: operator.SliceBound}
	if k.Info.EndsInConstant(k.b) {
		s.Taken = append(s.Taken, operator.Up, operator.Down)
	}
	if k.absent == "" && k.why == nil {
		s.Taken = append(s.Taken, operator.Drop)
	}
	return s, k.b
}

func (k *bound) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	if ch.Do != operator.Drop {
		return movedBound(k.Context, k.b, ch.Do), cmp.Or(k.cant, k.Order(k.b))
	}
	p, reason := droppedBound(k.Context, k.e, k.b, k.absent)
	return p, cmp.Or(k.why, k.cant, k.Order(k.b), reason)
}

func (k *bound) Schemata(base int, live []operator.Change) {
	absent := k.absent
	if !slices.ContainsFunc(live, func(c operator.Change) bool { return c.Do == operator.Drop }) {
		absent = "0"
	}
	t := types.Default(k.Info.TypeOf(k.b))
	k.Calls.Wrap(k.b.Pos(), k.b.End(), k.Calls.BeginFor("Bound", t, k.arg, "%d, %s, ", base, helper.Alternatives(live, moveCode)), ", "+absent+")")
}

// absentBound writes the bound that stands where b is left out. It is empty if
// there is no use in leaving it out, and with a reason if it can't be written.
func absentBound(cx *site.Context, e *ast.SliceExpr, b ast.Expr, builtin string) (text string, why reasons.Reason) {
	switch {
	case builtin == "" && cx.Info.IsConstant(b): // constant-replacement makes it 0
		return "", nil
	case builtin == "":
		return "0", nil
	case e.Slice3 && b == e.High:
		return "", nil // has to be there
	case !holdsLength(cx, b):
		return "", reasons.NarrowBound
	}
	text, why = cx.Values.Length(builtin, e.X, e.Pos())
	if text == cx.Src.Node(b) {
		return "", nil
	}
	return text, why
}

// holdsLength says whether a bound's type has room for every length.
func holdsLength(cx *site.Context, b ast.Expr) bool {
	return typing.EachTerm(types.Default(cx.Info.TypeOf(b)), func(t types.Type) bool {
		basic, ok := t.Underlying().(*types.Basic)
		if !ok {
			return false
		}
		_, hi := typing.IntRange(basic)
		return hi >= 1<<31-1
	})
}

// movedBound is the plain edit that moves a bound by one.
func movedBound(cx *site.Context, b ast.Expr, do operator.Action) plain.Edit {
	text := cx.Plain.Parenthesised(b, 4) // that of + and -
	if do == operator.Up {
		return plain.Replace(b.Pos(), b.End(), text+"+1", "moved the bound "+cx.Src.Short(b)+" up by one")
	}
	return plain.Replace(b.Pos(), b.End(), text+"-1", "moved the bound "+cx.Src.Short(b)+" down by one")
}

// droppedBound is the plain edit that leaves a bound out. A bound whose evaluation
// matters is multiplied by nothing.
func droppedBound(cx *site.Context, e *ast.SliceExpr, b ast.Expr, absent string) (plain.Edit, reasons.Reason) {
	p := plain.Replace(b.Pos(), b.End(), "", "removed the bound "+cx.Src.Short(b))
	others := slices.DeleteFunc([]ast.Expr{e.X, e.Low, e.High, e.Max}, func(o ast.Expr) bool { return o == b })
	if cx.Effects.Droppable(b, others...) && !cx.Lost(b) {
		if b == e.Max { // with its colon
			p.Lo = e.High.End()
		}
		return p, nil
	}
	zero := "0*(" + cx.Src.Node(b) + ")"
	if absent == "0" {
		p.Text = zero
		return p, nil
	}
	if cx.Info.TypeOf(b) == types.Typ[types.Int] {
		p.Text = absent + "+" + zero
		return p, nil
	}
	name, why := cx.Info.Predeclared("int", b.Pos())
	p.Text = fmt.Sprintf("%s+%s(%s)", absent, name, zero)
	return p, why
}
