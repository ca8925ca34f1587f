package helper

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Room returns the number of elements that decides how much memory a call of make, or of a function
// of reserves, allocates, and the bytes of one element, at least 1. The number is nil if it is a
// constant, or at most the length of what exists and a constant: then the memory is about that of what
// exists. What doubles is not left out: a mutant that never ends doubles it again and again, which takes a hundred
// times as long as its fuel says.
func Room(info *typing.Info, call *ast.CallExpr) (number ast.Expr, bytes int64) {
	number, made := roomOf(info, call)
	if number == nil || bounded(info, number) {
		return nil, 0
	}
	switch t := typing.Core(made).(type) {
	case *types.Slice:
		bytes = sizeof(t.Elem())
	case *types.Chan:
		bytes = sizeof(t.Elem())
	case *types.Map:
		bytes = sizeof(t.Key()) + sizeof(t.Elem()) + 1
	}
	return number, max(1, bytes)
}

// reserves are the functions of the standard library that allocate for as many elements as one
// argument says, the last one.
var reserves = map[string]bool{"(*bytes.Buffer).Grow": true, "(*strings.Builder).Grow": true, "slices.Grow": true, "reflect.MakeSlice": true}

// roomOf returns the argument that says how many elements a call allocates, and the type of what is
// made: of one byte each if it is none with elements.
func roomOf(info *typing.Info, call *ast.CallExpr) (number ast.Expr, made types.Type) {
	if len(call.Args) == 0 {
		return nil, nil
	}
	last := call.Args[len(call.Args)-1]
	if name, _ := info.BuiltinCall(call); name == "make" {
		if len(call.Args) < 2 {
			return nil, nil
		}
		return last, info.TypeOf(call)
	}
	if id := typing.CalleeIdent(call); id == nil || !reserves[called(info, id, call)] {
		return nil, nil
	}
	return last, info.TypeOf(call)
}

// bounded says whether a number is a constant, or at most one length and a constant.
func bounded(info *typing.Info, e ast.Expr) bool {
	if info.IsConstant(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD:
			return (info.IsConstant(e.X) || info.IsConstant(e.Y)) && bounded(info, e.X) && bounded(info, e.Y)
		case token.SUB, token.QUO, token.REM:
			return bounded(info, e.X) && bounded(info, e.Y)
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
