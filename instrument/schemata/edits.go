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
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// arithCodes and compareCodes are the core's codes of operators.
var arithCodes = map[token.Token]int{
	token.ADD: codes.Add, token.SUB: codes.Sub, token.MUL: codes.Mul, token.QUO: codes.Quo, token.REM: codes.Rem,
	token.AND: codes.And, token.OR: codes.Or, token.XOR: codes.Xor, token.AND_NOT: codes.AndNot,
	token.SHL: codes.Shl, token.SHR: codes.Shr,
}

var compareCodes = map[token.Token]int{
	token.LSS: codes.Less, token.LEQ: codes.LessEqual, token.GTR: codes.Greater, token.GEQ: codes.GreaterEqual,
	token.EQL: codes.Equal, token.NEQ: codes.NotEqual,
}

// boolCode returns the core's code of a change of a boolean.
func boolCode(c operator.Change) int {
	switch c.Do {
	case operator.True:
		return codes.MadeTrue
	case operator.False:
		return codes.MadeFalse
	}
	return codes.Negated // also == for !=
}

func arithCode(c operator.Change) int {
	switch c.Do {
	case operator.KeepLeft:
		return codes.Left
	case operator.KeepRight:
		return codes.Right
	case operator.Exchange:
		return codes.Exchanged
	}
	return arithCodes[c.Op]
}

func compareCode(c operator.Change) int {
	switch c.Do {
	case operator.True:
		return codes.AlwaysTrue
	case operator.False:
		return codes.AlwaysFalse
	}
	return compareCodes[c.Op]
}

// arithmetic makes a helper call of x op y: the operator becomes a comma.
func (w *walker) arithmetic(e *ast.BinaryExpr, c site.Place) {
	class := typing.ClassOf(w.Info.TypeOf(e))
	kind := operator.Arithmetic
	switch {
	case class == operator.String:
		kind = operator.Concatenation
	case !typing.Numeric(class):
		return
	}
	s := &operator.Site{Kind: kind, Op: e.Op, Class: class, Value: w.Info.Value(e.Y), LeftValue: w.Info.Value(e.X)}
	helper, need, why := w.arithHelper(e.Op, class, e.X, e.Y)
	arg, cant := w.Calls.TypeArg(w.Info.TypeOf(e), e.Pos(), need)
	base, live := w.offer(s, e, func(ch operator.Change) (plain.Edit, string) {
		p, reason := w.operationEdit(e, ch, c)
		return p, cmp.Or(why, cant, w.Order(e), reason)
	})
	if len(live) == 0 {
		return
	}
	w.Calls.Wrap(e.Pos(), e.End(), w.operation(helper, w.Info.TypeOf(e), arg, base, live, e.Op), ")")
	w.Calls.ReplaceOp(e.OpPos, e.Op, ",")
}

// arithHelper chooses the helper for an operation and says whether its type
// argument can't be inferred.
func (w *walker) arithHelper(op token.Token, class operator.Class, x, y ast.Expr) (name string, need bool, why string) {
	need = w.Info.HasUntypedShift(x, y) || w.Info.IsConstant(x) && w.Info.IsConstant(y)
	switch op {
	case token.SHL, token.SHR, token.SHL_ASSIGN, token.SHR_ASSIGN:
		if w.Info.IsConstant(y) && typing.ClassOf(types.Default(w.Info.UntypedDefault(y))) != operator.Integer {
			why = "shift count written as a floating-point constant"
		}
		return "Shift", w.Info.IsConstant(x) || w.Info.HasUntypedShift(x), why
	}
	switch class {
	case operator.Number:
		return "ArithN", need, ""
	case operator.String:
		return "Concat", false, ""
	}
	return "ArithI", need, ""
}

// comparison makes a helper call of a comparison. Operands of one ordered type
// are handed over by themselves; of others only the result is.
func (w *walker) comparison(e *ast.BinaryExpr, c site.Place) {
	ordered := w.Info.ComparesOrdered(e)
	if !ordered && e.Op != token.EQL && e.Op != token.NEQ {
		return
	}
	s := logic.ComparisonSite(w.Info, e)
	s.Decided = c.Decided
	var arg, why, conv string
	result := w.Info.TypeOf(e)
	if ordered {
		arg, why = w.Calls.TypeArg(w.Info.TypeOf(e.X), e.Pos(), w.Info.HasUntypedShift(e.X, e.Y))
		if !typing.PlainBool(result) {
			name, ok := w.Types.Name(result, e.Pos(), false)
			if conv = "(" + name + ")("; !ok {
				why = typename.CantName
			}
		}
	} else {
		arg, why = w.Calls.BoolArg(result, e.Pos())
	}
	why = cmp.Or(why, w.Order(e))
	base, live := w.offer(s, e, func(ch operator.Change) (plain.Edit, string) {
		if ch.Do == operator.Swap {
			return w.Plain.Swapped(e, ch.Op, false), why
		}
		return w.Plain.Forced(e, ch.Do, c.Operand), why
	})
	if len(live) == 0 {
		base = 0
	}
	switch {
	case ordered && (len(live) > 0 || why == "" && w.records()):
		end := ")"
		if conv != "" {
			end = "))"
		}
		w.Calls.Wrap(e.Pos(), e.End(), conv+w.Calls.BeginFor(w.compareHelper(e.X), w.Info.TypeOf(e.X), arg, "%d, %s, %#x, ",
			base, helper.Alternatives(live, compareCode), w.describe(compareCodes[e.Op], typing.KindOf(w.Info.TypeOf(e.X)), w.Info.IsConstant(e.X), w.Info.IsConstant(e.Y))), end)
		w.Calls.ReplaceOp(e.OpPos, e.Op, ",")
		return
	case len(live) > 0:
		w.Calls.Wrap(e.Pos(), e.End(), w.Calls.BeginBool("Bool", result, arg, "%d, %s, ", base, helper.Alternatives(live, boolCode)), ")")
	}
	if why == "" {
		w.recordArrays(e)
	}
}

// logical switches between && and || by De Morgan's law, which keeps the right
// operand lazy: a || b is !(!a && !b).
func (w *walker) logical(e *ast.BinaryExpr, c site.Place) {
	t := w.Info.TypeOf(e)
	arg, why := w.Calls.BoolArg(t, e.Pos())
	s := &operator.Site{Kind: operator.Logical, Op: e.Op}
	base, live := w.offer(s, e, func(ch operator.Change) (plain.Edit, string) {
		return w.Plain.Swapped(e, ch.Op, c.Operand), why
	})
	if len(live) == 0 {
		return
	}
	flags := 0
	if e.Op == token.LOR {
		flags |= codes.DecidedByTrue
	}
	if !w.Effects.Pure(e.Y) {
		flags |= codes.RightHasEffects
	}
	w.Calls.Wrap(e.Pos(), e.End(), w.Calls.BeginBool("Joined", t, arg, "%d, ", base), ")")
	w.Calls.Wrap(e.X.Pos(), e.X.End(), w.Calls.BeginBool("Left", t, arg, "%d, %d, ", base, flags), ")")
	w.Calls.Wrap(e.Y.Pos(), e.Y.End(), w.Calls.BeginBool("Right", t, arg, "%d, %d, ", base, flags), ")")
}

// condition walks the whole condition of a statement.
func (w *walker) condition(e ast.Expr) {
	w.Logic.Settle(e, func(bool) bool { return true })
	w.boolean(e, operator.Condition)
	w.expr(e, site.Place{Decided: true})
}

// term walks an operand of && or ||.
func (w *walker) term(e ast.Expr) {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); !ok || b.Op != token.LAND && b.Op != token.LOR {
		w.boolean(e, operator.Term)
	}
	w.expr(e, site.Place{Operand: true, Decided: true})
}

func (w *walker) boolean(e ast.Expr, kind operator.Kind) {
	if w.Info.IsConstant(e) {
		return
	}
	t := w.Info.TypeOf(e)
	arg, why := w.Calls.BoolArg(t, e.Pos())
	s := &operator.Site{Kind: kind, Class: operator.Bool, IsComparison: typing.IsComparison(e)}
	base, live := w.offer(s, e, func(ch operator.Change) (plain.Edit, string) {
		return w.Plain.Forced(e, ch.Do, kind == operator.Term), cmp.Or(why, w.Logic.Settled(e, ch.Do))
	})
	if len(live) > 0 {
		w.Calls.Wrap(e.Pos(), e.End(), w.Calls.BeginBool("Bool", t, arg, "%d, %s, ", base, helper.Alternatives(live, boolCode)), ")")
	}
}

func (w *walker) negation(e *ast.UnaryExpr) {
	t := w.Info.TypeOf(e)
	class := typing.ClassOf(t)
	if !typing.Numeric(class) {
		return
	}
	arg, why := w.Calls.TypeArg(t, e.Pos(), w.Info.HasUntypedShift(e.X))
	base, live := w.offer(&operator.Site{Kind: operator.Negation, Class: class}, e, func(operator.Change) (plain.Edit, string) {
		return w.operandEdit(e), cmp.Or(why, w.Order(e))
	})
	if len(live) > 0 {
		w.Calls.Wrap(e.Pos(), e.End(), "", ")")
		w.Calls.ReplaceOp(e.OpPos, token.SUB, w.Calls.Begin("Neg", arg, "%d, ", base))
	}
}

// constant offers the outermost constant expression, whose alternatives are
// arguments: the compiler checks that they fit the type.
func (w *walker) constant(e ast.Expr, c site.Place) {
	tv := w.Info.Types[e]
	t := types.Default(tv.Type)
	class := typing.ClassOf(t)
	if class == operator.Other {
		return
	}
	s := &operator.Site{Kind: operator.Constant, Class: class, Type: t, Value: tv.Value, Char: typing.IsChar(e), Neighbours: w.Enums.Neighbours(w.Info, e)}
	typed := w.Info.IsTypedConst(e)
	arg, why := w.Calls.TypeArg(t, e.Pos(), true)
	if why != "" && typed {
		arg, why = "", ""
	}
	base, live := w.offer(s, e, func(ch operator.Change) (plain.Edit, string) {
		p, reason := w.constantEdit(e, s, typed, c, ch)
		return p, cmp.Or(why, reason)
	})
	if len(live) > 0 {
		before, after := w.constantCall(s, arg, base, live)
		w.Calls.Wrap(e.Pos(), e.End(), before, after)
	}
}

// constantCall returns what stands before and after a constant.
func (w *walker) constantCall(s *operator.Site, arg string, base int, live []operator.Change) (before, after string) {
	if s.Class == operator.Bool { // the other of two values, at most
		return w.Calls.BeginBool("Bool", s.Type, arg, "%d, %#x, ", base, codes.Negated), ")"
	}
	if alts := numbers(s, live); alts != "" {
		return w.Calls.BeginFor("Num", s.Type, arg, "%d, %s, ", base, alts), ")"
	}
	for _, ch := range live {
		after += ", " + constantText(s, ch)
	}
	if len(live) == 1 {
		return w.Calls.BeginFor("Lit1", s.Type, arg, "%d, ", base), after + ")"
	}
	return w.Calls.Begin("Alt", arg, "%d, ", base), after + ")"
}

// numbers packs alternatives to an integer that the core can make of it; "" if
// there are others.
func numbers(s *operator.Site, live []operator.Change) string {
	if s.Class != operator.Integer {
		return ""
	}
	for _, ch := range live {
		if numberCode(s.Value, ch.Value) == 0 {
			return ""
		}
	}
	return helper.Alternatives(live, func(ch operator.Change) int { return numberCode(s.Value, ch.Value) })
}

// numberCode returns the core's code for a number in the place of another; 0 if
// there is none.
func numberCode(old, v constant.Value) int {
	one := constant.MakeInt64(1)
	for _, made := range []struct {
		value constant.Value
		code  int
	}{
		{constant.MakeInt64(0), codes.Zero},
		{one, codes.One},
		{constant.MakeInt64(-1), codes.MinusOne},
		{constant.BinaryOp(old, token.ADD, one), codes.OneMore},
		{constant.BinaryOp(old, token.SUB, one), codes.OneLess},
		{constant.UnaryOp(token.SUB, old, 0), codes.Minus},
	} {
		if constant.Compare(v, token.EQL, made.value) {
			return made.code
		}
	}
	return 0
}

// constantEdit returns the plain edit that puts another constant in the place of
// one.
func (w *walker) constantEdit(e ast.Expr, s *operator.Site, typed bool, c site.Place, ch operator.Change) (plain.Edit, string) {
	switch {
	case !typing.Representable(ch.Value, s.Type, s.Value):
		return plain.Edit{}, "does not compile: the type can't hold it"
	case c.Limit != nil && c.Limit(ch.Value) != "":
		return plain.Edit{}, c.Limit(ch.Value)
	case w.Lost(e):
		return plain.Edit{}, "does not compile: last use of an import or variable"
	}
	text := constantText(s, ch)
	if text == "" {
		return plain.Edit{}, "does not compile: no such character"
	}
	if ch.Const == nil && ch.Value.Kind() == constant.Bool {
		if _, why := w.Info.Predeclared(text, e.Pos()); why != "" {
			return plain.Edit{}, why
		}
	}
	if typed && ch.Const == nil && !typing.IsDefaultType(s.Type) {
		name, ok := w.Types.Name(s.Type, e.Pos(), true)
		if !ok {
			return plain.Edit{}, typename.CantName
		}
		text = name + "(" + text + ")"
	} else if strings.HasPrefix(text, "-") {
		text = w.Plain.Unglued(e.Pos(), text)
	}
	return plain.Replace(e.Pos(), e.End(), text, fmt.Sprintf("changed %s to %s", w.Src.Short(e), text)), ""
}
