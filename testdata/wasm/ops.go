package wasm

import (
	"reflect"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// Opcodes that are named elsewhere.
const (
	I32Load    LoadOp    = 0x28
	I32Load8S  LoadOp    = 0x2C
	I32Eqz     TestOp    = 0x45
	I64Eqz     TestOp    = 0x50
	I32LtU     CompareOp = 0x49
	I32Add     BinaryOp  = 0x6A
	I32Sub     BinaryOp  = 0x6B
	I32ShrU    BinaryOp  = 0x76
	lastLoad   LoadOp    = 0x35
	firstStore StoreOp   = 0x36
	lastStore  StoreOp   = 0x3E

	firstConvert, lastConvert ConvertOp = 0xA7, 0xBF
)

// compareOps are what lies between the two tests with 0, and behind them.
func compareOps() []CompareOp {
	return append(span(CompareOp(I32Eqz)+1, CompareOp(I64Eqz)-1), span(CompareOp(I64Eqz)+1, 0x66)...)
}

// unaryOps and binaryOps share the range from i32.clz to f64.copysign: for each type,
// the unary ones come first.
func unaryOps() []UnaryOp {
	return append(append(append(span[UnaryOp](0x67, 0x69), span[UnaryOp](0x79, 0x7B)...), span[UnaryOp](0x8B, 0x91)...), span[UnaryOp](0x99, 0x9F)...)
}

func binaryOps() []BinaryOp {
	return append(append(append(span(I32Add, 0x78), span[BinaryOp](0x7C, 0x8A)...), span[BinaryOp](0x92, 0x98)...), span[BinaryOp](0xA0, 0xA6)...)
}

// span lists the numbers from first to last.
func span[T ~byte](first, last T) (list []T) {
	for op := first; op <= last; op++ {
		list = append(list, op)
	}
	return list
}

// Register tells a registry which values the types have, so that modules can be
// derived.
func Register(reg *derive.Registry) error {
	instrs := []any{
		Nop{},
		Unreachable{},
		Block{},
		Loop{},
		If{},
		Br{},
		BrIf{},
		BrTable{},
		Return{},
		Call{},
		Drop{},
		Select{},
		LocalGet{},
		LocalSet{},
		LocalTee{},
		GlobalGet{},
		GlobalSet{},
		Load{},
		Store{},
		MemorySize{},
		MemoryGrow{},
		I32Const{},
		I64Const{},
		F32Const{},
		F64Const{},
		Test{},
		Compare{},
		Unary{},
		Binary{},
		Convert{},
	}
	for _, err := range []error{
		reg.Implementations(reflect.TypeFor[Instr](), instrs),
		hunt.Values(reg, []ValueType{I32, I64, F32, F64}),
		hunt.Values(reg, []ExternKind{ExternFunc, ExternMem, ExternGlobal}),
		hunt.Values(reg, span(I32Load, lastLoad)),
		hunt.Values(reg, span(firstStore, lastStore)),
		hunt.Values(reg, []TestOp{I32Eqz, I64Eqz}),
		hunt.Values(reg, compareOps()),
		hunt.Values(reg, unaryOps()),
		hunt.Values(reg, binaryOps()),
		hunt.Values(reg, span(firstConvert, lastConvert)),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}
