package typing

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// IsConstant says whether an expression is a constant.
func (i *Info) IsConstant(e ast.Expr) bool { return i.Types[e].Value != nil }

// Value returns the value of a constant, nil for other expressions, and for none.
func (i *Info) Value(e ast.Expr) constant.Value {
	if e == nil {
		return nil
	}
	return i.Types[e].Value
}

// HasUntypedShift says whether an expression holds a shift of an untyped constant
// by a variable: its type comes from around it, so inference can't work.
func (i *Info) HasUntypedShift(exprs ...ast.Expr) bool {
	found := false
	for _, e := range exprs {
		ast.Inspect(e, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if ok && (b.Op == token.SHL || b.Op == token.SHR) && i.Value(b) == nil && i.Value(b.X) != nil {
				found = true
			}
			return !found
		})
	}
	return found
}

// IsTypedConst says whether a constant expression has its own type rather
// than from its context.
func (i *Info) IsTypedConst(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return false
	case *ast.ParenExpr:
		return i.IsTypedConst(e.X)
	case *ast.UnaryExpr:
		return i.IsTypedConst(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.SHL, token.SHR:
			return i.IsTypedConst(e.X)
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return false // untyped bool
		}
		return i.IsTypedConst(e.X) || i.IsTypedConst(e.Y)
	case *ast.Ident:
		return isTypedObject(i.Uses[e])
	case *ast.SelectorExpr:
		return isTypedObject(i.Uses[e.Sel])
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

// IsChar says whether a constant is written as a character.
func IsChar(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok && lit.Kind == token.CHAR
}

// Representable says whether every type t may stand for can hold v.
func Representable(v constant.Value, t types.Type, old constant.Value) bool {
	return EachTerm(t, func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && fits(v, b, old)
	})
}

// fits takes int, uint and uintptr to have 32 bits unless the constant in place needs
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
		lo, hi := IntRange(b)
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

// IntRange returns the least and greatest value of an integer type.
func IntRange(b *types.Basic) (lo int64, hi uint64) {
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

// UntypedDefault returns the type that inference would give a constant.
func (i *Info) UntypedDefault(e ast.Expr) types.Type {
	if i.IsTypedConst(e) {
		return i.TypeOf(e)
	}
	t := types.Type(types.Typ[types.Int])
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.FLOAT || n.Kind == token.IMAG {
				t = types.Typ[types.Float64]
			}
		case *ast.Ident:
			if obj, ok := i.Uses[n].(*types.Const); ok && ClassOf(obj.Type()) == operator.Number {
				t = types.Typ[types.Float64]
			}
		}
		return true
	})
	return t
}

// IsFloatShift says whether a shift count is a constant that is written as a floating-point
// number, which no function takes for an integer.
func (i *Info) IsFloatShift(count ast.Expr) bool {
	return i.IsConstant(count) && ClassOf(types.Default(i.UntypedDefault(count))) != operator.Integer
}

// EndsInConstant says whether an operand is a constant, or one is added to it, so
// that to move the operand is to move the constant.
func (i *Info) EndsInConstant(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return i.IsConstant(e) || ok && (b.Op == token.ADD || b.Op == token.SUB) && i.IsConstant(b.Y)
}

// IsZero says whether an expression obviously gives the zero value of t.
func (i *Info) IsZero(e ast.Expr, t types.Type) bool {
	if i.Types[e].IsNil() || i.staysZero(e, t) {
		return true
	}
	if types.IsInterface(t) && !IsTypeParam(t) {
		return false
	}
	if v := i.Value(e); v != nil {
		switch v.Kind() {
		case constant.String:
			return constant.StringVal(v) == ""
		case constant.Bool:
			return false
		}
		return constant.Sign(v) == 0
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return false
	}
	switch t := i.TypeOf(e).Underlying().(type) {
	case *types.Struct:
		for n, part := range lit.Elts {
			if field := fieldOf(t, part, n); field == nil || !i.isZeroPart(part, field.Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return !slices.ContainsFunc(lit.Elts, func(part ast.Expr) bool { return !i.isZeroPart(part, t.Elem()) })
	}
	return false
}

// fieldOf returns the field that a part of a struct literal sets, the nth part of it.
func fieldOf(t *types.Struct, part ast.Expr, n int) *types.Var {
	pair, ok := part.(*ast.KeyValueExpr)
	if !ok {
		return t.Field(n)
	}
	name, _ := pair.Key.(*ast.Ident)
	for f := range t.Fields() {
		if name != nil && f.Name() == name.Name {
			return f
		}
	}
	return nil
}

// isZeroPart says whether a part of a literal obviously has the zero value of t.
func (i *Info) isZeroPart(e ast.Expr, t types.Type) bool {
	if pair, ok := e.(*ast.KeyValueExpr); ok {
		e = pair.Value
	}
	if v := i.Value(e); v != nil && v.Kind() == constant.Bool {
		return !types.IsInterface(t) && !constant.BoolVal(v)
	}
	return i.IsZero(e, t)
}

// AllConstant says whether all of several expressions are constants.
func (i *Info) AllConstant(list []ast.Expr) bool {
	for _, e := range list {
		if !i.IsConstant(e) {
			return false
		}
	}
	return true
}

// Decided returns the value that a condition has whatever the program does: it is
// constant, or a constant decides it (debug && x > 3).
func (i *Info) Decided(e ast.Expr) (value, known bool) {
	if v := i.Value(e); v != nil {
		return constant.BoolVal(v), true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return i.Decided(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			value, known = i.Decided(e.X)
			return !value, known
		}
	case *ast.BinaryExpr:
		if e.Op != token.LAND && e.Op != token.LOR {
			return false, false
		}
		decides := e.Op == token.LOR
		for _, operand := range []ast.Expr{e.X, e.Y} {
			if value, known := i.Decided(operand); known && value == decides {
				return value, true
			}
		}
	}
	return false, false
}

// IsDefaultType says whether an untyped constant of the usual form has type t
// where nothing else decides.
func IsDefaultType(t types.Type) bool {
	switch t {
	case types.Typ[types.Int], types.Typ[types.Float64], types.Typ[types.String], types.Typ[types.Bool]:
		return true
	}
	return false
}
