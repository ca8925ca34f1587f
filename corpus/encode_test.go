package corpus

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// golden pairs values with their encoding, as go test -fuzz of Go 1.26 writes
// it. TestGoReadsWhatMarshalWrites holds the same against Go itself.
var golden = []struct {
	val  any
	line string
}{
	{[]byte(nil), `[]byte("")`},
	{[]byte("a\x00\xff\"\n\u2028"), `[]byte("a\x00\xff\"\n\u2028")`},
	{"", `string("")`},
	{"é\t`\xc3 \u00a0\U0001f600\x7f", "string(\"é\\t`\\xc3 \\u00a0\U0001f600\\x7f\")"},
	{true, "bool(true)"},
	{false, "bool(false)"},
	{byte(0), `byte('\x00')`},
	{byte('a'), `byte('a')`},
	{byte('\''), `byte('\'')`},
	{byte(0xe9), `byte('é')`},
	{byte(0xff), `byte('ÿ')`},
	{rune('x'), `rune('x')`},
	{rune('"'), `rune('"')`},
	{rune(0), `rune('\x00')`},
	{rune(math.MaxInt32), "int32(2147483647)"},
	{rune(0xfffd), "rune('\ufffd')"},
	{rune(0x10ffff), `rune('\U0010ffff')`},
	{rune(0xd800), "int32(55296)"},
	{rune(-1), "int32(-1)"},
	{float32(0.1), "float32(0.1)"},
	{float32(16777216), "float32(1.6777216e+07)"},
	{float32(math.Copysign(0, -1)), "float32(-0)"},
	{float32(math.NaN()), "float32(NaN)"},
	{math.Float32frombits(0xffc00001), "math.Float32frombits(0xffc00001)"},
	{float32(math.Inf(1)), "float32(+Inf)"},
	{1e20, "float64(1e+20)"},
	{123456.0, "float64(123456)"},
	{1e21, "float64(1e+21)"},
	{math.SmallestNonzeroFloat64, "float64(5e-324)"},
	{math.NaN(), "float64(NaN)"},
	{math.Float64frombits(0x7ff8000000000002), "math.Float64frombits(0x7ff8000000000002)"},
	{math.Inf(-1), "float64(-Inf)"},
	{int(-5), "int(-5)"},
	{int8(-128), "int8(-128)"},
	{int16(7), "int16(7)"},
	{int64(math.MinInt64), "int64(-9223372036854775808)"},
	{uint(3), "uint(3)"},
	{uint16(65535), "uint16(65535)"},
	{uint32(4), "uint32(4)"},
	{uint64(math.MaxUint64), "uint64(18446744073709551615)"},
}

func goldenValues() []any {
	vals := make([]any, len(golden))
	for i, g := range golden {
		vals[i] = g.val
	}
	return vals
}

func TestMarshalWritesGoldenLines(t *testing.T) {
	for _, g := range golden {
		want := "go test fuzz v1\n" + g.line + "\n"
		if got := string(Marshal([]any{g.val})); got != want {
			t.Errorf("Marshal(%T %v) = %q, want %q", g.val, g.val, got, want)
		}
	}
}

func TestUnmarshalUndoesMarshal(t *testing.T) {
	vals := goldenValues()
	got, err := Unmarshal(Marshal(vals))
	if err != nil {
		t.Fatal(err)
	}
	for i := range vals {
		if diff := cmp.Diff(exact(vals[i]), exact(got[i])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", golden[i].line, diff)
		}
	}
}

// exact replaces floats by their bits, so that NaNs can be compared, and the
// nil slice by the empty one, which has the same encoding.
func exact(v any) any {
	switch v := v.(type) {
	case float32:
		return [2]any{"float32", math.Float32bits(v)}
	case float64:
		return [2]any{"float64", math.Float64bits(v)}
	case []byte:
		return append([]byte{}, v...)
	}
	return v
}

func TestMarshalPanicsOnWhatNoFuzzTestTakes(t *testing.T) {
	type myInt int
	for _, vals := range [][]any{nil, {}, {nil}, {complex(1, 2)}, {uintptr(1)}, {myInt(1)}, {1, []string{}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Marshal(%v) did not panic", vals)
				}
			}()
			Marshal(vals)
		}()
	}
}

func TestTypes(t *testing.T) {
	vals := []any{[]byte{}, "", true, byte(0), rune(0), 0.0, float32(0), int64(0), uint(0)}
	want := []string{"[]byte", "string", "bool", "uint8", "int32", "float64", "float32", "int64", "uint"}
	if diff := cmp.Diff(want, Types(vals)); diff != "" {
		t.Error(diff)
	}
	for _, typ := range append(want, "byte", "rune", "[]uint8") {
		if !Supported(typ) {
			t.Errorf("Supported(%q) = false", typ)
		}
	}
	for _, typ := range []string{"", "complex128", "uintptr", "[]string", "*int", "error"} {
		if Supported(typ) {
			t.Errorf("Supported(%q) = true", typ)
		}
	}
}

func TestCheckTypes(t *testing.T) {
	tests := []struct {
		vals []any
		want []string
		err  string
	}{
		{[]any{[]byte{}, byte(1), 'x'}, []string{"[]uint8", "byte", "rune"}, ""},
		{[]any{[]byte{}, byte(1), 'x'}, []string{"[]byte", "uint8", "int32"}, ""},
		{[]any{1, "x"}, []string{"[]uint8"}, "has 2 values of types (int, string); the fuzz target takes ([]byte)"},
		{[]any{1}, []string{"int", "byte"}, "has 1 value of type (int); the fuzz target takes (int, uint8)"},
		{nil, []string{"int"}, "has no values; the fuzz target takes (int)"},
		{[]any{"x"}, []string{"[]byte"}, "has 1 value of type (string); the fuzz target takes ([]byte)"},
	}
	for _, test := range tests {
		err := CheckTypes(test.vals, test.want)
		if got := errString(err); got != test.err {
			t.Errorf("CheckTypes(%v, %v) = %q, want %q", test.vals, test.want, got, test.err)
		}
	}
}

func errString(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// FuzzMarshal checks that decoding undoes encoding for all types.
func FuzzMarshal(f *testing.F) {
	f.Add([]byte("x"), "y", true, 1, int8(2), int16(3), int32(4), int64(5), uint(6), byte(7), uint16(8), uint32(9), uint64(10), float32(11), float64(12))
	f.Fuzz(func(t *testing.T, a []byte, b string, c bool, d int, e int8, g int16, h int32, i int64, j uint, k byte, l uint16, m uint32, n uint64, o float32, p float64) {
		vals := []any{a, b, c, d, e, g, h, i, j, k, l, m, n, o, p}
		data := Marshal(vals)
		got, err := Unmarshal(data)
		if err != nil {
			t.Fatalf("%s\n%v", data, err)
		}
		for x := range vals {
			if diff := cmp.Diff(exact(vals[x]), exact(got[x])); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// FuzzUnmarshal checks that whatever decodes has one canonical encoding, and
// that errors name an existing line.
func FuzzUnmarshal(f *testing.F) {
	f.Add(Marshal(goldenValues()))
	for _, line := range append(accepted(), rejected()...) {
		f.Add([]byte(header + "\n" + line))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		vals, err := Unmarshal(data)
		if err != nil {
			line := err.(*SyntaxError).Line
			if line < 1 || line > strings.Count(string(data), "\n")+1 {
				t.Fatalf("error in line %d: %v", line, err)
			}
			return
		}
		if len(vals) == 0 {
			return
		}
		once := Marshal(vals)
		again, err := Unmarshal(once)
		if err != nil {
			t.Fatal(err)
		}
		if twice := Marshal(again); string(twice) != string(once) {
			t.Fatalf("%q becomes %q", once, twice)
		}
	})
}
