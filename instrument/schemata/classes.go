package schemata

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// eachTerm calls yield for the types a type may stand for: the terms of a type
// parameter's constraint, or t itself. It returns false if yield did, or if a
// type parameter is not limited to a list of types.
func eachTerm(t types.Type, yield func(types.Type) bool) bool {
	tp, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return yield(t)
	}
	return eachEmbedded(tp.Constraint(), yield)
}

// eachEmbedded does it for a constraint. An intersection of several lists is
// taken for its first: every type in it is in that one.
func eachEmbedded(t types.Type, yield func(types.Type) bool) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return yield(t)
	}
	for i := range iface.NumEmbeddeds() {
		switch e := types.Unalias(iface.EmbeddedType(i)).(type) {
		case *types.Union:
			for j := range e.Len() {
				if !eachEmbedded(e.Term(j).Type(), yield) {
					return false
				}
			}
			return true
		default:
			if inner, ok := e.Underlying().(*types.Interface); ok && inner.IsMethodSet() {
				continue // methods only, or comparable
			}
			return eachEmbedded(e, yield)
		}
	}
	return false
}

// classOf returns the operations a type has.
func classOf(t types.Type) operator.Class {
	if t == nil {
		return operator.Other
	}
	class, mixed := operator.Other, false
	ok := eachTerm(t, func(t types.Type) bool {
		c := basicClass(t)
		switch {
		case class == operator.Other:
			class = c
		case class != c:
			if !numeric(class) || !numeric(c) {
				return false
			}
			mixed = true
		}
		return c != operator.Other
	})
	switch {
	case !ok:
		return operator.Other
	case mixed:
		return operator.Number
	}
	return class
}

func numeric(c operator.Class) bool { return c == operator.Integer || c == operator.Number }

func basicClass(t types.Type) operator.Class {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return operator.Other
	}
	switch info := b.Info(); {
	case info&types.IsInteger != 0:
		return operator.Integer
	case info&types.IsNumeric != 0:
		return operator.Number
	case info&types.IsString != 0:
		return operator.String
	case info&types.IsBoolean != 0:
		return operator.Bool
	}
	return operator.Other
}

// isOrdered says whether all values of a type can be compared with <.
func isOrdered(t types.Type) bool {
	return t != nil && eachTerm(t, func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsOrdered != 0
	})
}

// core returns the underlying type that all types t may stand for share, or nil.
func core(t types.Type) types.Type {
	var u types.Type
	eachTerm(t, func(t types.Type) bool {
		if u == nil {
			u = t.Underlying()
		}
		return true
	})
	return u
}

// hasUntypedShift says whether an expression holds a shift of an untyped constant
// by a variable: its type comes from around it, so inference can't work.
func (w *walker) hasUntypedShift(exprs ...ast.Expr) bool {
	found := false
	for _, e := range exprs {
		ast.Inspect(e, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if ok && (b.Op == token.SHL || b.Op == token.SHR) && w.value(b) == nil && w.value(b.X) != nil {
				found = true
			}
			return !found
		})
	}
	return found
}

// isTypedConst says whether a constant expression has a type of its own rather
// than from its context.
func (w *walker) isTypedConst(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return false
	case *ast.ParenExpr:
		return w.isTypedConst(e.X)
	case *ast.UnaryExpr:
		return w.isTypedConst(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.SHL, token.SHR:
			return w.isTypedConst(e.X)
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return false // untyped bool
		}
		return w.isTypedConst(e.X) || w.isTypedConst(e.Y)
	case *ast.Ident:
		return isTypedObject(w.info.Uses[e])
	case *ast.SelectorExpr:
		return isTypedObject(w.info.Uses[e.Sel])
	}
	return true // conversions, len, unsafe.Sizeof
}

func isTypedObject(obj types.Object) bool {
	if obj == nil {
		return true
	}
	b, ok := obj.Type().(*types.Basic)
	return !ok || b.Info()&types.IsUntyped == 0
}

// isChar says whether a constant is written as a character.
func isChar(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok && lit.Kind == token.CHAR
}

// representable says whether every type t may stand for can hold v.
func representable(v constant.Value, t types.Type, old constant.Value) bool {
	return eachTerm(t, func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && fits(v, b, old)
	})
}

// fits judges int, uint and uintptr by 32 bits unless the constant in place needs
// more already: the code may be compiled for such a machine.
func fits(v constant.Value, b *types.Basic, old constant.Value) bool {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return v.Kind() == constant.Bool
	case info&types.IsString != 0:
		return v.Kind() == constant.String
	case info&types.IsInteger != 0:
		v = constant.ToInt(v)
		if v.Kind() != constant.Int {
			return false
		}
		lo, hi := intRange(b)
		if (b.Kind() == types.Int || b.Kind() == types.Uint || b.Kind() == types.Uintptr) && inRange(old, lo/(1<<32), hi>>32) {
			lo, hi = lo/(1<<32), hi>>32
		}
		return inRange(v, lo, hi)
	case info&types.IsFloat != 0:
		if b.Kind() == types.Float32 {
			f, _ := constant.Float32Val(v)
			return f-f == 0 // neither infinite nor NaN
		}
		f, _ := constant.Float64Val(v)
		return f-f == 0
	}
	return false // complex constants are not replaced
}

// intRange returns the least and greatest value of an integer type.
func intRange(b *types.Basic) (lo int64, hi uint64) {
	switch b.Kind() {
	case types.Int8:
		return -1 << 7, 1<<7 - 1
	case types.Int16:
		return -1 << 15, 1<<15 - 1
	case types.Int32, types.UntypedRune:
		return -1 << 31, 1<<31 - 1
	case types.Uint8:
		return 0, 1<<8 - 1
	case types.Uint16:
		return 0, 1<<16 - 1
	case types.Uint32:
		return 0, 1<<32 - 1
	case types.Uint64, types.Uint, types.Uintptr:
		return 0, 1<<64 - 1
	}
	return -1 << 63, 1<<63 - 1
}

func inRange(v constant.Value, lo int64, hi uint64) bool {
	v = constant.ToInt(v)
	return v.Kind() == constant.Int &&
		constant.Compare(v, token.GEQ, constant.MakeInt64(lo)) &&
		constant.Compare(v, token.LEQ, constant.MakeUint64(hi))
}
