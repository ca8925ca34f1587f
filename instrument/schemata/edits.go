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
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

const cantName = "its type can't be named here"

// wrap puts a call of a helper of the core around [lo, hi) in the copied bodies.
func (w *walker) wrap(lo, hi token.Pos, call, end string) {
	w.f.slow.Wrap(w.f.Off(lo), w.f.Off(hi), call, end)
}

// helper begins a call of a helper of the core.
func (w *walker) helper(name, typeArg, format string, args ...any) string {
	return w.r.names.rt + "." + name + typeArg + "(" + fmt.Sprintf(format, args...)
}

// typeArg writes t as an explicit type argument. Without need it is left to
// inference.
func (w *walker) typeArg(t types.Type, pos token.Pos, need bool) (arg, why string) {
	if !need {
		return "", ""
	}
	name, ok := w.r.types.Name(t, pos, false)
	if !ok {
		return "", cantName
	}
	return "[" + name + "]", ""
}

// helperOf begins a call of a helper for type t, with the type argument unless the
// core has a version for t alone.
func (w *walker) helperOf(name string, t types.Type, typeArg, format string, args ...any) string {
	suffix := ""
	if b, ok := types.Unalias(t).(*types.Basic); ok {
		suffix = suffixes[b.Kind()]
	} else if typing.IsError(t) {
		suffix = errorSuffix
	}
	if concrete[name+suffix] {
		name, typeArg = name+suffix, ""
	}
	return w.helper(name, typeArg, format, args...)
}

// boolHelper is helperOf for the helpers of booleans.
func (w *walker) boolHelper(name string, t types.Type, typeArg, format string, args ...any) string {
	if typing.PlainBool(t) {
		return w.helper(name, "", format, args...)
	}
	return w.helper(name+"Of", typeArg, format, args...)
}

// suffixes end the names of the core's helpers for one type.
var suffixes = map[types.BasicKind]string{
	types.Int: "Int", types.Int32: "Int32", types.Int64: "Int64",
	types.Uint8: "Uint8", types.Uint32: "Uint32", types.Uint64: "Uint64", types.String: "String",
}

const errorSuffix = "Error"

// concrete are the core's helpers for one type.
var concrete = map[string]bool{
	"TagInt": true, "TagInt32": true, "TagUint8": true, "TagString": true,
	"CmpInt": true, "CmpInt32": true, "CmpInt64": true, "CmpUint8": true, "CmpUint32": true, "CmpUint64": true, "CmpString": true,
	"ArithIInt": true, "ArithIInt32": true, "ArithIInt64": true, "ArithIUint8": true, "ArithIUint32": true, "ArithIUint64": true,
	"IncInt": true, "IncInt32": true, "IncInt64": true, "IncUint8": true, "IncUint32": true, "IncUint64": true,
	"NumInt": true, "NumInt32": true, "NumInt64": true, "NumUint8": true, "NumUint32": true, "NumUint64": true,
	"ConcatString": true, "Lit1String": true, "RetInt": true, "RetString": true, "RetError": true,
	"AltInt": true, "AltError": true,
	"IndexInt": true, "IndexUint8": true, "BoundInt": true,
}

// boolArg is typeArg for helpers that return a boolean of type t: without a type
// argument they return bool.
func (w *walker) boolArg(t types.Type, pos token.Pos) (arg, why string) {
	return w.typeArg(t, pos, !typing.PlainBool(t))
}

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

// alternatives packs codes into the digits of a hexadecimal number, first lowest.
func alternatives(live []operator.Change, code func(operator.Change) int) string {
	digits := ""
	for _, c := range live {
		digits = fmt.Sprintf("%x", code(c)) + digits
	}
	if digits == "" {
		return "0"
	}
	return "0x" + digits
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
func (w *walker) arithmetic(e *ast.BinaryExpr, c place) {
	class := typing.ClassOf(w.info.TypeOf(e))
	kind := operator.Arithmetic
	switch {
	case class == operator.String:
		kind = operator.Concatenation
	case !typing.Numeric(class):
		return
	}
	s := &operator.Site{Kind: kind, Op: e.Op, Class: class, Value: w.info.Value(e.Y), LeftValue: w.info.Value(e.X)}
	helper, need, why := w.arithHelper(e.Op, class, e.X, e.Y)
	arg, cant := w.typeArg(w.info.TypeOf(e), e.Pos(), need)
	base, live := w.offer(s, e, func(ch operator.Change) (plain, string) {
		p, reason := w.operationEdit(e, ch, c)
		return p, cmp.Or(why, cant, w.fx.Order(w.within, e), reason)
	})
	if len(live) == 0 {
		return
	}
	w.wrap(e.Pos(), e.End(), w.operation(helper, w.info.TypeOf(e), arg, base, live, e.Op), ")")
	w.replaceOp(e.OpPos, e.Op, ",")
}

func (w *walker) replaceOp(pos token.Pos, op token.Token, text string) {
	w.f.slow.Replace(w.f.Off(pos), w.f.Off(pos)+len(op.String()), text)
}

// arithHelper chooses the helper for an operation and says whether its type
// argument can't be inferred.
func (w *walker) arithHelper(op token.Token, class operator.Class, x, y ast.Expr) (name string, need bool, why string) {
	need = w.info.HasUntypedShift(x, y) || w.info.IsConstant(x) && w.info.IsConstant(y)
	switch op {
	case token.SHL, token.SHR, token.SHL_ASSIGN, token.SHR_ASSIGN:
		if w.info.IsConstant(y) && typing.ClassOf(types.Default(w.info.UntypedDefault(y))) != operator.Integer {
			why = "shift count written as a floating-point constant"
		}
		return "Shift", w.info.IsConstant(x) || w.info.HasUntypedShift(x), why
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
func (w *walker) comparison(e *ast.BinaryExpr, c place) {
	ordered := w.info.ComparesOrdered(e)
	if !ordered && e.Op != token.EQL && e.Op != token.NEQ {
		return
	}
	s := logic.ComparisonSite(w.info, e)
	s.Decided = c.decided
	var arg, why, conv string
	result := w.info.TypeOf(e)
	if ordered {
		arg, why = w.typeArg(w.info.TypeOf(e.X), e.Pos(), w.info.HasUntypedShift(e.X, e.Y))
		if !typing.PlainBool(result) {
			name, ok := w.r.types.Name(result, e.Pos(), false)
			if conv = "(" + name + ")("; !ok {
				why = cantName
			}
		}
	} else {
		arg, why = w.boolArg(result, e.Pos())
	}
	why = cmp.Or(why, w.fx.Order(w.within, e))
	base, live := w.offer(s, e, func(ch operator.Change) (plain, string) {
		if ch.Do == operator.Swap {
			return w.swapped(e, ch.Op, place{}), why
		}
		return w.forced(e, ch.Do, c.operand), why
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
		w.wrap(e.Pos(), e.End(), conv+w.helperOf(w.compareHelper(e.X), w.info.TypeOf(e.X), arg, "%d, %s, %#x, ",
			base, alternatives(live, compareCode), w.describe(compareCodes[e.Op], typing.KindOf(w.info.TypeOf(e.X)), w.info.IsConstant(e.X), w.info.IsConstant(e.Y))), end)
		w.replaceOp(e.OpPos, e.Op, ",")
		return
	case len(live) > 0:
		w.wrap(e.Pos(), e.End(), w.boolHelper("Bool", result, arg, "%d, %s, ", base, alternatives(live, boolCode)), ")")
	}
	if why == "" {
		w.recordArrays(e)
	}
}

// logical switches between && and || by De Morgan's law, which keeps the right
// operand lazy: a || b is !(!a && !b).
func (w *walker) logical(e *ast.BinaryExpr, c place) {
	t := w.info.TypeOf(e)
	arg, why := w.boolArg(t, e.Pos())
	s := &operator.Site{Kind: operator.Logical, Op: e.Op}
	base, live := w.offer(s, e, func(ch operator.Change) (plain, string) {
		return w.swapped(e, ch.Op, c), why
	})
	if len(live) == 0 {
		return
	}
	flags := 0
	if e.Op == token.LOR {
		flags |= codes.DecidedByTrue
	}
	if !w.fx.Pure(e.Y) {
		flags |= codes.RightHasEffects
	}
	w.wrap(e.Pos(), e.End(), w.boolHelper("Joined", t, arg, "%d, ", base), ")")
	w.wrap(e.X.Pos(), e.X.End(), w.boolHelper("Left", t, arg, "%d, %d, ", base, flags), ")")
	w.wrap(e.Y.Pos(), e.Y.End(), w.boolHelper("Right", t, arg, "%d, %d, ", base, flags), ")")
}

// condition walks the whole condition of a statement.
func (w *walker) condition(e ast.Expr) {
	w.logic.Settle(e, func(bool) bool { return true })
	w.boolean(e, operator.Condition)
	w.expr(e, place{decided: true})
}

// term walks an operand of && or ||.
func (w *walker) term(e ast.Expr) {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); !ok || b.Op != token.LAND && b.Op != token.LOR {
		w.boolean(e, operator.Term)
	}
	w.expr(e, place{operand: true, decided: true})
}

func (w *walker) boolean(e ast.Expr, kind operator.Kind) {
	if w.info.IsConstant(e) {
		return
	}
	t := w.info.TypeOf(e)
	arg, why := w.boolArg(t, e.Pos())
	s := &operator.Site{Kind: kind, Class: operator.Bool, IsComparison: typing.IsComparison(e)}
	base, live := w.offer(s, e, func(ch operator.Change) (plain, string) {
		return w.forced(e, ch.Do, kind == operator.Term), cmp.Or(why, w.logic.Settled(e, ch.Do))
	})
	if len(live) > 0 {
		w.wrap(e.Pos(), e.End(), w.boolHelper("Bool", t, arg, "%d, %s, ", base, alternatives(live, boolCode)), ")")
	}
}

func (w *walker) negation(e *ast.UnaryExpr) {
	t := w.info.TypeOf(e)
	class := typing.ClassOf(t)
	if !typing.Numeric(class) {
		return
	}
	arg, why := w.typeArg(t, e.Pos(), w.info.HasUntypedShift(e.X))
	base, live := w.offer(&operator.Site{Kind: operator.Negation, Class: class}, e, func(operator.Change) (plain, string) {
		return w.operandEdit(e), cmp.Or(why, w.fx.Order(w.within, e))
	})
	if len(live) > 0 {
		w.wrap(e.Pos(), e.End(), "", ")")
		w.replaceOp(e.OpPos, token.SUB, w.helper("Neg", arg, "%d, ", base))
	}
}

// constant offers the outermost constant expression, whose alternatives are
// arguments: the compiler checks that they fit the type.
func (w *walker) constant(e ast.Expr, c place) {
	tv := w.info.Types[e]
	t := types.Default(tv.Type)
	class := typing.ClassOf(t)
	if class == operator.Other {
		return
	}
	s := &operator.Site{Kind: operator.Constant, Class: class, Type: t, Value: tv.Value, Char: typing.IsChar(e), Neighbours: w.r.enums.Neighbours(w.info, e)}
	typed := w.info.IsTypedConst(e)
	arg, why := w.typeArg(t, e.Pos(), true)
	if why != "" && typed {
		arg, why = "", ""
	}
	base, live := w.offer(s, e, func(ch operator.Change) (plain, string) {
		p, reason := w.constantEdit(e, s, typed, c, ch)
		return p, cmp.Or(why, reason)
	})
	if len(live) > 0 {
		before, after := w.constantCall(s, arg, base, live)
		w.wrap(e.Pos(), e.End(), before, after)
	}
}

// constantCall returns what stands before and after a constant.
func (w *walker) constantCall(s *operator.Site, arg string, base int, live []operator.Change) (before, after string) {
	if s.Class == operator.Bool { // the other of two values, at most
		return w.boolHelper("Bool", s.Type, arg, "%d, %#x, ", base, codes.Negated), ")"
	}
	if alts := numbers(s, live); alts != "" {
		return w.helperOf("Num", s.Type, arg, "%d, %s, ", base, alts), ")"
	}
	for _, ch := range live {
		after += ", " + constantText(s, ch)
	}
	if len(live) == 1 {
		return w.helperOf("Lit1", s.Type, arg, "%d, ", base), after + ")"
	}
	return w.helper("Alt", arg, "%d, ", base), after + ")"
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
	return alternatives(live, func(ch operator.Change) int { return numberCode(s.Value, ch.Value) })
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
func (w *walker) constantEdit(e ast.Expr, s *operator.Site, typed bool, c place, ch operator.Change) (plain, string) {
	switch {
	case !typing.Representable(ch.Value, s.Type, s.Value):
		return plain{}, "does not compile: the type can't hold it"
	case c.limit != nil && c.limit(ch.Value) != "":
		return plain{}, c.limit(ch.Value)
	case len(w.r.uses.Lost(w.f.Tok, e.Pos(), e.End())) > 0:
		return plain{}, "does not compile: last use of an import or variable"
	}
	text := constantText(s, ch)
	if text == "" {
		return plain{}, "does not compile: no such character"
	}
	if ch.Const == nil && ch.Value.Kind() == constant.Bool {
		if _, why := w.info.Predeclared(text, e.Pos()); why != "" {
			return plain{}, why
		}
	}
	if typed && ch.Const == nil && !typing.IsDefaultType(s.Type) {
		name, ok := w.r.types.Name(s.Type, e.Pos(), true)
		if !ok {
			return plain{}, cantName
		}
		text = name + "(" + text + ")"
	} else if strings.HasPrefix(text, "-") {
		text = w.unglued(e.Pos(), text)
	}
	return plain{e.Pos(), e.End(), text, fmt.Sprintf("changed %s to %s", w.f.Short(e), text)}, ""
}
