package wasm

import (
	"math"
	"testing"
)

func ptr[T any](v T) *T { return &v }

// The modules are among the seeds of testdata/targets/wazero, which wazero accepts, but
// for sections in which they differ.
func TestEncode(t *testing.T) {
	const header = "\x00asm\x01\x00\x00\x00"
	for _, c := range []struct {
		about string
		m     Module
		want  string
	}{
		{"the empty module", Module{}, header},
		{
			"add",
			Module{
				Types:   []FuncType{{[]ValueType{I32, I32}, []ValueType{I32}}},
				Funcs:   []Func{{Body: []Instr{LocalGet{0}, LocalGet{1}, Binary{I32Add}}}},
				Exports: []Export{{Name: "add"}},
			},
			header + "\x01\x07\x01`\x02\x7f\x7f\x01\x7f\x03\x02\x01\x00\x07\x07\x01\x03add\x00\x00\x0a\x09\x01\x07\x00 \x00 \x01j\x0b",
		},
		{
			"if and else with a result",
			Module{
				Types:   []FuncType{{[]ValueType{I64, I64}, []ValueType{I64}}},
				Funcs:   []Func{{Body: []Instr{LocalGet{0}, LocalGet{1}, Compare{0x55}, If{ptr(I64), []Instr{LocalGet{0}}, []Instr{LocalGet{1}}}}}},
				Exports: []Export{{Name: "max"}},
			},
			header + "\x01\x07\x01`\x02~~\x01~\x03\x02\x01\x00\x07\x07\x01\x03max\x00\x00\x0a\x11\x01\x0f\x00 \x00 \x01U\x04~ \x00\x05 \x01\x0b\x0b",
		},
		{
			"memory, load, store, grow",
			Module{
				Types: []FuncType{{[]ValueType{I32}, []ValueType{I32}}},
				Mems:  []Limits{{1, ptr[uint32](4)}},
				Funcs: []Func{{Body: []Instr{
					LocalGet{0},
					I32Const{7},
					Store{0x36, MemArg{2, 0}},
					LocalGet{0},
					Load{I32Load, MemArg{2, 0}},
					Drop{},
					I32Const{1},
					MemoryGrow{},
				}}},
				Exports: []Export{{Name: "mem"}},
			},
			header + "\x01\x06\x01`\x01\x7f\x01\x7f\x03\x02\x01\x00\x05\x04\x01\x01\x01\x04\x07\x07\x01\x03mem\x00\x00\x0a\x15\x01\x13\x00 \x00A\x076\x02\x00 \x00(\x02\x00\x1aA\x01@\x00\x0b",
		},
		{
			"br_table",
			Module{
				Types: []FuncType{{[]ValueType{I32}, []ValueType{I32}}},
				Funcs: []Func{{Body: []Instr{
					Block{nil, []Instr{
						Block{nil, []Instr{Block{nil, []Instr{LocalGet{0}, BrTable{[]uint32{0, 1}, 2}}}, I32Const{1}, Return{}}},
						I32Const{2},
						Return{},
					}},
					I32Const{3},
				}}},
				Exports: []Export{{Name: "sw"}},
			},
			header + "\x01\x06\x01`\x01\x7f\x01\x7f\x03\x02\x01\x00\x07\x06\x01\x02sw\x00\x00\x0a\x1c\x01\x1a\x00\x02@\x02@\x02@ \x00\x0e\x02\x00\x01\x02\x0bA\x01\x0f\x0bA\x02\x0f\x0bA\x03\x0b",
		},
		{
			"globals, one of them mutable",
			Module{
				Types:   []FuncType{{nil, []ValueType{I32}}},
				Funcs:   []Func{{Body: []Instr{GlobalGet{0}, I32Const{1}, Binary{I32Add}, GlobalSet{0}, GlobalGet{0}}}},
				Globals: []Global{{I32, true, 5}, {I64, false, -1}},
				Exports: []Export{{"g", ExternGlobal, 0}, {"get", ExternFunc, 0}},
			},
			header + "\x01\x05\x01`\x00\x01\x7f\x03\x02\x01\x00\x06\x0b\x02\x7f\x01A\x05\x0b~\x00B\x7f\x0b\x07\x0b\x02\x01g\x03\x00\x03get\x00\x00\x0a\x0d\x01\x0b\x00#\x00A\x01j$\x00#\x00\x0b",
		},
	} {
		if got := c.m.Encode(); string(got) != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.about, got, c.want)
		}
	}
}

func TestSigned(t *testing.T) {
	for n, want := range map[int64]string{
		0: "\x00", -1: "\x7F", 63: "\x3F", 64: "\xC0\x00", -64: "\x40", -65: "\xBF\x7F", 128: "\x80\x01",
		math.MaxInt32: "\xFF\xFF\xFF\xFF\x07", math.MinInt32: "\x80\x80\x80\x80\x78",
		math.MinInt64: "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7F",
	} {
		if got := signed(nil, n); string(got) != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

// All opcodes from i32.eqz to f64.reinterpret_i64 are in one group.
func TestOpsAreComplete(t *testing.T) {
	seen := make(map[byte]int)
	for _, op := range compareOps() {
		seen[byte(op)]++
	}
	for _, op := range unaryOps() {
		seen[byte(op)]++
	}
	for _, op := range binaryOps() {
		seen[byte(op)]++
	}
	for _, op := range span[ConvertOp](firstConvert, lastConvert) {
		seen[byte(op)]++
	}
	seen[byte(I32Eqz)]++
	seen[byte(I64Eqz)]++
	for op := byte(I32Eqz); op <= byte(lastConvert); op++ {
		if seen[op] != 1 {
			t.Errorf("opcode %#x is in %d groups", op, seen[op])
		}
	}
	if n := int(lastConvert) - int(I32Eqz) + 1; len(seen) != n {
		t.Errorf("%d opcodes, want %d", len(seen), n)
	}
}
