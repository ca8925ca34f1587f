package schemata

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
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

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

// element offers the index of an element. The helper gets the length along with
// it; an operand that can't be asked twice for its length is handed over itself.
func (w *walker) element(e *ast.IndexExpr) {
	if w.Info.EndsInConstant(e.Index) {
		return // constant-replacement moves it
	}
	length, why := w.Values.Length("len", e.X, e.X.Pos())
	pointed := length == ""
	t := w.Info.TypeOf(e.Index)
	arg, cant := w.Calls.TypeArg(t, e.Pos(), w.Info.HasUntypedShift(e.Index))
	if pointed {
		why = w.pointedReason(e)
	}
	base, live := w.offer(&operator.Site{Kind: operator.Index}, e.Index, func(ch operator.Change) (plain.Edit, string) {
		p, reason := w.indexEdit(e, ch.Do, length)
		return p, cmp.Or(why, cant, w.Order(e.Index), reason)
	})
	switch {
	case len(live) == 0:
	case pointed:
		w.replaceElement(e, base, helper.Alternatives(live, moveCode))
	default:
		w.Calls.Wrap(e.Index.Pos(), e.Index.End(), w.Calls.BeginFor("Index", t, arg, "%d, %s, ", base, helper.Alternatives(live, moveCode)), ", "+length+")")
	}
}

// pointedReason says why an operand and its index can't be handed to a helper
// together.
func (w *walker) pointedReason(e *ast.IndexExpr) string {
	switch t := typing.Core(w.Info.TypeOf(e.X)).(type) {
	case *types.Slice:
	case *types.Basic:
		if typing.ClassOf(w.Info.TypeOf(e.X)) != operator.String {
			return "operand that may have effects"
		}
	default:
		return fmt.Sprintf("operand that may have effects, of type %v", t)
	}
	if w.Info.HasUntypedShift(e.Index) {
		return "index with a shift of an untyped constant"
	}
	return w.Order(e.X)
}

// replaceElement makes a helper call of x[i], or of a slice what a helper's result
// points to, since it may be assigned to.
func (w *walker) replaceElement(e *ast.IndexExpr, base int, alts string) {
	before, after := w.Calls.Begin("CharAt", "", "%d, %s, ", base, alts), ")"
	if _, ok := typing.Core(w.Info.TypeOf(e.X)).(*types.Slice); ok {
		before, after = "(*"+w.Calls.Begin("At", "", "%d, %s, ", base, alts), "))"
	}
	w.Calls.Wrap(e.Pos(), e.End(), before, "")
	w.Slow.Replace(w.Src.Off(e.Lbrack), w.Src.Off(e.Lbrack)+1, ", ")
	w.Slow.Replace(w.Src.Off(e.Rbrack), w.Src.Off(e.Rbrack)+1, after)
}

// indexEdit is the plain edit of an index. Without effects and in a new enough
// language that is an expression; otherwise a function literal evaluates it once.
func (w *walker) indexEdit(e *ast.IndexExpr, do operator.Action, length string) (plain.Edit, string) {
	p := plain.Replace(e.Index.Pos(), e.Index.End(), "", "took the element behind "+w.Src.Short(e))
	if do == operator.Down {
		p.Desc = "took the element before " + w.Src.Short(e)
	}
	if length == "" {
		return w.elementEdit(e, do, p)
	}
	i, last := w.Src.Node(e.Index), minusOne(length)
	if w.simpleIndex(e.Index) {
		if p.Text = fmt.Sprintf("min(%s+1, max(%[1]s, %s))", i, last); do == operator.Down {
			p.Text = fmt.Sprintf("max(%s-1, min(%[1]s, 0))", i)
		}
		return p, ""
	}
	name, ok := w.Types.Name(w.Info.TypeOf(e.Index), e.Pos(), true)
	if !ok {
		return p, typename.CantName
	}
	step, why := w.stepText(do, last, e.Pos())
	tmp := w.Names.Result + "0"
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
func (w *walker) simpleIndex(i ast.Expr) bool {
	if w.Info.TypeOf(i) != types.Typ[types.Int] || !w.Effects.Replayable(i) || w.Info.HasUntypedShift(i) || w.Src.OlderThan("go1.21") {
		return false
	}
	if b, ok := i.(*ast.BinaryExpr); ok && b.Op.Precedence() < token.ADD.Precedence() {
		return false
	}
	_, noMin := w.Info.Predeclared("min", i.Pos())
	_, noMax := w.Info.Predeclared("max", i.Pos())
	return noMin == "" && noMax == ""
}

// stepText moves the variable of a function literal, if it can be moved.
func (w *walker) stepText(do operator.Action, last string, pos token.Pos) (text, why string) {
	tmp := w.Names.Result + "0"
	if do == operator.Down {
		return fmt.Sprintf("if %s > 0 { %[1]s-- }", tmp), ""
	}
	wide, why := w.Info.Predeclared("int64", pos)
	return fmt.Sprintf("if %s(%s) < %[1]s(%[3]s) { %[2]s++ }", wide, tmp, last), why
}

// elementEdit is the plain edit of x[i] whose x can't be evaluated once more.
func (w *walker) elementEdit(e *ast.IndexExpr, do operator.Action, p plain.Edit) (plain.Edit, string) {
	length, why := w.Info.Predeclared("len", e.Pos())
	x, xok := w.Types.Name(w.Info.TypeOf(e.X), e.Pos(), true)
	i, iok := w.Types.Name(w.Info.TypeOf(e.Index), e.Pos(), true)
	elem, eok := w.Types.Name(w.Info.TypeOf(e), e.Pos(), true)
	if !xok || !iok || !eok {
		return p, typename.CantName
	}
	operand := w.Names.Result + "1"
	step, reason := w.stepText(do, length+"("+operand+")-1", e.Pos())
	format := "func(%s %s, %s %s) %s { %s; return %[1]s[%[3]s] }(%[7]s, %s)"
	if _, ok := typing.Core(w.Info.TypeOf(e.X)).(*types.Slice); ok {
		format = "(*func(%s %s, %s %s) *%s { %s; return &%[1]s[%[3]s] }(%[7]s, %s))"
	}
	old := w.Src.Node(e.Index)
	p.Lo, p.Hi = e.Pos(), e.End()
	p.Text = fmt.Sprintf(format, operand, x, w.Names.Result+"0", i, elem, step, w.Src.Node(e.X), old)
	return p, cmp.Or(why, reason, plain.CantMove(w.Src.Node(e)))
}
