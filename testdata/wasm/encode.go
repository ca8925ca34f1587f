package wasm

import (
	"encoding/binary"
	"math"
)

// Sections of the binary format.
const (
	typeSection   = 1
	funcSection   = 3
	memorySection = 5
	globalSection = 6
	exportSection = 7
	codeSection   = 10
)

// Opcodes without a type of their own.
const (
	opUnreachable = 0x00
	opNop         = 0x01
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0B
	opBr          = 0x0C
	opBrIf        = 0x0D
	opBrTable     = 0x0E
	opReturn      = 0x0F
	opCall        = 0x10
	opDrop        = 0x1A
	opSelect      = 0x1B
	opLocalGet    = 0x20
	opLocalSet    = 0x21
	opLocalTee    = 0x22
	opGlobalGet   = 0x23
	opGlobalSet   = 0x24
	opMemorySize  = 0x3F
	opMemoryGrow  = 0x40
	opI32Const    = 0x41
	opI64Const    = 0x42
	opF32Const    = 0x43
	opF64Const    = 0x44
)

// noResult is the type of a block without a result.
const noResult = 0x40

// Encode returns the module in the binary format. Sections without content are left
// out.
func (m *Module) Encode() []byte {
	b := []byte("\x00asm\x01\x00\x00\x00")
	b = section(b, typeSection, m.Types, appendFuncType)
	b = section(b, funcSection, m.Funcs, func(b []byte, f Func) []byte { return number(b, f.Type) })
	b = section(b, memorySection, m.Mems, appendLimits)
	b = section(b, globalSection, m.Globals, appendGlobal)
	b = section(b, exportSection, m.Exports, appendExport)
	return section(b, codeSection, m.Funcs, appendCode)
}

// section appends a section, which is a list.
func section[T any](b []byte, id byte, list []T, one func([]byte, T) []byte) []byte {
	if len(list) == 0 {
		return b
	}
	return sized(append(b, id), vector(nil, list, one))
}

// sized appends a part with its size before it.
func sized(b, part []byte) []byte {
	return append(number(b, uint32(len(part))), part...)
}

func vector[T any](b []byte, list []T, one func([]byte, T) []byte) []byte {
	b = number(b, uint32(len(list)))
	for _, v := range list {
		b = one(b, v)
	}
	return b
}

// number appends an unsigned number in LEB128.
func number(b []byte, n uint32) []byte { return binary.AppendUvarint(b, uint64(n)) }

// signed appends a signed number in LEB128.
func signed(b []byte, n int64) []byte {
	for {
		low := byte(n & 0x7F)
		n >>= 7
		if sign := low&0x40 != 0; n == 0 && !sign || n == -1 && sign {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}

func valueType(b []byte, t ValueType) []byte { return append(b, byte(t)) }

func appendFuncType(b []byte, t FuncType) []byte {
	return vector(vector(append(b, 0x60), t.Params, valueType), t.Results, valueType)
}

func appendLimits(b []byte, l Limits) []byte {
	if l.Max == nil {
		return number(append(b, 0), l.Min)
	}
	return number(number(append(b, 1), l.Min), *l.Max)
}

func appendGlobal(b []byte, g Global) []byte {
	b = append(b, byte(g.Type), 0)
	if g.Mutable {
		b[len(b)-1] = 1
	}
	var value Instr
	switch g.Type {
	case I64:
		value = I64Const{int64(g.Value)}
	case F32:
		value = F32Const{float32(g.Value)}
	case F64:
		value = F64Const{float64(g.Value)}
	default:
		value = I32Const{g.Value}
	}
	return append(value.encode(b), opEnd)
}

func appendExport(b []byte, e Export) []byte {
	return number(append(sized(b, []byte(e.Name)), byte(e.Kind)), e.Index)
}

func appendCode(b []byte, f Func) []byte {
	code := vector(nil, f.Locals, func(b []byte, t ValueType) []byte { return append(b, 1, byte(t)) })
	return sized(b, append(body(code, f.Body), opEnd))
}

func body(b []byte, list []Instr) []byte {
	for _, in := range list {
		b = in.encode(b)
	}
	return b
}

func block(b []byte, op byte, result *ValueType) []byte {
	if result == nil {
		return append(b, op, noResult)
	}
	return append(b, op, byte(*result))
}

func label(b []byte, n uint32) []byte { return number(b, n) }

func (Unreachable) encode(b []byte) []byte { return append(b, opUnreachable) }
func (Nop) encode(b []byte) []byte         { return append(b, opNop) }
func (i Block) encode(b []byte) []byte {
	return append(body(block(b, opBlock, i.Result), i.Body), opEnd)
}

func (i Loop) encode(b []byte) []byte { return append(body(block(b, opLoop, i.Result), i.Body), opEnd) }

func (i If) encode(b []byte) []byte {
	b = body(block(b, opIf, i.Result), i.Then)
	if len(i.Else) > 0 {
		b = body(append(b, opElse), i.Else)
	}
	return append(b, opEnd)
}

func (i Br) encode(b []byte) []byte   { return number(append(b, opBr), i.Label) }
func (i BrIf) encode(b []byte) []byte { return number(append(b, opBrIf), i.Label) }

func (i BrTable) encode(b []byte) []byte {
	return number(vector(append(b, opBrTable), i.Labels, label), i.Default)
}

func (Return) encode(b []byte) []byte      { return append(b, opReturn) }
func (i Call) encode(b []byte) []byte      { return number(append(b, opCall), i.Func) }
func (Drop) encode(b []byte) []byte        { return append(b, opDrop) }
func (Select) encode(b []byte) []byte      { return append(b, opSelect) }
func (i LocalGet) encode(b []byte) []byte  { return number(append(b, opLocalGet), i.Index) }
func (i LocalSet) encode(b []byte) []byte  { return number(append(b, opLocalSet), i.Index) }
func (i LocalTee) encode(b []byte) []byte  { return number(append(b, opLocalTee), i.Index) }
func (i GlobalGet) encode(b []byte) []byte { return number(append(b, opGlobalGet), i.Index) }
func (i GlobalSet) encode(b []byte) []byte { return number(append(b, opGlobalSet), i.Index) }
func (i Load) encode(b []byte) []byte      { return i.Arg.encode(append(b, byte(i.Op))) }
func (i Store) encode(b []byte) []byte     { return i.Arg.encode(append(b, byte(i.Op))) }
func (a MemArg) encode(b []byte) []byte    { return number(number(b, a.Align), a.Offset) }
func (MemorySize) encode(b []byte) []byte  { return append(b, opMemorySize, 0) }
func (MemoryGrow) encode(b []byte) []byte  { return append(b, opMemoryGrow, 0) }
func (i I32Const) encode(b []byte) []byte  { return signed(append(b, opI32Const), int64(i.Value)) }
func (i I64Const) encode(b []byte) []byte  { return signed(append(b, opI64Const), i.Value) }

func (i F32Const) encode(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(append(b, opF32Const), math.Float32bits(i.Value))
}

func (i F64Const) encode(b []byte) []byte {
	return binary.LittleEndian.AppendUint64(append(b, opF64Const), math.Float64bits(i.Value))
}

func (i Test) encode(b []byte) []byte    { return append(b, byte(i.Op)) }
func (i Compare) encode(b []byte) []byte { return append(b, byte(i.Op)) }
func (i Unary) encode(b []byte) []byte   { return append(b, byte(i.Op)) }
func (i Binary) encode(b []byte) []byte  { return append(b, byte(i.Op)) }
func (i Convert) encode(b []byte) []byte { return append(b, byte(i.Op)) }
