package typing

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Disjoint says whether two whole numbers have no bit in common, whatever the values of
// variables are: x|y, x^y and x+y are the same then.
func (i *Info) Disjoint(x, y ast.Expr) bool {
	a, ok := i.Bits(x)
	b, ok2 := i.Bits(y)
	return ok && ok2 && a&b == 0
}

// Bits returns the bits that a whole number may have; false: it may be negative, or nothing is
// known. A variable may change while the expression is evaluated: each part counts for itself.
func (i *Info) Bits(e ast.Expr) (uint64, bool) {
	b, ok := i.TypeOf(e).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return 0, false
	}
	if v := i.Value(e); v != nil {
		return constant.Uint64Val(constant.ToInt(v))
	}
	all := typeBits(b)
	if bits, ok := i.bitsOfForm(ast.Unparen(e)); ok && (b.Info()&types.IsUnsigned != 0 || bits&^all == 0) {
		return bits & all, true
	}
	return all, b.Info()&types.IsUnsigned != 0
}

// typeBits are the bits of the values of a type that are not negative. int is of 32 bits
// somewhere, and uint of 64.
func typeBits(b *types.Basic) uint64 {
	bits := map[types.BasicKind]uint{
		types.Int8: 7, types.Int16: 15, types.Int32: 31, types.Int64: 63, types.Int: 31,
		types.Uint8: 8, types.Uint16: 16, types.Uint32: 32,
	}[b.Kind()]
	if bits == 0 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

// bitsOfForm are the bits that follow from what is computed, before the type cuts them.
func (i *Info) bitsOfForm(e ast.Expr) (uint64, bool) {
	switch e := e.(type) {
	case *ast.CallExpr:
		if i.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return i.Bits(e.Args[0])
		}
	case *ast.BinaryExpr:
		return i.bitsOfOperation(e)
	}
	return 0, false
}

func (i *Info) bitsOfOperation(e *ast.BinaryExpr) (uint64, bool) {
	x, okX := i.Bits(e.X)
	y, okY := i.Bits(e.Y)
	switch e.Op {
	case token.AND:
		switch {
		case okX && okY:
			return x & y, true
		case okX:
			return x, true
		}
		return y, okY
	case token.OR, token.XOR:
		return x | y, okX && okY
	case token.AND_NOT:
		if i.Value(e.Y) != nil && okY {
			x &^= y
		}
		return x, okX
	case token.SHL, token.SHR:
		n, exact := shift(i.Value(e.Y))
		switch {
		case !exact || !okX:
		case e.Op == token.SHR:
			return x >> n, true
		case x<<n>>n == x || i.isUnsigned(e): // no bit becomes the sign
			return x << n, true
		}
	}
	return 0, false
}

func (i *Info) isUnsigned(e ast.Expr) bool {
	b, ok := i.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// shift is by how many bits; false: it is not known.
func shift(v constant.Value) (uint64, bool) {
	if v == nil {
		return 0, false
	}
	return constant.Uint64Val(constant.ToInt(v))
}
