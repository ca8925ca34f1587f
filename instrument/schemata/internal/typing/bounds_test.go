package typing_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
)

const boundsOf = `package p

import ("bytes"; "cmp"; "slices"; "strings"; "unicode/utf8")

var (
	b8 uint8; i8 int8; r rune; u16 uint16; u32 uint32; u64 uint64; i64 int64; w uintptr; f float64; s string
	bs []byte; x, y int; u uint
)
func own(int) int
func Compare(string, string) int
var _ = []any{bytes.Compare, cmp.Compare[int], slices.Index[[]int], strings.Compare, utf8.RuneLen}
var it = `

func TestBounds(t *testing.T) {
	for e, want := range map[string]string{
		// The type.
		`b8`: "0 255", `i8`: "-128 127", `r`: "-2147483648 2147483647", `x`: "- -", `u`: "0 -", `w`: "0 -",
		`u64`: "0 18446744073709551615", `i64`: "-9223372036854775808 9223372036854775807", `f`: "- -", `s`: "- -",
		// What is computed.
		`x & 1`: "0 1", `7 & x`: "0 7", `(x & 1)`: "0 1", `x & -2`: "- -", `x & y`: "- -", `x & int(b8)`: "0 255", `x & len(s)`: "0 -",
		`b8 & 15`: "0 15", `i8 & i8`: "-128 127",
		`x % 3`: "-2 2", `x % -3`: "-2 2", `u % 3`: "0 2", `len(s) % 2`: "0 1", `x % y`: "- -", `x % 1`: "0 0",
		`b8 >> 4`: "0 255", `x >> 4`: "- -", `len(s) >> 1`: "0 -",
		// What may wrap around.
		`x + 1`: "- -", `b8 + 1`: "0 255", `b8 - 1`: "0 255", `-i8`: "-128 127", `b8 << 1`: "0 255", `x | 1`: "- -", `len(s) + 1`: "- -", `^b8`: "0 255",
		// Conversions that keep the number, and others.
		`int(b8)`: "0 255", `int(r)`: "-2147483648 2147483647", `rune(b8)`: "0 255", `uint8(x & 7)`: "0 7", `uint8(x)`: "0 255",
		`int8(b8)`: "-128 127", `uint(i8)`: "0 -", `int(u32)`: "- -", `int(x % 4)`: "-3 3", `int(f)`: "- -", `uint16(u16)`: "0 65535",
		// Calls.
		`len(s)`: "0 -", `cap(bs)`: "0 -", `own(x)`: "- -", `Compare(s, s)`: "- -", `strings.Compare(s, s)`: "-1 1", `bytes.Compare(bs, bs)`: "-1 1",
		`cmp.Compare(x, y)`: "-1 1", `strings.Index(s, s)`: "-1 -", `slices.Index(bs, 1)`: "-1 -", `utf8.RuneCountInString(s)`: "0 -", `strings.Count(s, s)`: "0 -",
		`int(3)`: "3 3",
	} {
		code := checked.File(t, boundsOf+e)
		decls := code.Src.Syntax.Decls
		got := code.Info.Bounds(decls[len(decls)-1].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0])
		if text := fmt.Sprint(number(got.Least), " ", number(got.Most)); text != want {
			t.Errorf("%s: %s, want %s", e, text, want)
		}
	}
}

func number(v constant.Value) string {
	if v == nil {
		return "-"
	}
	return v.ExactString()
}
