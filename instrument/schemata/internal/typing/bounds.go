package typing

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Bounds are the least and the most value that a whole number may have, as far as the form of
// an expression and its type say; nil: not known.
type Bounds struct{ Least, Most constant.Value }

// Bounds returns those of an expression whatever the values of its variables are. A variable
// may change while the expression is evaluated: each part counts for itself.
func (i *Info) Bounds(e ast.Expr) Bounds {
	b, ok := i.TypeOf(e).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return Bounds{}
	}
	if v := i.Value(e); v != nil {
		return Bounds{v, v}
	}
	return i.ofForm(ast.Unparen(e)).within(ofType(b))
}

// ofType are the bounds of a type's values. int and uint have another size elsewhere.
func ofType(b *types.Basic) Bounds {
	bits := map[types.BasicKind]uint{
		types.Int8: 7, types.Int16: 15, types.Int32: 31, types.Int64: 63,
		types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64,
	}[b.Kind()]
	one := constant.MakeInt64(1)
	var all Bounds
	if bits > 0 {
		end := constant.Shift(one, token.SHL, bits)
		all = Bounds{constant.UnaryOp(token.SUB, end, 0), constant.BinaryOp(end, token.SUB, one)}
	}
	if b.Info()&types.IsUnsigned != 0 {
		all.Least = constant.MakeInt64(0)
	}
	return all
}

// within are the bounds of what is within both: b, and those of a type that holds all of b.
func (b Bounds) within(t Bounds) Bounds {
	if b.Least == nil || t.Least != nil && constant.Compare(b.Least, token.LSS, t.Least) {
		b.Least = t.Least
	}
	if b.Most == nil || t.Most != nil && constant.Compare(b.Most, token.GTR, t.Most) {
		b.Most = t.Most
	}
	return b
}

// holds says whether all values within inner bounds are within b, too.
func (b Bounds) holds(inner Bounds) bool {
	least := b.Least == nil || inner.Least != nil && constant.Compare(inner.Least, token.GEQ, b.Least)
	most := b.Most == nil || inner.Most != nil && constant.Compare(inner.Most, token.LEQ, b.Most)
	return least && most
}

// notNegative says whether no value within b is below 0.
func (b Bounds) notNegative() bool { return b.Least != nil && constant.Sign(b.Least) >= 0 }

// ofForm are the bounds that follow from what is computed.
func (i *Info) ofForm(e ast.Expr) Bounds {
	switch e := e.(type) {
	case *ast.Ident:
		v := i.ObjectOf(e)
		if v != nil && i.indexes[v] {
			return Bounds{Least: constant.MakeInt64(0)}
		}
		if set := i.once[v]; set != nil {
			return i.Bounds(set)
		}
	case *ast.BinaryExpr:
		return i.ofOperation(e)
	case *ast.CallExpr:
		if i.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return i.ofConversion(e)
		}
		return i.ofCall(e)
	}
	return Bounds{}
}

// ofOperation are the bounds of x & y, x % c and x >> n. What may wrap around has none.
func (i *Info) ofOperation(e *ast.BinaryExpr) Bounds {
	zero := constant.MakeInt64(0)
	x, y := i.Bounds(e.X), i.Bounds(e.Y)
	switch e.Op {
	case token.AND: // no bits but those of either operand, and so not the sign
		var most constant.Value
		for _, b := range []Bounds{x, y} {
			if b.notNegative() && b.Most != nil && (most == nil || constant.Compare(b.Most, token.LSS, most)) {
				most = b.Most
			}
		}
		if x.notNegative() || y.notNegative() {
			return Bounds{zero, most}
		}
	case token.REM: // of the sign of x, and nearer to zero than c
		if c := i.Value(e.Y); c != nil && constant.Sign(c) != 0 {
			if constant.Sign(c) < 0 {
				c = constant.UnaryOp(token.SUB, c, 0)
			}
			most := constant.BinaryOp(c, token.SUB, constant.MakeInt64(1))
			if x.notNegative() {
				return Bounds{zero, most}
			}
			return Bounds{constant.UnaryOp(token.SUB, most, 0), most}
		}
	case token.SHR: // towards zero, if not below it
		if x.notNegative() {
			return Bounds{zero, x.Most}
		}
	}
	return Bounds{}
}

// ofConversion are the bounds of a number that the type it is converted to holds.
func (i *Info) ofConversion(e *ast.CallExpr) Bounds {
	from, ok := i.TypeOf(e.Args[0]).Underlying().(*types.Basic)
	to := i.TypeOf(e).Underlying().(*types.Basic)
	if !ok || from.Info()&types.IsInteger == 0 {
		return Bounds{}
	}
	x := i.Bounds(e.Args[0])
	target := ofType(to)
	if to.Kind() == types.Int || to.Kind() == types.Uint || to.Kind() == types.Uintptr { // at least 32 bits
		least := map[bool]types.BasicKind{false: types.Uint32, true: types.Int32}[to.Kind() == types.Int]
		target = ofType(types.Typ[least])
	}
	if !target.holds(x) {
		return Bounds{}
	}
	return x
}

// ofCall are the bounds of lengths and of functions of the standard library whose
// documentation says them.
func (i *Info) ofCall(e *ast.CallExpr) Bounds {
	if name, _ := i.BuiltinCall(e); name == "len" || name == "cap" {
		return Bounds{Least: constant.MakeInt64(0)}
	}
	switch i.calledName(e) {
	case "bytes.Compare", "cmp.Compare", "slices.Compare", "strings.Compare",
		"(*math/big.Int).Cmp", "(*math/big.Int).CmpAbs", "(*math/big.Int).Sign", "(*math/big.Rat).Cmp", "(*math/big.Rat).Sign",
		"(*math/big.Float).Cmp", "(*math/big.Float).Sign", "(time.Time).Compare",
		"(net/netip.Addr).Compare", "(net/netip.AddrPort).Compare", "(net/netip.Prefix).Compare":
		return Bounds{constant.MakeInt64(-1), constant.MakeInt64(1)}
	case "bytes.Index", "bytes.IndexAny", "bytes.IndexByte", "bytes.IndexFunc", "bytes.IndexRune",
		"bytes.LastIndex", "bytes.LastIndexAny", "bytes.LastIndexByte", "bytes.LastIndexFunc",
		"slices.Index", "slices.IndexFunc",
		"strings.Index", "strings.IndexAny", "strings.IndexByte", "strings.IndexFunc", "strings.IndexRune",
		"strings.LastIndex", "strings.LastIndexAny", "strings.LastIndexByte", "strings.LastIndexFunc":
		return Bounds{Least: constant.MakeInt64(-1)}
	case "bytes.Count", "strings.Count", "unicode/utf8.RuneCount", "unicode/utf8.RuneCountInString":
		return Bounds{Least: constant.MakeInt64(0)}
	}
	return i.results[i.calledObject(e)]
}
