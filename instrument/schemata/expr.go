package schemata

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/expressions"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

func (w *walker) exprs(list ...ast.Expr) {
	for _, e := range list {
		w.expr(e, site.Place{})
	}
}

// expr walks an expression. Types and constants inside constants are never
// touched.
func (w *walker) expr(e ast.Expr, c site.Place) {
	if e == nil {
		return
	}
	tv := w.Info.Types[e]
	if tv.IsType() {
		return
	}
	if tv.Value != nil {
		expressions.Offer(expressions.Constant, w.Context, e, c)
		return
	}
	if b, ok := e.(*ast.BinaryExpr); ok {
		expressions.NoteLengths(w.Context, b)
		if b.Op == token.LAND || b.Op == token.LOR {
			w.Logic.Settle(b, nil)
		}
	}
	expressions.Offer(expressions.Value, w.Context, e, c)
	w.parts(e, c)
}

// parts walks the parts of an expression.
func (w *walker) parts(e ast.Expr, c site.Place) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		w.expr(e.X, site.Place{Limit: c.Limit, Decided: c.Decided})
	case *ast.BinaryExpr:
		w.binary(e)
	case *ast.UnaryExpr:
		// What is inside of &x must stay addressable, which no edit changes:
		// operations are not addressable to begin with.
		w.expr(e.X, site.Place{Operand: true})
	case *ast.CallExpr:
		w.call(e)
	case *ast.FuncLit:
		w.funcLit(e)
	case *ast.IndexExpr:
		w.index(e)
	case *ast.SliceExpr:
		w.slice(e)
	case *ast.StarExpr:
		expressions.GuardCalled(w.Context, e, e.X)
		w.expr(e.X, site.Place{Operand: true})
	case *ast.SelectorExpr:
		if sel, ok := w.Info.Selections[e]; ok { // else a qualified identifier
			if typing.Dereferences(sel) {
				expressions.GuardCalled(w.Context, e, e.X)
			}
			w.expr(e.X, site.Place{Operand: true})
		}
	case *ast.TypeAssertExpr:
		w.expr(e.X, site.Place{Operand: true})
	case *ast.CompositeLit:
		w.composite(e)
	}
}

// funcLit walks the body of a function literal as part of the unit.
func (w *walker) funcLit(e *ast.FuncLit) {
	if w.Unit.Func < 0 {
		return // in an initializer it is its own unit
	}
	saved := w.Results
	if sig, ok := w.Info.Types[e].Type.Underlying().(*types.Signature); ok {
		w.Results = sig.Results()
	}
	w.body(e.Body)
	w.Results = saved
}

func (w *walker) binary(e *ast.BinaryExpr) {
	if e.Op == token.LAND || e.Op == token.LOR {
		w.term(e.X)
		expressions.GuardRight(w.Context, e)
		w.term(e.Y)
		return
	}
	w.expr(e.X, site.Place{Operand: true})
	right := site.Place{Operand: true, Limit: w.rightLimit(e.Op, e.X, e.Y)}
	if typing.IsComparison(e) {
		right.Compared = e.Op
	}
	w.expr(e.Y, right)
}

// term walks an operand of && or ||.
func (w *walker) term(e ast.Expr) {
	expressions.Offer(expressions.Term, w.Context, e, site.Place{})
	w.expr(e, site.Place{Operand: true, Decided: true})
}

// rightLimit is what the compiler demands of a constant right operand, and what leads to another
// result than the one that is there.
func (w *walker) rightLimit(op token.Token, x, y ast.Expr) func(constant.Value) reasons.Reason {
	switch op {
	case token.QUO, token.REM, token.QUO_ASSIGN, token.REM_ASSIGN:
		if typing.ClassOf(w.Info.TypeOf(x)) == operator.Integer {
			was := w.Info.Types[y].Value
			return func(v constant.Value) reasons.Reason {
				switch {
				case constant.Sign(v) == 0:
					return reasons.DividesByZero
				case was == nil || op != token.REM && op != token.REM_ASSIGN:
				case constant.Compare(v, token.EQL, constant.UnaryOp(token.SUB, was, 0)):
					return reasons.SignOfDivisor
				case constant.Compare(v, token.EQL, constant.MakeInt64(-1)):
					return reasons.LikeAnother // as 1
				}
				return nil
			}
		}
		return func(v constant.Value) reasons.Reason {
			if _, ok := types.Unalias(w.Info.TypeOf(x)).(*types.TypeParam); ok && constant.Sign(v) == 0 {
				return reasons.DividesByZero
			}
			return nil
		}
	case token.SHL, token.SHR, token.SHL_ASSIGN, token.SHR_ASSIGN:
		if w.Info.IsFloatShift(y) {
			return func(constant.Value) reasons.Reason { return reasons.FloatShift }
		}
		return notNegative("shift count")
	}
	return nil
}

func notNegative(what string) func(constant.Value) reasons.Reason {
	return func(v constant.Value) reasons.Reason {
		if constant.Sign(v) < 0 {
			return reasons.Negative.With(what)
		}
		return nil
	}
}

// call walks a call, a conversion, or a use of a builtin.
func (w *walker) call(e *ast.CallExpr) {
	tv := w.Info.Types[e.Fun]
	switch {
	case tv.IsType():
		w.conversion(e, tv.Type)
	case w.Logs.Logs(e):
		w.silenced(e.Pos(), w.Src.Node(e.Fun), reasons.LoggingCall, func() { w.exprs(e.Args...) })
	case tv.IsBuiltin():
		w.builtin(e)
	default:
		expressions.Offer(expressions.Called, w.Context, e, site.Place{})
		w.expr(e.Fun, site.Place{Operand: true})
		for at, arg := range e.Args {
			w.expr(arg, site.Place{Limit: func(v constant.Value) reasons.Reason {
				if w.Info.SameArgument(e, at, w.Info.Types[arg].Value, v) {
					return reasons.SameArgument
				}
				return nil
			}})
		}
	}
}

func (w *walker) conversion(e *ast.CallExpr, to types.Type) {
	if b, ok := to.Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer {
		// unsafe.Pointer(uintptr(p) + n) has to stay one expression.
		w.silenced(e.Pos(), "conversion", reasons.UnsafePointers, func() { w.exprs(e.Args...) })
		return
	}
	expressions.Offer(expressions.Converted, w.Context, e, site.Place{})
	c := site.Place{}
	if _, ok := types.Unalias(to).(*types.TypeParam); ok {
		c.Limit = func(constant.Value) reasons.Reason { return reasons.ToTypeParam }
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
		expressions.NoteMake(w.Context, e)
		sizes, hint := w.sizesOfMake(e)
		w.ordered("make", -1, sizes...)
		if hint != nil {
			w.silenced(hint.Pos(), "make", reasons.ConstantHint, func() { w.expr(hint, site.Place{}) })
		}
	case "recover", "Sizeof", "Offsetof", "Alignof":
	case "Add", "Slice", "String":
		w.silenced(e.Pos(), "unsafe."+id.Name, reasons.UnsafePointers, func() { w.exprs(e.Args...) })
	default:
		w.exprs(e.Args...)
	}
}

// sizesOfMake returns the sizes that a call of make is given, and apart from them a
// constant one that is only a capacity hint: the compiler keeps what
// has room for a constant number of elements on the stack.
func (w *walker) sizesOfMake(e *ast.CallExpr) (sizes []ast.Expr, hint ast.Expr) {
	sizes = e.Args[1:]
	last := len(sizes) - 1
	if last >= 0 && (last == 1 || typing.IsMap(w.Info.TypeOf(e))) && w.Info.IsConstant(sizes[last]) {
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
		w.expr(e, site.Place{Limit: func(v constant.Value) reasons.Reason {
			if why := notNegative("operand of " + what)(v); why != nil {
				return why
			}
			if limit >= 0 && constant.Compare(v, token.GTR, constant.MakeInt64(limit)) {
				return reasons.OutOfRange
			}
			for j, other := range list {
				ov := w.Info.Value(other)
				if ov == nil || j == i {
					continue
				}
				if j < i && constant.Compare(ov, token.GTR, v) || j > i && constant.Compare(v, token.GTR, ov) {
					return reasons.OutOfOrder.With(what)
				}
			}
			return nil
		}})
	}
}

func (w *walker) index(e *ast.IndexExpr) {
	x := w.Info.Types[e.X]
	if x.IsType() || w.Info.Types[e.Index].IsType() {
		w.expr(e.X, site.Place{Operand: true}) // an instantiation: perhaps of a method value
		return
	}
	w.expr(e.X, site.Place{Operand: true, Limit: indexed})
	expressions.Offer(expressions.Indexed, w.Context, e, site.Place{})
	if typing.IsMap(x.Type) {
		w.expr(e.Index, site.Place{})
		return
	}
	limit := w.Info.Length(e.X)
	w.expr(e.Index, site.Place{Limit: func(v constant.Value) reasons.Reason {
		if constant.Sign(v) < 0 || limit >= 0 && constant.Compare(v, token.GEQ, constant.MakeInt64(limit)) {
			return reasons.IndexOutOfRange
		}
		return nil
	}})
}

func (w *walker) slice(e *ast.SliceExpr) {
	w.expr(e.X, site.Place{Operand: true, Limit: indexed})
	w.ordered("a slice expression", w.Info.Length(e.X), e.Low, e.High, e.Max)
}

// indexed limits a constant string with an index: the compiler checks the bounds.
func indexed(constant.Value) reasons.Reason { return reasons.IndexedText }

// bigLiteral is the number of elements from which on a composite literal is data
// rather than code.
const bigLiteral = 32

// composite walks the values of a composite literal. Keys are left alone: the
// compiler checks constant ones for duplicates.
func (w *walker) composite(e *ast.CompositeLit) {
	var reason reasons.Reason
	switch {
	case w.Unit.Func < 0 && len(e.Elts) > 0:
		reason = reasons.PackageTable
	case len(e.Elts) > bigLiteral:
		reason = reasons.BigTable
	}
	walk := func() {
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				expressions.Field(w.Context, kv)
				elt = kv.Value
			}
			w.expr(elt, site.Place{})
		}
	}
	if reason != nil {
		w.silenced(e.Pos(), "composite literal", reason, walk)
		return
	}
	walk()
}
