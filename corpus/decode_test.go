package corpus

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readings are spellings that Marshal does not write but go test accepts.
var readings = []struct {
	line string
	want any
}{
	{`string("a")`, "a"},
	{"string(`a\\n`)", `a\n`},
	{"[]byte(`raw`)", []byte("raw")},
	{`[]byte("a"...)`, []byte("a")},
	{`int(3) // as counted`, 3},
	{`int ( 3 )`, 3},
	{"int(3)\r", 3},
	{"\u00a0int(3)\t", 3},
	{"\ufeffint(3)", 3},
	{`int(0x1F)`, 31},
	{`int(017)`, 15},
	{`int(0o17)`, 15},
	{`int(0b11)`, 3},
	{`int(1_000)`, 1000},
	{`int(-0x10)`, -16},
	{`int32(120)`, int32(120)},
	{`rune(120)`, 'x'},
	{`rune(-5)`, rune(-5)},
	{`rune('\xff')`, rune(0xff)},
	{`rune('\377')`, rune(0xff)},
	{`rune('\u00e9')`, 'é'},
	{`rune('\U0001F600')`, '😀'},
	{`byte(65)`, byte('A')},
	{`byte('\x00')`, byte(0)},
	{`byte('\u00e9')`, byte(0xe9)},
	{`uint8(0xff)`, uint8(255)},
	{`float32(3)`, float32(3)},
	{`float32(0x1p-2)`, float32(0.25)},
	{`float64(0x1.8p1)`, 3.0},
	{`float64(.5)`, 0.5},
	{`float64(5.)`, 5.0},
	{`float64(-0)`, math.Copysign(0, -1)},
	{`float64(NaN)`, math.NaN()},
	{`float64(+Inf)`, math.Inf(1)},
	{`float64(^Inf)`, math.Inf(1)}, // sic
	{`float32(-Inf)`, float32(math.Inf(-1))},
	{`math.Float32frombits(0x7fc00001)`, math.Float32frombits(0x7fc00001)},
	{`math.Float32frombits(1)`, math.Float32frombits(1)},
	{`math.Float64frombits(0b1)`, math.Float64frombits(1)},
	{`int(9223372036854775807)`, math.MaxInt64},
}

func accepted() []string {
	var lines []string
	for _, r := range readings {
		lines = append(lines, r.line)
	}
	return lines
}

func TestUnmarshalReadsOtherSpellings(t *testing.T) {
	for _, r := range readings {
		got, err := Unmarshal([]byte("go test fuzz v1\n" + r.line))
		if err != nil {
			t.Errorf("%s: %v", r.line, err)
			continue
		}
		if diff := cmp.Diff([]any{exact(r.want)}, []any{exact(got[0])}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.line, diff)
		}
	}
}

func TestUnmarshalSkipsEmptyLines(t *testing.T) {
	got, err := Unmarshal([]byte("go test fuzz v1\r\n\r\nint(1)\r\n  \t\r\nbool(true)"))
	if diff := cmp.Diff([]any{1, true}, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	got, err = Unmarshal([]byte("go test fuzz v1\n"))
	if len(got) != 0 || err != nil {
		t.Errorf("an entry without values = %v, %v; want none and no error", got, err)
	}
}

// refusals are lines that go test refuses, with the message of ours.
var refusals = []struct{ line, err string }{
	{`int8(300)`, `line 2: "int8(300)": value out of range; write int8(...) with an integer literal from -128 to 127`},
	{`bool(1)`, `line 2: "bool(1)": neither true nor false; write bool(true) or bool(false)`},
	{`bool(True)`, `line 2: "bool(True)": neither true nor false; write bool(true) or bool(false)`},
	{`string(1)`, `line 2: "string(1)": not a string literal; write string("...") with a Go string literal`},
	{`string(-"x")`, `line 2: "string(-\"x\")": not a valid string literal; write string("...") with a Go string literal`},
	{`[]byte('x')`, `line 2: "[]byte('x')": not a string literal; write []byte("...") with a Go string literal`},
	{`byte('Ā')`, `line 2: "byte('Ā')": the rune does not fit into a byte; write byte('\x00') to byte('\xff'), or byte(0) to byte(255)`},
	{`byte(256)`, `line 2: "byte(256)": value out of range; write byte('\x00') to byte('\xff'), or byte(0) to byte(255)`},
	{`rune("x")`, `line 2: "rune(\"x\")": not an integer literal; write rune('x') with a Go rune literal, or rune(120)`},
	{`rune(-'x')`, `line 2: "rune(-'x')": not a valid rune literal; write rune('x') with a Go rune literal, or rune(120)`},
	{`int(1.5)`, `line 2: "int(1.5)": not an integer literal; write int(...) with an integer literal`},
	{`int(NaN)`, `line 2: "int(NaN)": not an integer literal; write int(...) with an integer literal`},
	{`int(x)`, `line 2: "int(x)": not a literal; write int(...) with an integer literal`},
	{`int(+1)`, `line 2: "int(+1)": not a literal with at most a minus sign; write int(...) with an integer literal`},
	{`uint(-1)`, `line 2: "uint(-1)": invalid syntax; write uint(...) with an integer literal from 0`},
	{`float64(0x10)`, `line 2: "float64(0x10)": invalid syntax; write float64(...) with a number, NaN, +Inf or -Inf`},
	{`float64(1e999)`, `line 2: "float64(1e999)": value out of range; write float64(...) with a number, NaN, +Inf or -Inf`},
	{`float64(Inf)`, `line 2: "float64(Inf)": not a literal; write float64(...) with a number, NaN, +Inf or -Inf`},
	{`float32("1")`, `line 2: "float32(\"1\")": not a number; write float32(...) with a number, NaN, +Inf or -Inf`},
	{`math.Float64frombits(NaN)`, `line 2: "math.Float64frombits(NaN)": not an integer literal; write math.Float64frombits(0x...) with 64 bits`},
	{`math.Float32frombits(0x1ffffffff)`, `line 2: "math.Float32frombits(0x1ffffffff)": value out of range; write math.Float32frombits(0x...) with 32 bits`},
	{`math.Sqrt(2)`, `line 2: "math.Sqrt(2)": no fuzz test takes a math.Sqrt; ` + fixLine},
	{`complex64(1)`, `line 2: "complex64(1)": no fuzz test takes a complex64; ` + fixLine},
	{`[]uint8("x")`, `line 2: "[]uint8(\"x\")": no fuzz test takes a []uint8; ` + fixLine},
	{`[1]byte("x")`, `line 2: "[1]byte(\"x\")": not a conversion to a basic type or []byte; ` + fixLine},
	{`(int)(1)`, `line 2: "(int)(1)": not a conversion to a basic type or []byte; ` + fixLine},
	{`int(1, 2)`, `line 2: "int(1, 2)": not a conversion of one value; ` + fixLine},
	{`42`, `line 2: "42": not a conversion of one value; ` + fixLine},
	{`int(1`, `line 2: "int(1": column 6: missing ',' before newline in argument list; ` + fixLine},
	{`<<<<<<< HEAD`, `line 2: "<<<<<<< HEAD": column 1: expected operand, found '<<'; ` + fixLine},
	{`int(1) int(2)`, `line 2: "int(1) int(2)": column 8: expected 'EOF', found int; ` + fixLine},
	{"string(\"\xff\")", `line 2: "string(\"\xff\")": column 9: illegal UTF-8 encoding; ` + fixLine},
}

func rejected() []string {
	var lines []string
	for _, r := range refusals {
		lines = append(lines, r.line)
	}
	return lines
}

func TestUnmarshalErrorNamesLineAndMend(t *testing.T) {
	for _, r := range refusals {
		_, err := Unmarshal([]byte("go test fuzz v1\n" + r.line))
		if got := errString(err); got != r.err {
			t.Errorf("%s\n got %s\nwant %s", r.line, got, r.err)
		}
	}
}

func TestUnmarshalErrorCountsLines(t *testing.T) {
	_, err := Unmarshal([]byte("go test fuzz v1\n\nint(1)\r\n\nint8(y)\nint(2)\n"))
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || syntax.Line != 5 || syntax.Text != `"int8(y)"` {
		t.Errorf("error %v, want one for line 5", err)
	}
	_, err = Unmarshal(append([]byte("go test fuzz v1\n"), bytes.Repeat([]byte("x"), 1000)...))
	if len(err.Error()) > 300 {
		t.Errorf("error of %d bytes shows all of a long line", len(err.Error()))
	}
}

func TestUnmarshalErrorOnHeader(t *testing.T) {
	const fix = `; the first line must be "go test fuzz v1", and one line per value must follow`
	tests := []struct{ data, err string }{
		{"", "line 1: the file is empty" + fix},
		{"go test fuzz v1", "line 1: the file ends after its first line" + fix},
		{"go test fuzz v2\nint(1)\n", `line 1: "go test fuzz v2": not a fuzz corpus entry in Go's encoding` + fix},
		{"\nint(1)\n", `line 1: "": not a fuzz corpus entry in Go's encoding` + fix},
		{"go test fuzz v1 \nint(1)\n", `line 1: "go test fuzz v1 ": not a fuzz corpus entry in Go's encoding` + fix},
		{"go test fuzz v1\r\r\nint(1)\n", `line 1: "go test fuzz v1\r\r": not a fuzz corpus entry in Go's encoding` + fix},
		{"\ufeffgo test fuzz v1\nint(1)\n", "line 1: the file begins with a byte order mark; save it without one"},
		{"\x89PNG\r\n", `line 1: "\x89PNG\r": not a fuzz corpus entry in Go's encoding` + fix},
	}
	for _, test := range tests {
		_, err := Unmarshal([]byte(test.data))
		if got := errString(err); got != test.err {
			t.Errorf("%q\n got %s\nwant %s", test.data, got, test.err)
		}
	}
}
