package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

func (w *walker) returnStmt(s *ast.ReturnStmt) {
	switch {
	case w.results == nil:
	case len(s.Results) == 0:
		w.namedResults(s)
	case len(s.Results) < w.results.Len():
		w.returnCall(s)
	default:
		for i := range s.Results {
			w.result(s, i)
		}
	}
	for i, e := range s.Results {
		w.returned(e, i)
	}
}

// returned walks an operand of a return statement.
func (w *walker) returned(e ast.Expr, i int) {
	c := place{}
	if typing.ClassOf(w.info.TypeOf(e)) == operator.Bool {
		c.decided = true
		w.logic.Settle(e, func(v bool) bool {
			site := &operator.Site{Kind: operator.Result, Class: operator.Bool, Type: w.info.TypeOf(e)}
			return w.logic.Proposes(site, operator.Change{Do: logic.Forcing(v)})
		})
	}
	w.expr(e, c)
}

// result hands one operand of a return statement to a helper.
func (w *walker) result(s *ast.ReturnStmt, i int) {
	e, t := s.Results[i], w.results.At(i).Type()
	site := &operator.Site{
		Kind: operator.Result, Class: typing.ClassOf(t), Type: t,
		Value: w.info.Value(e), IsZero: w.info.IsZero(e, t), NotNil: w.nils.NotNil(s, e),
	}
	inferred := types.Identical(w.info.TypeOf(e), t) && !w.info.IsConstant(e) && !w.info.HasUntypedShift(e) && site.Class != operator.Bool
	if site.Class == operator.Bool {
		inferred = typing.PlainBool(t)
	}
	call := w.resultCall(t, s.Pos(), inferred)
	base, live := w.offer(site, e, func(ch operator.Change) (plain, string) {
		p, reason := w.resultEdit(s, i, t, ch)
		return p, cmp.Or(call.cant(ch), w.fx.Order(w.within, e), reason)
	})
	if len(live) == 0 {
		return
	}
	before, after := call.around(base, live)
	w.wrap(e.Pos(), e.End(), before, after)
	if w.isAhead(s, i) {
		for n, ch := range live {
			val, _ := w.valueText(t, ch, s.Pos())
			text := w.f.Line(s.Pos(), e.Pos()) + " " + val + " " + w.f.Line(e.End(), s.End())
			w.wrap(s.Pos(), s.End(), fmt.Sprintf("if %s { %s }; ", w.helper("Ahead", "", "%d)", base+n), text), "")
		}
	}
}

// isAhead says whether the mutants of result i return without evaluating it: it has
// no effects, but may panic where the plain edit, which drops it, does not.
func (w *walker) isAhead(s *ast.ReturnStmt, i int) bool {
	others := slices.Concat(s.Results[:i], s.Results[i+1:])
	e := s.Results[i]
	return w.fx.Pure(e) && !w.fx.Droppable(e, others...) && w.fx.EffectlessAll(others) &&
		len(w.r.uses.Lost(w.f.Tok, e.Pos(), e.End())) == 0
}

// resultCall writes calls of the helpers for a result of one type.
type resultCall struct {
	w        *walker
	t        types.Type
	pos      token.Pos
	arg, why string // the type argument, or why it can't be written
	inferred bool   // it can be left out if there is a zero value at most
}

func (w *walker) resultCall(t types.Type, pos token.Pos, inferred bool) resultCall {
	arg, why := w.typeArg(t, pos, true)
	return resultCall{w, t, pos, arg, why, inferred}
}

// cant returns why there is no helper for a change.
func (c resultCall) cant(ch operator.Change) string {
	switch ch.Do {
	case operator.Zero, operator.True, operator.False:
		if c.inferred {
			return ""
		}
	}
	return c.why
}

// around returns what stands before and after the original's value.
func (c resultCall) around(base int, live []operator.Change) (before, after string) {
	arg := c.arg
	if c.inferred {
		arg = ""
	}
	switch {
	case typing.ClassOf(c.t) == operator.Bool:
		return c.w.boolHelper("Bool", c.t, arg, "%d, %s, ", base, alternatives(live, boolCode)), ")"
	case len(live) == 1 && live[0].Do == operator.Zero:
		return c.w.helperOf("Ret", c.t, arg, "%d, ", base), ")"
	}
	if slices.ContainsFunc(live, c.allocates) {
		return c.oneByOne(base, live)
	}
	for _, ch := range live {
		text, _ := c.w.valueText(c.t, ch, c.pos)
		after += ", " + text
	}
	return c.w.helperOf("Alt", c.t, c.arg, "%d, ", base), after + ")"
}

// oneByOne gives each alternative a helper of its own. One that allocates memory
// is made by a function, and only for its mutant: tests that count allocations
// hold for all other mutants of the function.
func (c resultCall) oneByOne(base int, live []operator.Change) (before, after string) {
	for i, ch := range live {
		text, _ := c.w.valueText(c.t, ch, c.pos)
		helper := "Alt"
		if c.allocates(ch) {
			helper = "New"
			text = fmt.Sprintf("func() %s { return %s }", c.arg[1:len(c.arg)-1], text)
		}
		before = c.w.helper(helper, c.arg, "%d, ", base+i) + before
		after += ", " + text + ")"
	}
	return before, after
}

// allocates says whether to make a change's value takes memory.
func (c resultCall) allocates(ch operator.Change) bool { return c.w.allocates(c.t, ch, c.pos) }

func (w *walker) allocates(t types.Type, ch operator.Change, pos token.Pos) bool {
	switch ch.Do {
	case operator.Fresh:
		_, slice := t.Underlying().(*types.Slice) // an empty one takes none
		return !slice
	case operator.NewError:
		text, _ := w.newError(pos)
		return strings.HasSuffix(text, ")")
	}
	return false
}

// namedResults gives named results other values before a return statement without
// operands. They are assigned to only while a mutant is active: a goroutine that
// the function started could be using them.
func (w *walker) namedResults(s *ast.ReturnStmt) {
	for i := range w.results.Len() {
		v := w.results.At(i)
		site := &operator.Site{
			Kind: operator.Result, Named: true, Class: typing.ClassOf(v.Type()), Type: v.Type(), NotNil: w.nils.Proved(s, v),
		}
		if v.Name() == "_" {
			continue // nothing can be assigned to it
		}
		base, live := w.offer(site, s, func(ch operator.Change) (plain, string) {
			val, why := w.valueText(v.Type(), ch, s.Pos())
			text := fmt.Sprintf("%s = %s; return", v.Name(), val)
			return plain{s.Pos(), s.End(), text, fmt.Sprintf("returned %s instead of %s", val, v.Name())}, why
		})
		for n, ch := range live {
			val, _ := w.valueText(v.Type(), ch, s.Pos())
			test := w.helper("Gives", "", "%d, %s, %s)", base+n, v.Name(), val)
			if w.r.Race || w.allocates(v.Type(), ch, s.Pos()) { // even to look at the result could be a race
				test = w.helper("On", "", "%d)", base+n)
			}
			w.wrap(s.Pos(), s.End(), fmt.Sprintf("if %s { %s = %s }; ", test, v.Name(), val), "")
		}
	}
}

// resultEdit is the plain edit that returns another value in the place of result
// i. What the result's expression does besides is kept.
func (w *walker) resultEdit(s *ast.ReturnStmt, i int, t types.Type, ch operator.Change) (plain, string) {
	e := s.Results[i]
	val, why := w.valueText(t, ch, s.Pos())
	switch {
	case why != "":
		return plain{}, why
	case ch.Do == operator.Fresh && w.info.IsFresh(e):
		return plain{}, "the same program: empty, and not nil"
	}
	p := plain{lo: e.Pos(), hi: e.End(), text: val, desc: fmt.Sprintf("returned %s instead of %s", val, w.f.Short(e))}
	lost := len(w.r.uses.Lost(w.f.Tok, e.Pos(), e.End())) > 0
	others := slices.Concat(s.Results[:i], s.Results[i+1:])
	if !lost && (w.fx.Droppable(e, others...) || w.isAhead(s, i)) {
		return p, ""
	}
	old := w.f.Node(e)
	switch ch.Do {
	case operator.True:
		p.text = old + " || true"
		return p, ""
	case operator.False:
		p.text = w.parenthesised(e, token.LAND.Precedence()) + " && false"
		return p, ""
	}
	if w.fx.AllPure(s.Results[:i]) {
		p.lo, p.hi = s.Pos(), s.End()
		p.text = fmt.Sprintf("_ = %s; %s%s%s", old, w.f.Text(s.Pos(), e.Pos()), val, w.f.Text(e.End(), s.End()))
		return p, ""
	}
	p.text, why = w.instead(e, t, val)
	return p, why
}

// instead is an expression of type t that evaluates e and gives val.
func (w *walker) instead(e ast.Expr, t types.Type, val string) (text, why string) {
	name, ok := w.r.types.Name(t, e.Pos(), true)
	old := w.f.Node(e)
	switch {
	case !ok:
		return "", cantName
	case strings.Contains(old, "recover"):
		return "", "recover can't be moved into a function literal"
	}
	return fmt.Sprintf("func() %s { _ = %s; return %s }()", name, old, val), ""
}

// valueText writes the value a result mutant returns. It means the same in the
// source and in the copied bodies.
func (w *walker) valueText(t types.Type, ch operator.Change, pos token.Pos) (text, why string) {
	switch ch.Do {
	case operator.True:
		return w.info.Predeclared("true", pos)
	case operator.False:
		return w.info.Predeclared("false", pos)
	case operator.Replace:
		return ch.Value.ExactString(), ""
	case operator.Fresh:
		return w.freshText(t, pos)
	case operator.NewError:
		return w.newError(pos)
	}
	return w.zeroText(t, pos)
}

func (w *walker) zeroText(t types.Type, pos token.Pos) (text, why string) {
	switch {
	case typing.ClassOf(t) == operator.Bool:
		return w.info.Predeclared("false", pos)
	case typing.IsTypeParam(t):
		name, ok := w.r.types.Name(t, pos, true)
		if _, hidden := w.info.Predeclared("new", pos); !ok || hidden != "" {
			return "", cantName
		}
		return "*new(" + name + ")", ""
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			return "0", ""
		case u.Info()&types.IsString != 0:
			return `""`, ""
		}
	case *types.Struct, *types.Array:
		name, ok := w.r.types.Name(t, pos, true)
		if !ok {
			return "", cantName
		}
		return name + "{}", ""
	}
	return w.info.Predeclared("nil", pos)
}

// freshText writes an empty slice or map, or a pointer to a zero value.
func (w *walker) freshText(t types.Type, pos token.Pos) (text, why string) {
	format := "%s{}"
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if _, why := w.info.Predeclared("new", pos); why != "" {
			return "", why
		}
		t, format = p.Elem(), "new(%s)"
	}
	name, ok := w.r.types.Name(t, pos, true)
	if !ok {
		return "", cantName
	}
	return fmt.Sprintf(format, name), ""
}

// returnCall gives the results of `return f()` names, so that each can be handed
// to a helper.
func (w *walker) returnCall(s *ast.ReturnStmt) {
	call := s.Results[0]
	tuple, ok := w.info.TypeOf(call).(*types.Tuple)
	if !ok {
		return
	}
	operands := make([]string, tuple.Len())
	any := false
	for i := range operands {
		operands[i] = fmt.Sprintf("%s%d", w.r.names.result, i)
		t := w.results.At(i).Type()
		helper := w.resultCall(t, s.Pos(), types.Identical(tuple.At(i).Type(), t))
		site := &operator.Site{Kind: operator.Result, Class: typing.ClassOf(t), Type: t}
		base, live := w.offer(site, s, func(ch operator.Change) (plain, string) {
			p, reason := w.returnCallEdit(s, i, tuple.Len(), t, ch)
			return p, cmp.Or(helper.cant(ch), reason)
		})
		if len(live) == 0 {
			continue
		}
		before, after := helper.around(base, live)
		operands[i] = before + operands[i] + after
		any = true
	}
	if !any {
		return
	}
	var vars []string
	for i := range operands {
		vars = append(vars, fmt.Sprintf("%s%d", w.r.names.result, i))
	}
	w.replaceOp(s.Return, token.RETURN, "{ "+strings.Join(vars, ", ")+" :=")
	w.wrap(call.Pos(), call.End(), "", "; return "+strings.Join(operands, ", ")+" }")
}

// returnCallEdit is the plain edit for result i of n of `return f()`.
func (w *walker) returnCallEdit(s *ast.ReturnStmt, i, n int, t types.Type, ch operator.Change) (plain, string) {
	val, why := w.valueText(t, ch, s.Pos())
	if why != "" {
		return plain{}, why
	}
	vars, operands := make([]string, n), make([]string, n)
	for j := range n {
		vars[j] = fmt.Sprintf("%s%d", w.r.names.result, j)
		operands[j] = vars[j]
	}
	vars[i], operands[i] = "_", val
	return plain{
		s.Pos(), s.End(),
		fmt.Sprintf("{ %s := %s; return %s }", strings.Join(vars, ", "), w.f.Node(s.Results[0]), strings.Join(operands, ", ")),
		fmt.Sprintf("returned %s for result %d of %s", val, i, w.f.Short(s.Results[0])),
	}, ""
}
