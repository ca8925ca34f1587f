package schemata

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// place is what the place of an expression demands.
type place struct {
	operand bool // of a binary or unary operator: a replacement may need parentheses
	decided bool // a boolean whose truth is another site's: a condition, a term, a result
	// limit returns why a constant here can't be v; nil allows every value of the
	// type. The compiler checks constants where it leaves variables alone.
	limit func(v constant.Value) string
}

func (w *walker) exprs(list ...ast.Expr) {
	for _, e := range list {
		w.expr(e, place{})
	}
}

// expr walks an expression. Types and constants inside constants are never
// touched.
func (w *walker) expr(e ast.Expr, c place) {
	if e == nil {
		return
	}
	tv := w.info.Types[e]
	if tv.IsType() {
		return
	}
	if tv.Value != nil {
		w.constant(e, c)
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		w.expr(e.X, place{limit: c.limit, decided: c.decided})
	case *ast.BinaryExpr:
		w.binary(e, c)
	case *ast.UnaryExpr:
		w.unary(e, c)
	case *ast.CallExpr:
		w.errorMatch(e, c)
		w.recovery(e)
		if name, _ := w.info.BuiltinCall(e); name != "" {
			w.dataBuiltin(e, name, c)
		}
		w.call(e)
	case *ast.FuncLit:
		w.funcLit(e)
	case *ast.IndexExpr:
		w.index(e)
	case *ast.SliceExpr:
		w.slice(e)
	case *ast.StarExpr:
		w.expr(e.X, place{operand: true})
	case *ast.SelectorExpr:
		if _, ok := w.info.Selections[e]; ok { // else a qualified identifier
			w.expr(e.X, place{operand: true})
		}
	case *ast.TypeAssertExpr:
		w.expr(e.X, place{operand: true})
	case *ast.CompositeLit:
		w.composite(e)
	}
}

// funcLit walks the body of a function literal as part of the unit.
func (w *walker) funcLit(e *ast.FuncLit) {
	if w.u.index < 0 {
		return // in an initialiser it is a unit of its own
	}
	saved := w.results
	if sig, ok := w.info.Types[e].Type.Underlying().(*types.Signature); ok {
		w.results = sig.Results()
	}
	w.body(e.Body)
	w.results = saved
}

func (w *walker) binary(e *ast.BinaryExpr, c place) {
	w.noteLengths(e)
	switch e.Op {
	case token.LAND, token.LOR:
		w.logic.Settle(e, nil)
		w.logical(e, c)
		w.term(e.X)
		w.term(e.Y)
		return
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		w.comparison(e, c)
		w.errorCheck(e, c)
		w.expr(e.X, place{operand: true})
		w.expr(e.Y, place{operand: true})
		return
	}
	w.arithmetic(e, c)
	w.expr(e.X, place{operand: true})
	w.expr(e.Y, place{operand: true, limit: w.rightLimit(e.Op, e.X)})
}

// rightLimit is what the compiler demands of a constant right operand.
func (w *walker) rightLimit(op token.Token, x ast.Expr) func(constant.Value) string {
	switch op {
	case token.QUO, token.REM, token.QUO_ASSIGN, token.REM_ASSIGN:
		if typing.ClassOf(w.info.TypeOf(x)) == operator.Integer {
			return func(v constant.Value) string {
				if constant.Sign(v) == 0 {
					return "does not compile: division by zero"
				}
				return ""
			}
		}
		return func(v constant.Value) string {
			if _, ok := types.Unalias(w.info.TypeOf(x)).(*types.TypeParam); ok && constant.Sign(v) == 0 {
				return "does not compile: division by zero"
			}
			return ""
		}
	case token.SHL, token.SHR, token.SHL_ASSIGN, token.SHR_ASSIGN:
		return notNegative("shift count")
	}
	return nil
}

func notNegative(what string) func(constant.Value) string {
	return func(v constant.Value) string {
		if constant.Sign(v) < 0 {
			return "does not compile: negative " + what
		}
		return ""
	}
}

func (w *walker) unary(e *ast.UnaryExpr, c place) {
	switch e.Op {
	case token.SUB:
		w.negation(e)
		w.expr(e.X, place{operand: true})
	case token.XOR:
		w.complement(e)
		w.expr(e.X, place{operand: true})
	case token.NOT:
		w.not(e)
		w.expr(e.X, place{operand: true})
	case token.AND:
		// What is inside must stay addressable, which no edit below changes:
		// operations are not addressable to begin with.
		w.expr(e.X, place{operand: true})
	default:
		w.expr(e.X, place{operand: true})
	}
}

// call walks a call, a conversion, or a use of a builtin.
func (w *walker) call(e *ast.CallExpr) {
	tv := w.info.Types[e.Fun]
	switch {
	case tv.IsType():
		w.conversion(e, tv.Type)
	case w.r.loggers.Logs(e):
		w.silenced(e.Pos(), w.f.Node(e.Fun), loggingCall, func() { w.exprs(e.Args...) })
	case tv.IsBuiltin():
		w.builtin(e)
	default:
		w.recordSearch(e)
		w.wrapVerbs(e)
		w.contexts(e)
		w.arguments(e)
		w.expr(e.Fun, place{operand: true})
		w.exprs(e.Args...)
	}
}

func (w *walker) conversion(e *ast.CallExpr, to types.Type) {
	if b, ok := to.Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer {
		// unsafe.Pointer(uintptr(p) + n) has to stay one expression.
		w.silenced(e.Pos(), "conversion", "unsafe pointer arithmetic", func() { w.exprs(e.Args...) })
		return
	}
	w.integerConversion(e, to)
	c := place{}
	if _, ok := types.Unalias(to).(*types.TypeParam); ok {
		c.limit = func(constant.Value) string { return "constant converted to a type parameter" }
	}
	for _, arg := range e.Args {
		w.expr(arg, c)
	}
}

func (w *walker) builtin(e *ast.CallExpr) {
	id := typing.CalleeIdent(e)
	if id == nil {
		return
	}
	switch id.Name {
	case "make":
		w.noteMake(e)
		sizes, hint := w.sizesOfMake(e)
		w.ordered("make", -1, sizes...)
		if hint != nil {
			w.silenced(hint.Pos(), "make", constantHint, func() { w.expr(hint, place{}) })
		}
	case "recover", "Sizeof", "Offsetof", "Alignof":
	case "Add", "Slice", "String":
		w.silenced(e.Pos(), "unsafe."+id.Name, "unsafe pointer arithmetic", func() { w.exprs(e.Args...) })
	default:
		w.exprs(e.Args...)
	}
}

// sizesOfMake returns the sizes that a call of make is given, and apart from them a
// constant one that only says how much room to reserve: the compiler keeps what
// has room for a constant number of elements on the stack.
func (w *walker) sizesOfMake(e *ast.CallExpr) (sizes []ast.Expr, hint ast.Expr) {
	sizes = e.Args[1:]
	last := len(sizes) - 1
	if last >= 0 && (last == 1 || typing.IsMap(w.info.TypeOf(e))) && w.info.IsConstant(sizes[last]) {
		return sizes[:last], sizes[last]
	}
	return sizes, nil
}

// ordered walks operands that, where constant, must not be negative, decrease, or
// exceed limit (if it is not negative).
func (w *walker) ordered(what string, limit int64, list ...ast.Expr) {
	for i, e := range list {
		if e == nil {
			continue
		}
		w.expr(e, place{limit: func(v constant.Value) string {
			if why := notNegative("operand of " + what)(v); why != "" {
				return why
			}
			if limit >= 0 && constant.Compare(v, token.GTR, constant.MakeInt64(limit)) {
				return "does not compile: out of range"
			}
			for j, other := range list {
				ov := w.info.Value(other)
				if ov == nil || j == i {
					continue
				}
				if j < i && constant.Compare(ov, token.GTR, v) || j > i && constant.Compare(v, token.GTR, ov) {
					return "does not compile: operands of " + what + " out of order"
				}
			}
			return ""
		}})
	}
}

func (w *walker) index(e *ast.IndexExpr) {
	x := w.info.Types[e.X]
	if x.IsType() || w.info.Types[e.Index].IsType() {
		w.expr(e.X, place{operand: true}) // an instantiation: perhaps of a method value
		return
	}
	w.expr(e.X, place{operand: true, limit: indexed})
	if m, ok := typing.Core(x.Type).(*types.Map); ok && m != nil {
		w.recordLookup(e)
		w.expr(e.Index, place{})
		return
	}
	w.element(e)
	limit := w.info.Length(e.X)
	w.expr(e.Index, place{limit: func(v constant.Value) string {
		if constant.Sign(v) < 0 || limit >= 0 && constant.Compare(v, token.GEQ, constant.MakeInt64(limit)) {
			return "does not compile: index out of range"
		}
		return ""
	}})
}

func (w *walker) slice(e *ast.SliceExpr) {
	w.bounds(e)
	w.expr(e.X, place{operand: true, limit: indexed})
	w.ordered("a slice expression", w.info.Length(e.X), e.Low, e.High, e.Max)
}

// indexed limits a constant string with an index: the compiler checks the bounds.
func indexed(constant.Value) string { return "constant string with an index" }

// bigLiteral is the number of elements from which on a composite literal is data
// rather than code.
const bigLiteral = 32

// composite walks the values of a composite literal. Keys are left alone: the
// compiler checks constant ones for duplicates.
func (w *walker) composite(e *ast.CompositeLit) {
	reason := ""
	switch {
	case w.u.index < 0 && len(e.Elts) > 0:
		reason = packageTable
	case len(e.Elts) > bigLiteral:
		reason = bigTable
	}
	walk := func() {
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				w.field(kv)
				elt = kv.Value
			}
			w.expr(elt, place{})
		}
	}
	if reason != "" {
		w.silenced(e.Pos(), "composite literal", reason, walk)
		return
	}
	walk()
}
