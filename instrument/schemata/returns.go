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
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

func (w *walker) returnStmt(s *ast.ReturnStmt) {
	switch {
	case w.Results == nil:
	case len(s.Results) == 0:
		w.namedResults(s)
	case len(s.Results) < w.Results.Len():
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
	c := site.Place{}
	if typing.ClassOf(w.Info.TypeOf(e)) == operator.Bool {
		c.Decided = true
		w.Logic.Settle(e, func(v bool) bool {
			site := &operator.Site{Kind: operator.Result, Class: operator.Bool, Type: w.Info.TypeOf(e)}
			return w.Logic.Proposes(site, operator.Change{Do: logic.Forcing(v)})
		})
	}
	w.expr(e, c)
}

// result hands one operand of a return statement to a helper.
func (w *walker) result(s *ast.ReturnStmt, i int) {
	e, t := s.Results[i], w.Results.At(i).Type()
	site := &operator.Site{
		Kind: operator.Result, Class: typing.ClassOf(t), Type: t,
		Value: w.Info.Value(e), IsZero: w.Info.IsZero(e, t), NotNil: w.Nils.NotNil(s, e),
	}
	inferred := types.Identical(w.Info.TypeOf(e), t) && !w.Info.IsConstant(e) && !w.Info.HasUntypedShift(e) && site.Class != operator.Bool
	if site.Class == operator.Bool {
		inferred = typing.PlainBool(t)
	}
	call := w.resultCall(t, s.Pos(), inferred)
	base, live := w.offer(site, e, func(ch operator.Change) (plain.Edit, string) {
		p, reason := w.resultEdit(s, i, t, ch)
		return p, cmp.Or(call.cant(ch), w.Order(e), reason)
	})
	if len(live) == 0 {
		return
	}
	before, after := call.around(base, live)
	w.Calls.Wrap(e.Pos(), e.End(), before, after)
	if w.isAhead(s, i) {
		for n, ch := range live {
			val, _ := w.Values.Result(t, ch, s.Pos())
			text := w.Src.Line(s.Pos(), e.Pos()) + " " + val + " " + w.Src.Line(e.End(), s.End())
			w.Calls.Wrap(s.Pos(), s.End(), fmt.Sprintf("if %s { %s }; ", w.Calls.Begin("Ahead", "", "%d)", base+n), text), "")
		}
	}
}

// isAhead says whether the mutants of result i return without evaluating it: it has
// no effects, but may panic where the plain edit, which drops it, does not.
func (w *walker) isAhead(s *ast.ReturnStmt, i int) bool {
	others := slices.Concat(s.Results[:i], s.Results[i+1:])
	e := s.Results[i]
	return w.Effects.Pure(e) && !w.Effects.Droppable(e, others...) && w.Effects.EffectlessAll(others) &&
		!w.Lost(e)
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
	arg, why := w.Calls.TypeArg(t, pos, true)
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
		return c.w.Calls.BeginBool("Bool", c.t, arg, "%d, %s, ", base, helper.Alternatives(live, helper.BoolCode)), ")"
	case len(live) == 1 && live[0].Do == operator.Zero:
		return c.w.Calls.BeginFor("Ret", c.t, arg, "%d, ", base), ")"
	}
	if slices.ContainsFunc(live, c.allocates) {
		return c.oneByOne(base, live)
	}
	for _, ch := range live {
		text, _ := c.w.Values.Result(c.t, ch, c.pos)
		after += ", " + text
	}
	return c.w.Calls.BeginFor("Alt", c.t, c.arg, "%d, ", base), after + ")"
}

// oneByOne gives each alternative a helper of its own. One that allocates memory
// is made by a function, and only for its mutant: tests that count allocations
// hold for all other mutants of the function.
func (c resultCall) oneByOne(base int, live []operator.Change) (before, after string) {
	for i, ch := range live {
		text, _ := c.w.Values.Result(c.t, ch, c.pos)
		helper := "Alt"
		if c.allocates(ch) {
			helper = "New"
			text = fmt.Sprintf("func() %s { return %s }", c.arg[1:len(c.arg)-1], text)
		}
		before = c.w.Calls.Begin(helper, c.arg, "%d, ", base+i) + before
		after += ", " + text + ")"
	}
	return before, after
}

// allocates says whether to make a change's value takes memory.
func (c resultCall) allocates(ch operator.Change) bool { return c.w.Values.Allocates(c.t, ch, c.pos) }

// namedResults gives named results other values before a return statement without
// operands. They are assigned to only while a mutant is active: a goroutine that
// the function started could be using them.
func (w *walker) namedResults(s *ast.ReturnStmt) {
	for i := range w.Results.Len() {
		v := w.Results.At(i)
		site := &operator.Site{
			Kind: operator.Result, Named: true, Class: typing.ClassOf(v.Type()), Type: v.Type(), NotNil: w.Nils.Proved(s, v),
		}
		if v.Name() == "_" {
			continue // nothing can be assigned to it
		}
		base, live := w.offer(site, s, func(ch operator.Change) (plain.Edit, string) {
			val, why := w.Values.Result(v.Type(), ch, s.Pos())
			text := fmt.Sprintf("%s = %s; return", v.Name(), val)
			return plain.Replace(s.Pos(), s.End(), text, fmt.Sprintf("returned %s instead of %s", val, v.Name())), why
		})
		for n, ch := range live {
			val, _ := w.Values.Result(v.Type(), ch, s.Pos())
			test := w.Calls.Begin("Gives", "", "%d, %s, %s)", base+n, v.Name(), val)
			if w.Race || w.Values.Allocates(v.Type(), ch, s.Pos()) { // even to look at the result could be a race
				test = w.Calls.Begin("On", "", "%d)", base+n)
			}
			w.Calls.Wrap(s.Pos(), s.End(), fmt.Sprintf("if %s { %s = %s }; ", test, v.Name(), val), "")
		}
	}
}

// resultEdit is the plain edit that returns another value in the place of result
// i. What the result's expression does besides is kept.
func (w *walker) resultEdit(s *ast.ReturnStmt, i int, t types.Type, ch operator.Change) (plain.Edit, string) {
	e := s.Results[i]
	val, why := w.Values.Result(t, ch, s.Pos())
	switch {
	case why != "":
		return plain.Edit{}, why
	case ch.Do == operator.Fresh && w.Info.IsFresh(e):
		return plain.Edit{}, "the same program: empty, and not nil"
	}
	p := plain.Edit{Lo: e.Pos(), Hi: e.End(), Text: val, Desc: fmt.Sprintf("returned %s instead of %s", val, w.Src.Short(e))}
	lost := w.Lost(e)
	others := slices.Concat(s.Results[:i], s.Results[i+1:])
	if !lost && (w.Effects.Droppable(e, others...) || w.isAhead(s, i)) {
		return p, ""
	}
	old := w.Src.Node(e)
	switch ch.Do {
	case operator.True:
		p.Text = old + " || true"
		return p, ""
	case operator.False:
		p.Text = w.Plain.Parenthesised(e, token.LAND.Precedence()) + " && false"
		return p, ""
	}
	if w.Effects.AllPure(s.Results[:i]) {
		p.Lo, p.Hi = s.Pos(), s.End()
		p.Text = fmt.Sprintf("_ = %s; %s%s%s", old, w.Src.Text(s.Pos(), e.Pos()), val, w.Src.Text(e.End(), s.End()))
		return p, ""
	}
	p.Text, why = w.Values.Instead(e, t, val)
	return p, why
}

// returnCall gives the results of `return f()` names, so that each can be handed
// to a helper.
func (w *walker) returnCall(s *ast.ReturnStmt) {
	call := s.Results[0]
	tuple, ok := w.Info.TypeOf(call).(*types.Tuple)
	if !ok {
		return
	}
	operands := make([]string, tuple.Len())
	any := false
	for i := range operands {
		operands[i] = fmt.Sprintf("%s%d", w.Names.Result, i)
		t := w.Results.At(i).Type()
		helper := w.resultCall(t, s.Pos(), types.Identical(tuple.At(i).Type(), t))
		site := &operator.Site{Kind: operator.Result, Class: typing.ClassOf(t), Type: t}
		base, live := w.offer(site, s, func(ch operator.Change) (plain.Edit, string) {
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
		vars = append(vars, fmt.Sprintf("%s%d", w.Names.Result, i))
	}
	w.Calls.ReplaceOp(s.Return, token.RETURN, "{ "+strings.Join(vars, ", ")+" :=")
	w.Calls.Wrap(call.Pos(), call.End(), "", "; return "+strings.Join(operands, ", ")+" }")
}

// returnCallEdit is the plain edit for result i of n of `return f()`.
func (w *walker) returnCallEdit(s *ast.ReturnStmt, i, n int, t types.Type, ch operator.Change) (plain.Edit, string) {
	val, why := w.Values.Result(t, ch, s.Pos())
	if why != "" {
		return plain.Edit{}, why
	}
	vars, operands := make([]string, n), make([]string, n)
	for j := range n {
		vars[j] = fmt.Sprintf("%s%d", w.Names.Result, j)
		operands[j] = vars[j]
	}
	vars[i], operands[i] = "_", val
	return plain.Replace(s.Pos(), s.End(),
		fmt.Sprintf("{ %s := %s; return %s }", strings.Join(vars, ", "), w.Src.Node(s.Results[0]), strings.Join(operands, ", ")),
		fmt.Sprintf("returned %s for result %d of %s", val, i, w.Src.Short(s.Results[0]))), ""
}
