package expressions

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// element offers the index of an element. The helper gets the length along with
// it; an operand that can't be asked twice for its length is handed over itself.
func element(cx *site.Context, e ast.Expr, _ site.Place) {
	x, ok := e.(*ast.IndexExpr)
	if !ok || typing.IsMap(cx.Info.TypeOf(x.X)) || cx.Info.EndsInConstant(x.Index) { // constant-replacement moves it
		return
	}
	k := &elementSite{Context: cx, e: x}
	k.length, k.why = cx.Values.Length("len", x.X, x.X.Pos())
	var cant reasons.Reason
	k.arg, cant = cx.Calls.TypeArg(cx.Info.TypeOf(x.Index), x.Pos(), cx.Info.HasUntypedShift(x.Index))
	if k.length == "" {
		k.why = pointedReason(cx, x)
	}
	k.why = cmp.Or(k.why, cant, cx.Order(x.Index))
	cx.Offer(k)
}

type elementSite struct {
	*site.Context
	e      *ast.IndexExpr
	length string // of the operand; "" if that is handed over
	arg    string
	why    reasons.Reason
}

func (k *elementSite) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Index}, k.e.Index
}

func (k *elementSite) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	p, reason := indexEdit(k.Context, k.e, ch.Do, k.length)
	return p, cmp.Or(k.why, reason)
}

func (k *elementSite) Schemata(base int, live []operator.Change) {
	i, alts := k.e.Index, helper.Alternatives(live, moveCode)
	if k.length == "" {
		replaceElement(k.Context, k.e, base, alts)
		return
	}
	k.Calls.Wrap(i.Pos(), i.End(), k.Calls.BeginFor("Index", k.Info.TypeOf(i), k.arg, "%d, %s, ", base, alts), ", "+k.length+")")
}

// moveCode returns the core's code of a change of an index, a bound or a length.
func moveCode(c operator.Change) int {
	switch c.Do {
	case operator.Up:
		return codes.Up
	case operator.Down:
		return codes.Down
	}
	return codes.Away
}

// pointedReason says why an operand and its index can't be handed to a helper
// together.
func pointedReason(cx *site.Context, e *ast.IndexExpr) reasons.Reason {
	switch t := typing.Core(cx.Info.TypeOf(e.X)).(type) {
	case *types.Slice:
	case *types.Basic:
		if typing.ClassOf(cx.Info.TypeOf(e.X)) != operator.String {
			return reasons.HasEffects
		}
	default:
		return reasons.EffectsOfType.With(t.String())
	}
	if cx.Info.HasUntypedShift(e.Index) {
		return reasons.IndexShift
	}
	return cx.Order(e.X)
}

// replaceElement makes a helper call of x[i], or of a slice what a helper's result
// points to, since it may be assigned to.
func replaceElement(cx *site.Context, e *ast.IndexExpr, base int, alts string) {
	before, after := cx.Calls.Begin("CharAt", "", "%d, %s, ", base, alts), ")"
	if _, ok := typing.Core(cx.Info.TypeOf(e.X)).(*types.Slice); ok {
		before, after = "(*"+cx.Calls.Begin("At", "", "%d, %s, ", base, alts), "))"
	}
	cx.Calls.Wrap(e.Pos(), e.End(), before, "")
	cx.Slow.Replace(cx.Src.Off(e.Lbrack), cx.Src.Off(e.Lbrack)+1, ", ")
	cx.Slow.Replace(cx.Src.Off(e.Rbrack), cx.Src.Off(e.Rbrack)+1, after)
}

// indexEdit is the plain edit of an index. Without effects and in a new enough
// language that is an expression; otherwise a function literal evaluates it once.
func indexEdit(cx *site.Context, e *ast.IndexExpr, do operator.Action, length string) (plain.Edit, reasons.Reason) {
	p := plain.Replace(e.Index.Pos(), e.Index.End(), "", "took the element after "+cx.Src.Short(e))
	if do == operator.Down {
		p.Desc = "took the element before " + cx.Src.Short(e)
	}
	if length == "" {
		return elementEdit(cx, e, do, p)
	}
	i, last := cx.Src.Node(e.Index), minusOne(length)
	if simpleIndex(cx, e.Index) {
		if p.Text = fmt.Sprintf("min(%s+1, max(%[1]s, %s))", i, last); do == operator.Down {
			p.Text = fmt.Sprintf("max(%s-1, min(%[1]s, 0))", i)
		}
		return p, nil
	}
	name, ok := cx.Types.Name(cx.Info.TypeOf(e.Index), e.Pos(), true)
	if !ok {
		return p, reasons.CantName
	}
	step, why := stepText(cx, do, last, e.Pos())
	tmp := cx.Names.Result + "0"
	p.Text = fmt.Sprintf("func(%s %s) %[2]s { %s; return %[1]s }(%[4]s)", tmp, name, step, i)
	return p, cmp.Or(why, plain.CantMove(i))
}

// minusOne writes a length less one.
func minusOne(length string) string {
	if n := constant.MakeFromLiteral(length, token.INT, 0); n.Kind() == constant.Int {
		return constant.BinaryOp(n, token.SUB, constant.MakeInt64(1)).ExactString()
	}
	return length + "-1"
}

// simpleIndex says whether an index can be compared with a length as it is.
func simpleIndex(cx *site.Context, i ast.Expr) bool {
	if cx.Info.TypeOf(i) != types.Typ[types.Int] || !cx.Effects.Replayable(i) || cx.Info.HasUntypedShift(i) || cx.Src.OlderThan("go1.21") {
		return false
	}
	if b, ok := i.(*ast.BinaryExpr); ok && b.Op.Precedence() < token.ADD.Precedence() {
		return false
	}
	_, noMin := cx.Info.Predeclared("min", i.Pos())
	_, noMax := cx.Info.Predeclared("max", i.Pos())
	return noMin == nil && noMax == nil
}

// stepText moves the variable of a function literal, if it can be moved.
func stepText(cx *site.Context, do operator.Action, last string, pos token.Pos) (text string, why reasons.Reason) {
	tmp := cx.Names.Result + "0"
	if do == operator.Down {
		return fmt.Sprintf("if %s > 0 { %[1]s-- }", tmp), nil
	}
	wide, why := cx.Info.Predeclared("int64", pos)
	return fmt.Sprintf("if %s(%s) < %[1]s(%[3]s) { %[2]s++ }", wide, tmp, last), why
}

// elementEdit is the plain edit of x[i] whose x can't be evaluated once more.
func elementEdit(cx *site.Context, e *ast.IndexExpr, do operator.Action, p plain.Edit) (plain.Edit, reasons.Reason) {
	length, why := cx.Info.Predeclared("len", e.Pos())
	x, xok := cx.Types.Name(cx.Info.TypeOf(e.X), e.Pos(), true)
	i, iok := cx.Types.Name(cx.Info.TypeOf(e.Index), e.Pos(), true)
	elem, eok := cx.Types.Name(cx.Info.TypeOf(e), e.Pos(), true)
	if !xok || !iok || !eok {
		return p, reasons.CantName
	}
	operand := cx.Names.Result + "1"
	step, reason := stepText(cx, do, length+"("+operand+")-1", e.Pos())
	format := "func(%s %s, %s %s) %s { %s; return %[1]s[%[3]s] }(%[7]s, %s)"
	if _, ok := typing.Core(cx.Info.TypeOf(e.X)).(*types.Slice); ok {
		format = "(*func(%s %s, %s %s) *%s { %s; return &%[1]s[%[3]s] }(%[7]s, %s))"
	}
	old := cx.Src.Node(e.Index)
	p.Lo, p.Hi = e.Pos(), e.End()
	p.Text = fmt.Sprintf(format, operand, x, cx.Names.Result+"0", i, elem, step, cx.Src.Node(e.X), old)
	return p, cmp.Or(why, reason, plain.CantMove(cx.Src.Node(e)))
}
