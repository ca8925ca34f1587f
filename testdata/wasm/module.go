// Package wasm holds WebAssembly modules as Go values, and encodes them. What can be
// said in the values is the structure of the format, and not its rules: most of them
// are no valid modules.
//
// It has what WebAssembly 1.0 has but for imports, tables, and data. The names are
// those of the specification, https://www.w3.org/TR/wasm-core-1/.
package wasm

// Module is a module.
type Module struct {
	Types   []FuncType
	Funcs   []Func
	Mems    []Limits
	Globals []Global
	Exports []Export
}

// ValueType is a type of values, as the binary format numbers them.
type ValueType byte

// The types of values.
const (
	I32 ValueType = 0x7F - iota
	I64
	F32
	F64
)

// FuncType is a type of functions.
type FuncType struct {
	Params, Results []ValueType
}

// Func is a function.
type Func struct {
	Type   uint32 // index
	Locals []ValueType
	Body   []Instr
}

// Limits are the sizes of a memory in pages of 64 KiB. They are small, so that a module
// does not cost more to run than others.
type Limits struct {
	Min uint32  `fuzz:"max=4"`
	Max *uint32 `fuzz:"max=4"`
}

// Global is a variable with its first value, which is converted to the type.
type Global struct {
	Type    ValueType
	Mutable bool
	Value   int32
}

// Export makes something visible outside.
type Export struct {
	Name  string `fuzz:"utf8"`
	Kind  ExternKind
	Index uint32
}

// ExternKind is what can be exported, as the binary format numbers it.
type ExternKind byte

// The kinds of what can be exported; tables there are none of.
const (
	ExternFunc   ExternKind = 0
	ExternMem    ExternKind = 2
	ExternGlobal ExternKind = 3
)

// Instr is an instruction.
type Instr interface{ encode(b []byte) []byte }

// Instructions for control.
type (
	// Unreachable always traps.
	Unreachable struct{}
	// Nop does nothing.
	Nop struct{}
	// Block is a block, to the end of which a branch leads.
	Block struct {
		Result *ValueType
		Body   []Instr
	}
	// Loop is a block, to the start of which a branch leads.
	Loop struct {
		Result *ValueType
		Body   []Instr
	}
	// If has an else only if that has instructions.
	If struct {
		Result     *ValueType
		Then, Else []Instr
	}
	// Br is a branch.
	Br struct{ Label uint32 }
	// BrIf is a branch on a condition.
	BrIf struct{ Label uint32 }
	// BrTable is a branch by a number.
	BrTable struct {
		Labels  []uint32
		Default uint32
	}
	// Return ends the function.
	Return struct{}
	// Call calls a function.
	Call struct{ Func uint32 }
)

// Instructions for values and variables.
type (
	// Drop drops a value.
	Drop struct{}
	// Select takes one of two values.
	Select struct{}
	// LocalGet reads a local variable.
	LocalGet struct{ Index uint32 }
	// LocalSet writes a local variable.
	LocalSet struct{ Index uint32 }
	// LocalTee is LocalSet that leaves the value.
	LocalTee struct{ Index uint32 }
	// GlobalGet reads a global variable.
	GlobalGet struct{ Index uint32 }
	// GlobalSet writes a global variable.
	GlobalSet struct{ Index uint32 }
)

// Instructions for the memory.
type (
	// Load reads.
	Load struct {
		Op  LoadOp
		Arg MemArg
	}
	// Store writes.
	Store struct {
		Op  StoreOp
		Arg MemArg
	}
	// MemorySize tells the size.
	MemorySize struct{}
	// MemoryGrow makes it larger.
	MemoryGrow struct{}
)

// MemArg is an alignment, as the exponent of a power of 2, and an offset.
type MemArg struct{ Align, Offset uint32 }

// Instructions for numbers.
type (
	// I32Const is a constant.
	I32Const struct{ Value int32 }
	// I64Const is a constant.
	I64Const struct{ Value int64 }
	// F32Const is a constant.
	F32Const struct{ Value float32 }
	// F64Const is a constant.
	F64Const struct{ Value float64 }
	// Test compares with 0.
	Test struct{ Op TestOp }
	// Compare compares two numbers.
	Compare struct{ Op CompareOp }
	// Unary calculates with one number.
	Unary struct{ Op UnaryOp }
	// Binary calculates with two numbers.
	Binary struct{ Op BinaryOp }
	// Convert makes a number one of another type.
	Convert struct{ Op ConvertOp }
)

// Instructions of the same form, by opcode.
type (
	// LoadOp is i32.load to i64.load32_u.
	LoadOp byte
	// StoreOp is i32.store to i64.store32.
	StoreOp byte
	// TestOp is i32.eqz or i64.eqz.
	TestOp byte
	// CompareOp is i32.eq to f64.ge.
	CompareOp byte
	// UnaryOp is i32.clz to f64.sqrt.
	UnaryOp byte
	// BinaryOp is i32.add to f64.copysign.
	BinaryOp byte
	// ConvertOp is i32.wrap_i64 to f64.reinterpret_i64.
	ConvertOp byte
)
