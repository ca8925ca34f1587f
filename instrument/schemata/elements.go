package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
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
	if w.info.EndsInConstant(e.Index) {
		return // constant-replacement moves it
	}
	length, why := w.lengthText("len", e.X, e.X.Pos())
	pointed := length == ""
	t := w.info.TypeOf(e.Index)
	arg, cant := w.typeArg(t, e.Pos(), w.info.HasUntypedShift(e.Index))
	if pointed {
		why = w.pointedReason(e)
	}
	base, live := w.offer(&operator.Site{Kind: operator.Index}, e.Index, func(ch operator.Change) (plain, string) {
		p, reason := w.indexEdit(e, ch.Do, length)
		return p, cmp.Or(why, cant, w.fx.Order(w.within, e.Index), reason)
	})
	switch {
	case len(live) == 0:
	case pointed:
		w.replaceElement(e, base, alternatives(live, moveCode))
	default:
		w.wrap(e.Index.Pos(), e.Index.End(), w.helperOf("Index", t, arg, "%d, %s, ", base, alternatives(live, moveCode)), ", "+length+")")
	}
}

// pointedReason says why an operand and its index can't be handed to a helper
// together.
func (w *walker) pointedReason(e *ast.IndexExpr) string {
	switch t := typing.Core(w.info.TypeOf(e.X)).(type) {
	case *types.Slice:
	case *types.Basic:
		if typing.ClassOf(w.info.TypeOf(e.X)) != operator.String {
			return "operand that may have effects"
		}
	default:
		return fmt.Sprintf("operand that may have effects, of type %v", t)
	}
	if w.info.HasUntypedShift(e.Index) {
		return "index with a shift of an untyped constant"
	}
	return w.fx.Order(w.within, e.X)
}

// replaceElement makes a helper call of x[i], or of a slice what a helper's result
// points to, since it may be assigned to.
func (w *walker) replaceElement(e *ast.IndexExpr, base int, alts string) {
	before, after := w.helper("CharAt", "", "%d, %s, ", base, alts), ")"
	if _, ok := typing.Core(w.info.TypeOf(e.X)).(*types.Slice); ok {
		before, after = "(*"+w.helper("At", "", "%d, %s, ", base, alts), "))"
	}
	w.wrap(e.Pos(), e.End(), before, "")
	w.f.slow.Replace(w.f.Off(e.Lbrack), w.f.Off(e.Lbrack)+1, ", ")
	w.f.slow.Replace(w.f.Off(e.Rbrack), w.f.Off(e.Rbrack)+1, after)
}

// lengthText writes the length, or with "cap" the capacity, of an operand: a
// number for arrays and constants. It is empty, with the reason, where the operand
// can't be evaluated once more.
func (w *walker) lengthText(builtin string, x ast.Expr, pos token.Pos) (text, why string) {
	if n := w.info.Length(x); n >= 0 && !typing.IsTypeParam(w.info.TypeOf(x)) {
		return fmt.Sprint(n), ""
	}
	if !w.fx.Replayable(x) {
		return "", "operand that may have effects"
	}
	name, why := w.info.Predeclared(builtin, pos)
	if why != "" {
		return "", why
	}
	return name + "(" + w.f.Node(x) + ")", ""
}

// indexEdit is the plain edit of an index. Without effects and in a new enough
// language that is an expression; otherwise a function literal evaluates it once.
func (w *walker) indexEdit(e *ast.IndexExpr, do operator.Action, length string) (plain, string) {
	p := plain{e.Index.Pos(), e.Index.End(), "", "took the element behind " + w.f.Short(e)}
	if do == operator.Down {
		p.desc = "took the element before " + w.f.Short(e)
	}
	if length == "" {
		return w.elementEdit(e, do, p)
	}
	i, last := w.f.Node(e.Index), minusOne(length)
	if w.simpleIndex(e.Index) {
		if p.text = fmt.Sprintf("min(%s+1, max(%[1]s, %s))", i, last); do == operator.Down {
			p.text = fmt.Sprintf("max(%s-1, min(%[1]s, 0))", i)
		}
		return p, ""
	}
	name, ok := w.r.types.Name(w.info.TypeOf(e.Index), e.Pos(), true)
	if !ok {
		return p, cantName
	}
	step, why := w.stepText(do, last, e.Pos())
	tmp := w.r.names.result + "0"
	p.text = fmt.Sprintf("func(%s %s) %[2]s { %s; return %[1]s }(%[4]s)", tmp, name, step, i)
	return p, cmp.Or(why, cantMove(i))
}

// minusOne writes a length less one.
func minusOne(length string) string {
	if n := constant.MakeFromLiteral(length, token.INT, 0); n.Kind() == constant.Int {
		return constant.BinaryOp(n, token.SUB, constant.MakeInt64(1)).ExactString()
	}
	return length + "-1"
}

// cantMove says why code can't stand in a function literal.
func cantMove(text string) string {
	if strings.Contains(text, "recover") {
		return "recover can't be moved into a function literal"
	}
	return ""
}

// simpleIndex says whether an index can be compared with a length as it is.
func (w *walker) simpleIndex(i ast.Expr) bool {
	if w.info.TypeOf(i) != types.Typ[types.Int] || !w.fx.Replayable(i) || w.info.HasUntypedShift(i) || w.f.olderThan("go1.21") {
		return false
	}
	if b, ok := i.(*ast.BinaryExpr); ok && b.Op.Precedence() < token.ADD.Precedence() {
		return false
	}
	_, noMin := w.info.Predeclared("min", i.Pos())
	_, noMax := w.info.Predeclared("max", i.Pos())
	return noMin == "" && noMax == ""
}

// stepText moves the variable of a function literal, if it can be moved.
func (w *walker) stepText(do operator.Action, last string, pos token.Pos) (text, why string) {
	tmp := w.r.names.result + "0"
	if do == operator.Down {
		return fmt.Sprintf("if %s > 0 { %[1]s-- }", tmp), ""
	}
	wide, why := w.info.Predeclared("int64", pos)
	return fmt.Sprintf("if %s(%s) < %[1]s(%[3]s) { %[2]s++ }", wide, tmp, last), why
}

// elementEdit is the plain edit of x[i] whose x can't be evaluated once more.
func (w *walker) elementEdit(e *ast.IndexExpr, do operator.Action, p plain) (plain, string) {
	length, why := w.info.Predeclared("len", e.Pos())
	x, xok := w.r.types.Name(w.info.TypeOf(e.X), e.Pos(), true)
	i, iok := w.r.types.Name(w.info.TypeOf(e.Index), e.Pos(), true)
	elem, eok := w.r.types.Name(w.info.TypeOf(e), e.Pos(), true)
	if !xok || !iok || !eok {
		return p, cantName
	}
	operand := w.r.names.result + "1"
	step, reason := w.stepText(do, length+"("+operand+")-1", e.Pos())
	format := "func(%s %s, %s %s) %s { %s; return %[1]s[%[3]s] }(%[7]s, %s)"
	if _, ok := typing.Core(w.info.TypeOf(e.X)).(*types.Slice); ok {
		format = "(*func(%s %s, %s %s) *%s { %s; return &%[1]s[%[3]s] }(%[7]s, %s))"
	}
	old := w.f.Node(e.Index)
	p.lo, p.hi = e.Pos(), e.End()
	p.text = fmt.Sprintf(format, operand, x, w.r.names.result+"0", i, elem, step, w.f.Node(e.X), old)
	return p, cmp.Or(why, reason, cantMove(w.f.Node(e)))
}
