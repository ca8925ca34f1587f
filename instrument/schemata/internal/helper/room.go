package helper

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Room returns the size that decides how much memory a call of make allocates, and the bytes of
// one element, at least 1. The size is nil if it is a constant, or at most some times the length
// of what exists: then the memory is no more than a few times that.
func Room(info *typing.Info, call *ast.CallExpr) (size ast.Expr, bytes int64) {
	if name, _ := info.BuiltinCall(call); name != "make" || len(call.Args) < 2 {
		return nil, 0
	}
	size = call.Args[len(call.Args)-1]
	if bounded(info, size) {
		return nil, 0
	}
	switch t := typing.Core(info.TypeOf(call)).(type) {
	case *types.Slice:
		bytes = sizeof(t.Elem())
	case *types.Chan:
		bytes = sizeof(t.Elem())
	case *types.Map:
		bytes = sizeof(t.Key()) + sizeof(t.Elem()) + 1
	}
	return size, max(1, bytes)
}

// bounded says whether a number is a constant, or follows from lengths without a product of two.
func bounded(info *typing.Info, e ast.Expr) bool {
	if info.IsConstant(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.QUO, token.REM:
			return bounded(info, e.X) && bounded(info, e.Y)
		case token.MUL:
			return (info.IsConstant(e.X) || info.IsConstant(e.Y)) && bounded(info, e.X) && bounded(info, e.Y)
		}
	case *ast.CallExpr:
		if info.Types[e.Fun].IsType() {
			return len(e.Args) == 1 && bounded(info, e.Args[0])
		}
		name, _ := info.BuiltinCall(e)
		return name == "len" || name == "cap"
	}
	return false
}

// sizeof returns the size of a type in bytes, without padding. A type parameter counts as an
// interface.
func sizeof(t types.Type) (bytes int64) {
	sizes := types.StdSizes{WordSize: 8, MaxAlign: 8}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return t.Len() * sizeof(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			bytes += sizeof(f.Type())
		}
		return bytes
	default:
		return sizes.Sizeof(t)
	}
}
