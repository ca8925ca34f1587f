package statements

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
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// results offers what a return statement gives.
func results(cx *Function, s ast.Stmt, _ site.Position) {
	r, ok := s.(*ast.ReturnStmt)
	switch {
	case !ok || cx.Results == nil:
	case len(r.Results) == 0:
		namedResults(cx, r)
	case len(r.Results) < cx.Results.Len():
		callResults(cx, r)
	default:
		for i := range r.Results {
			offerResult(cx, r, i)
		}
	}
}

// offerResult offers one operand of a return statement.
func offerResult(cx *Function, s *ast.ReturnStmt, i int) {
	e, t := s.Results[i], cx.Results.At(i).Type()
	class := typing.ClassOf(t)
	inferred := types.Identical(cx.Info.TypeOf(e), t) && !cx.Info.IsConstant(e) && !cx.Info.HasUntypedShift(e) && class != operator.Bool
	if class == operator.Bool {
		inferred = typing.PlainBool(t)
	}
	cx.Offer(&result{cx, s, i, t, newResultCall(cx, t, s.Pos(), inferred)})
}

type result struct {
	*Function
	s    *ast.ReturnStmt
	i    int
	t    types.Type
	call resultCall
}

func (k *result) Describe() (*operator.Site, ast.Node) {
	e := k.s.Results[k.i]
	return &operator.Site{
		Kind: operator.Result, Class: typing.ClassOf(k.t), Type: k.t,
		Value: k.Info.Value(e), IsZero: k.Info.IsZero(e, k.t), NotNil: k.Nils.NotNil(k.s, e),
	}, e
}

func (k *result) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	p, reason := resultEdit(k.Function, k.s, k.i, k.t, ch)
	return p, cmp.Or(k.call.cant(ch), k.Order(k.s.Results[k.i]), reason, k.zeroThere(ch))
}

// zeroThere returns why a zero in place of an operand is no change: the operand is a variable that is zero.
func (k *result) zeroThere(ch operator.Change) reasons.Reason {
	id, ok := ast.Unparen(k.s.Results[k.i]).(*ast.Ident)
	if !ok {
		return nil
	}
	return zeroThere(k.Function, k.s, k.Info.Uses[id], k.t, ch)
}

func zeroThere(cx *Function, s *ast.ReturnStmt, v types.Object, t types.Type, ch operator.Change) reasons.Reason {
	val, _ := cx.Values.Result(t, ch, s.Pos())
	if zero, why := cx.Values.Zero(t, s.Pos()); why != nil || val != zero || !cx.Stored.Zero(s, v) || !types.Identical(v.Type(), t) {
		return nil
	}
	return reasons.ZeroThere
}

// Schemata hands the operand to a helper.
func (k *result) Schemata(base int, live []operator.Change) {
	s, e := k.s, k.s.Results[k.i]
	begin, end := k.call.around(base, live)
	k.Calls.Wrap(e.Pos(), e.End(), begin, end)
	if !isAhead(k.Function, s, k.i) {
		return
	}
	for n, ch := range live {
		val, _ := k.Values.Result(k.t, ch, s.Pos())
		text := k.Src.Line(s.Pos(), e.Pos()) + " " + val + " " + k.Src.Line(e.End(), s.End())
		k.Calls.Wrap(s.Pos(), s.End(), fmt.Sprintf("if %s { %s }; ", k.Calls.Begin("Ahead", "", "%d)", base+n), text), "")
	}
}

// namedResults offers to give named results other values before a return statement
// without operands.
func namedResults(cx *Function, s *ast.ReturnStmt) {
	for i := range cx.Results.Len() {
		if v := cx.Results.At(i); v.Name() != "_" { // nothing can be assigned to it
			cx.Offer(&namedResult{cx, s, v})
		}
	}
}

type namedResult struct {
	*Function
	s *ast.ReturnStmt
	v *types.Var
}

func (k *namedResult) Describe() (*operator.Site, ast.Node) {
	t := k.v.Type()
	return &operator.Site{
		Kind: operator.Result, Named: true, Class: typing.ClassOf(t), Type: t, NotNil: k.Nils.Proved(k.s, k.v),
	}, k.s
}

func (k *namedResult) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	val, why := k.Values.Result(k.v.Type(), ch, k.s.Pos())
	text := fmt.Sprintf("%s = %s; return", k.v.Name(), val)
	return plain.Replace(k.s.Pos(), k.s.End(), text, fmt.Sprintf("returned %s instead of %s", val, k.v.Name())), cmp.Or(why, zeroThere(k.Function, k.s, k.v, k.v.Type(), ch))
}

// Schemata assigns to the result only while a mutant is active: a goroutine that the
// function started could be using it.
func (k *namedResult) Schemata(base int, live []operator.Change) {
	s, v := k.s, k.v
	for n, ch := range live {
		val, _ := k.Values.Result(v.Type(), ch, s.Pos())
		test := k.Calls.Begin("Gives", "", "%d, %s, %s)", base+n, v.Name(), val)
		if k.Race || k.Values.Allocates(v.Type(), ch, s.Pos()) { // even to look at the result could be a race
			test = k.Calls.Begin("On", "", "%d)", base+n)
		}
		k.Calls.Wrap(s.Pos(), s.End(), fmt.Sprintf("if %s { %s = %s }; ", test, v.Name(), val), "")
	}
}

// callResults offers the results of `return f()`. They get names, so that each can be
// handed to a helper.
func callResults(cx *Function, s *ast.ReturnStmt) {
	call := s.Results[0]
	tuple, ok := cx.Info.TypeOf(call).(*types.Tuple)
	if !ok {
		return
	}
	vars := make([]string, tuple.Len())
	for i := range vars {
		vars[i] = fmt.Sprintf("%s%d", cx.Names.Result, i)
	}
	operands, changed := slices.Clone(vars), false
	for i := range operands {
		t := cx.Results.At(i).Type()
		helper := newResultCall(cx, t, s.Pos(), types.Identical(tuple.At(i).Type(), t))
		changed = cx.Offer(&callResult{cx, s, i, t, helper, operands}) != 0 || changed
	}
	if changed {
		cx.Calls.ReplaceOp(s.Return, token.RETURN, "{ "+strings.Join(vars, ", ")+" :=")
		cx.Calls.Wrap(call.Pos(), call.End(), "", "; return "+strings.Join(operands, ", ")+" }")
	}
}

type callResult struct {
	*Function
	s        *ast.ReturnStmt
	i        int
	t        types.Type
	call     resultCall
	operands []string // what is returned
}

func (k *callResult) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Result, Class: typing.ClassOf(k.t), Type: k.t}, k.s
}

func (k *callResult) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	p, reason := returnCallEdit(k.Function, k.s, k.i, len(k.operands), k.t, ch)
	return p, cmp.Or(k.call.cant(ch), reason)
}

func (k *callResult) Schemata(base int, live []operator.Change) {
	begin, end := k.call.around(base, live)
	k.operands[k.i] = begin + k.operands[k.i] + end
}

// isAhead says whether the mutants of result i return without evaluating it: it has
// no effects, but may panic where the plain edit, which drops it, does not.
func isAhead(cx *Function, s *ast.ReturnStmt, i int) bool {
	others := slices.Concat(s.Results[:i], s.Results[i+1:])
	e := s.Results[i]
	return cx.Effects.Pure(e) && !cx.Effects.Droppable(e, others...) && cx.Effects.EffectlessAll(others) &&
		!cx.Lost(e)
}

// resultEdit is the plain edit that returns a different value in place of result
// i. Other effects of the result's expression are kept.
func resultEdit(cx *Function, s *ast.ReturnStmt, i int, t types.Type, ch operator.Change) (plain.Edit, reasons.Reason) {
	e := s.Results[i]
	val, why := cx.Values.Result(t, ch, s.Pos())
	switch {
	case why != nil:
		return plain.Edit{}, why
	case ch.Do == operator.Fresh && cx.Info.IsFresh(e):
		return plain.Edit{}, reasons.EmptyNotNil
	}
	p := plain.Edit{Lo: e.Pos(), Hi: e.End(), Text: val, Desc: fmt.Sprintf("returned %s instead of %s", val, cx.Src.Short(e))}
	lost := cx.Lost(e)
	others := slices.Concat(s.Results[:i], s.Results[i+1:])
	if !lost && (cx.Effects.Droppable(e, others...) || isAhead(cx, s, i)) {
		return p, nil
	}
	old := cx.Src.Node(e)
	switch ch.Do {
	case operator.True:
		p.Text = old + " || true"
		return p, nil
	case operator.False:
		p.Text = cx.Plain.Parenthesised(e, token.LAND.Precedence()) + " && false"
		return p, nil
	}
	if cx.Effects.AllPure(s.Results[:i]) {
		p.Lo, p.Hi = s.Pos(), s.End()
		p.Text = fmt.Sprintf("_ = %s; %s%s%s", old, cx.Src.Text(s.Pos(), e.Pos()), val, cx.Src.Text(e.End(), s.End()))
		return p, nil
	}
	p.Text, why = cx.Values.Instead(e, t, val)
	return p, why
}

// resultCall writes calls of the helpers for a result of one type.
type resultCall struct {
	cx       *Function
	t        types.Type
	pos      token.Pos
	arg      string // the type argument, or why it can't be written
	why      reasons.Reason
	inferred bool // it can be left out if there is a zero value at most
}

func newResultCall(cx *Function, t types.Type, pos token.Pos, inferred bool) resultCall {
	arg, why := cx.Calls.TypeArg(t, pos, true)
	return resultCall{cx, t, pos, arg, why, inferred}
}

// cant returns why there is no helper for a change.
func (c resultCall) cant(ch operator.Change) reasons.Reason {
	switch ch.Do {
	case operator.Zero, operator.True, operator.False:
		if c.inferred {
			return nil
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
		return c.cx.Calls.BeginBool("Bool", c.t, arg, "%d, %s, ", base, helper.Alternatives(live, helper.BoolCode)), ")"
	case len(live) == 1 && live[0].Do == operator.Zero:
		return c.cx.Calls.BeginFor("Ret", c.t, arg, "%d, ", base), ")"
	}
	if slices.ContainsFunc(live, c.allocates) {
		return c.oneByOne(base, live)
	}
	for _, ch := range live {
		text, _ := c.cx.Values.Result(c.t, ch, c.pos)
		after += ", " + text
	}
	return c.cx.Calls.BeginFor("Alt", c.t, c.arg, "%d, ", base), after + ")"
}

// oneByOne gives each alternative its own helper. One that allocates memory
// is made by a function, and only for its mutant: tests that count allocations
// hold for all other mutants of the function.
func (c resultCall) oneByOne(base int, live []operator.Change) (before, after string) {
	for i, ch := range live {
		text, _ := c.cx.Values.Result(c.t, ch, c.pos)
		helper := "Alt"
		if c.allocates(ch) {
			helper = "New"
			text = fmt.Sprintf("func() %s { return %s }", c.arg[1:len(c.arg)-1], text)
		}
		before = c.cx.Calls.Begin(helper, c.arg, "%d, ", base+i) + before
		after += ", " + text + ")"
	}
	return before, after
}

// allocates says whether to make a change's value takes memory.
func (c resultCall) allocates(ch operator.Change) bool { return c.cx.Values.Allocates(c.t, ch, c.pos) }

// returnCallEdit is the plain edit for result i of n of `return f()`.
func returnCallEdit(cx *Function, s *ast.ReturnStmt, i, n int, t types.Type, ch operator.Change) (plain.Edit, reasons.Reason) {
	val, why := cx.Values.Result(t, ch, s.Pos())
	if why != nil {
		return plain.Edit{}, why
	}
	vars, operands := make([]string, n), make([]string, n)
	for j := range n {
		vars[j] = fmt.Sprintf("%s%d", cx.Names.Result, j)
		operands[j] = vars[j]
	}
	vars[i], operands[i] = "_", val
	return plain.Replace(s.Pos(), s.End(),
		fmt.Sprintf("{ %s := %s; return %s }", strings.Join(vars, ", "), cx.Src.Node(s.Results[0]), strings.Join(operands, ", ")),
		fmt.Sprintf("returned %s for result %d of %s", val, i, cx.Src.Short(s.Results[0]))), nil
}
