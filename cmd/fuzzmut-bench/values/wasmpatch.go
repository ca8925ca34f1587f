package values

import (
	"fmt"
	"strings"
)

// A patch is a change of a file of wazero's. It is found by what the source says, not
// by line numbers: the anchor occurs in the file once, and after it what is replaced
// comes first.
type patch struct {
	file   string
	anchor string
	from   string
	to     string
}

// Files into which faults are put.
const (
	funcValidation = "internal/wasm/func_validation.go"
	moduleFile     = "internal/wasm/module.go"
	sectionFile    = "internal/wasm/binary/section.go"
	irCompiler     = "internal/engine/interpreter/compiler.go"
	interpreterGo  = "internal/engine/interpreter/interpreter.go"
)

// wasmPatches put the faults of the MUTAGEN paper's WebAssembly experiments into
// wazero 1.12.0. Each is there while fault.On has its number: those of the
// validator each leave out a check, and those of the interpreter do something else
// than the instruction says. The last patch has the interpreter burn fuel.
var wasmPatches = []patch{
	// 1: the values at the end of an else branch; 3: those at the end of a function.
	{
		funcValidation, "// Check return types match",
		"if err := valueTypeStack",
		`if fault.On == 1 && ctx == OpcodeElseName || fault.On == 3 && len(controlBlockStack.stack) == 0 {
			} else if err := valueTypeStack`,
	},
	// 2: values that are left over.
	{
		funcValidation, "} else if op == OpcodeNop {",
		"{",
		`{
			if fault.On == 2 {
				valueTypeStack.resetAtStackLimit()
			}`,
	},
	// 4: more than one memory.
	{
		sectionFile, "func decodeMemorySection(",
		"if vs > 1", `for ; fault.On == 4 && vs > 1; vs-- {
		if _, err := decodeMemory(r, enabledFeatures, memorySizer, memoryLimitPages); err != nil {
			return nil, err
		}
	}
	if vs > 1`,
	},
	// 5: exports of functions that are not there.
	{
		moduleFile, "func (m *Module) validateExports(",
		"if index >= uint32(len(functions))", "if index >= uint32(len(functions)) && fault.On != 5",
	},
	// 6: the operand of i64.eqz.
	{
		funcValidation, "case OpcodeI64Eqz:",
		"if err :=", `if fault.On == 6 {
				} else if err :=`,
	},
	// 7: the second operand of i32.add and its like.
	{
		funcValidation, "OpcodeI32ShrU, OpcodeI32Rotl, OpcodeI32Rotr:",
		`the 1st operand for %s: %v", InstructionName(op), err)
				}
				if err :=`,
		`the 1st operand for %s: %v", InstructionName(op), err)
				}
				if fault.On == 7 {
				} else if err :=`,
	},
	// 8: the memory of memory.size.
	{
		funcValidation, "} else if OpcodeMemorySize <= op && op <= OpcodeMemoryGrow {",
		"if memory == nil", "if memory == nil && !(fault.On == 8 && op == OpcodeMemorySize)",
	},
	// 9: the type of i64.const.
	{
		funcValidation, `return fmt.Errorf("read i64 immediate: %v", err)`,
		"valueTypeStack.push(ValueTypeI64)", `if fault.On == 9 {
					valueTypeStack.push(ValueTypeI32)
				} else {
					valueTypeStack.push(ValueTypeI64)
				}`,
	},
	// 10: the memory and the alignment of i32.load.
	{
		funcValidation, "if OpcodeI32Load <= op && op <= OpcodeI64Store32 {",
		"if memory == nil", "if memory == nil && !(fault.On == 10 && op == OpcodeI32Load)",
	},
	{
		funcValidation, "case OpcodeI32Load:",
		"if 1<<align > 32/8", "if 1<<align > 32/8 && fault.On != 10",
	},
	// 11: i32.sub adds.
	{
		irCompiler, "case wasm.OpcodeI32Sub:",
		"c.emit(", `if fault.On == 11 {
			c.emit(newOperationAdd(unsignedTypeI32))
			break
		}
		c.emit(`,
	},
	// 12: i32.lt_u is i32.le_u.
	{
		irCompiler, "case wasm.OpcodeI32LtU:",
		"c.emit(", `if fault.On == 12 {
			c.emit(newOperationLe(signedTypeUint32))
			break
		}
		c.emit(`,
	},
	// 13: the operands of i32.shr_u change places.
	{
		interpreterGo, "case operationKindShr:",
		"case signedUint32:", `case signedUint32:
				if fault.On == 13 {
					v1, v2 = v2, v1
				}`,
	},
	// 14: local variables start with 1.
	{
		irCompiler, "func (c *compiler) emitDefaultValue(",
		"c.emit(newOperationConstI32(0))", `if fault.On == 14 {
			c.emit(newOperationConstI32(1))
			break
		}
		c.emit(newOperationConstI32(0))`,
	},
	{
		irCompiler, "func (c *compiler) emitDefaultValue(",
		"c.emit(newOperationConstI64(0))", `if fault.On == 14 {
			c.emit(newOperationConstI64(1))
			break
		}
		c.emit(newOperationConstI64(0))`,
	},
	// 15: the address of i32.load8_s loses its upper bits.
	{
		interpreterGo, "case operationKindLoad8:",
		"memoryInst.ReadByte(ce.popMemoryOffset(op))",
		`memoryInst.ReadByte(func() uint32 {
				at := ce.popMemoryOffset(op)
				if fault.On == 15 && signedInt(op.B1) == signedInt32 {
					return uint32(uint8(at))
				}
				return at
			}())`,
	},
	{
		interpreterGo, "func (ce *callEngine) callNativeFunc(",
		"for frame.pc < bodyLen {", `for frame.pc < bodyLen {
		fault.Burn()`,
	},
}

// farthest is how far after the anchor what is replaced may begin and end.
const farthest = 1500

// apply changes the source of the patch's file.
func (p *patch) apply(source string) (string, error) {
	if n := strings.Count(source, p.anchor); n != 1 {
		return "", fmt.Errorf("%s is not as expected: it has %q %d times, not once", p.file, p.anchor, n)
	}
	start := strings.Index(source, p.anchor)
	end := min(start+len(p.anchor)+farthest, len(source))
	i := strings.Index(source[start:end], p.from)
	if i < 0 {
		return "", fmt.Errorf("%s is not as expected: it has no %q close after %q", p.file, p.from, p.anchor)
	}
	i += start
	return source[:i] + p.to + source[i+len(p.from):], nil
}
