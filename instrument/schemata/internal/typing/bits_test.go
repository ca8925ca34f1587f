package typing_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// bitForms are expressions of two variables, b and c of type uint8, and i of type int8, and what
// they are.
var bitForms = []struct {
	src string
	is  func(b, c uint8, i int8) int64
}{
	{`b`, func(b, c uint8, i int8) int64 { return int64(b) }},
	{`b & 15`, func(b, c uint8, i int8) int64 { return int64(b & 15) }},
	{`b &^ 15`, func(b, c uint8, i int8) int64 { return int64(b &^ 15) }},
	{`b << 4`, func(b, c uint8, i int8) int64 { return int64(b << 4) }},
	{`b << 9`, func(b, c uint8, i int8) int64 { return 0 }},
	{`b >> 5`, func(b, c uint8, i int8) int64 { return int64(b >> 5) }},
	{`b >> 70`, func(b, c uint8, i int8) int64 { return 0 }},
	{`b & c`, func(b, c uint8, i int8) int64 { return int64(b & c) }},
	{`b & 3 | c & 12`, func(b, c uint8, i int8) int64 { return int64(b&3 | c&12) }},
	{`b & 3 ^ c & 6`, func(b, c uint8, i int8) int64 { return int64(b&3 ^ c&6) }},
	{`(b & 7) + (c & 1)`, func(b, c uint8, i int8) int64 { return int64(b&7 + c&1) }},
	{`(b & 1) - (c & 1)`, func(b, c uint8, i int8) int64 { return int64(b&1 - c&1) }},
	{`i`, func(b, c uint8, i int8) int64 { return int64(i) }},
	{`i & 9`, func(b, c uint8, i int8) int64 { return int64(i & 9) }},
	{`9 & i`, func(b, c uint8, i int8) int64 { return int64(9 & i) }},
	{`i & -2`, func(b, c uint8, i int8) int64 { return int64(i & -2) }},
	{`i & 9 << 1`, func(b, c uint8, i int8) int64 { return int64(i & 9 << 1) }},
	{`(i & 15) << 3`, func(b, c uint8, i int8) int64 { return int64((i & 15) << 3) }},
	{`(i & 15) << 4`, func(b, c uint8, i int8) int64 { return int64((i & 15) << 4) }},
	{`i >> 2`, func(b, c uint8, i int8) int64 { return int64(i >> 2) }},
	{`i & 6 >> 1`, func(b, c uint8, i int8) int64 { return int64(i & 6 >> 1) }},
	{`(i & 6) >> 1`, func(b, c uint8, i int8) int64 { return int64((i & 6) >> 1) }},
	{`int(b) << 8`, func(b, c uint8, i int8) int64 { return int64(b) << 8 }},
	{`int(b) << 24`, func(b, c uint8, i int8) int64 { return int64(b) << 24 }},
	{`uint16(b) << 8 >> 4`, func(b, c uint8, i int8) int64 { return int64(uint16(b) << 8 >> 4) }},
	{`uint8(i)`, func(b, c uint8, i int8) int64 { return int64(uint8(i)) }},
	{`int8(b)`, func(b, c uint8, i int8) int64 { return int64(int8(b)) }},
	{`int8(b & 127)`, func(b, c uint8, i int8) int64 { return int64(int8(b & 127)) }},
	{`uint8(uint16(b) << 4)`, func(b, c uint8, i int8) int64 { return int64(uint8(uint16(b) << 4)) }},
	{`int32(i & 12) | int32(b) << 8`, func(b, c uint8, i int8) int64 { return int64(int32(i&12) | int32(b)<<8) }},
	{`b << (c & 1)`, func(b, c uint8, i int8) int64 { return int64(b << (c & 1)) }},
	{`200`, func(b, c uint8, i int8) int64 { return 200 }},
}

const bitVariables = "package p\n\nvar b, c uint8\n\nvar i int8\n\n"

// operation is the form of an expression.
func operation(t *testing.T, src string) (*typing.Info, ast.Expr) {
	t.Helper()
	code := checked.File(t, bitVariables+"var it = "+src)
	decls := code.Src.Syntax.Decls
	return code.Info, decls[len(decls)-1].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0]
}

// No expression has another bit for any values of its variables.
func TestBitsAreAllThatThereAre(t *testing.T) {
	known := 0
	for _, form := range bitForms {
		info, e := operation(t, form.src)
		bits, ok := info.Bits(e)
		if !ok {
			continue
		}
		known++
		for n := range 1 << 24 {
			if b, c, i := uint8(n), uint8(n>>8), int8(n>>16); n%7 == 0 || n < 1<<16 || c == 0 {
				if v := form.is(b, c, i); v < 0 || uint64(v)&^bits != 0 {
					t.Fatalf("%s is %#x for %d, %d, %d, bits %#x", form.src, v, b, c, i, bits)
				}
			}
		}
	}
	if known < 24 {
		t.Errorf("nothing is known of %d of %d expressions", len(bitForms)-known, len(bitForms))
	}
}

// Or, exclusive or and addition of what has no common bit are the same.
func TestDisjoint(t *testing.T) {
	for src, want := range map[string]bool{
		`b << 4 | c & 15`: true, `b << 4 | c >> 4`: true, `b << 4 | c >> 3`: false, `b | 1`: false, `b &^ 1 | 1`: true,
		`uint16(b) << 8 | uint16(c)`: true, `int(b) << 8 | int(c)`: true, `int(b) << 7 | int(c)`: false,
		`i & 12 | i & 3`: true, `i | 1`: false, `i << 4 | i & 3`: false, `b & 0 | b`: true, `int32(b) << 8 | 255`: true,
	} {
		info, e := operation(t, src)
		op := e.(*ast.BinaryExpr)
		if got := info.Disjoint(op.X, op.Y); got != want {
			t.Errorf("%s: %t, want %t", src, got, want)
		}
	}
}
