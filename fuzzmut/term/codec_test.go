package term_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// checkCodec tests what the documentation says of the encoding.
func checkCodec(t *testing.T, typ *term.Type, data []byte) {
	t.Helper()
	x, used := term.Decode(typ, data)
	if again, _ := term.Decode(typ, data[:used]); !term.Equal(x, again) {
		t.Fatalf("the %d bytes used of %x give %v, and all of them %v", used, data, again, x)
	}
	enc := encode(t, x)
	y, used := term.Decode(typ, enc)
	if !term.Equal(x, y) {
		t.Fatalf("%x is %v, and its encoding %x is %v", data, x, enc, y)
	}
	if used != len(enc) {
		t.Fatalf("%v: of %d bytes %d are used", x, len(enc), used)
	}
	if len(enc) > 0 && enc[len(enc)-1] == 0 {
		t.Fatalf("%v: encoding %x ends in 0", x, enc)
	}
	zeros := append(bytes.Clone(data), make([]byte, 20)...)
	if z, _ := term.Decode(typ, zeros); !term.Equal(x, z) {
		t.Fatalf("%x is %v, and with zeros %v", data, x, z)
	}
}

func encode(t *testing.T, x *term.Term) []byte {
	t.Helper()
	enc, err := term.Encode(x)
	if err != nil {
		t.Fatalf("%v: %v", x, err)
	}
	return enc
}

func FuzzCodec(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, []byte("\x01\x02\x01\xfe\x00abc\x00\x01\x80\x81\x82\x01\x01\x01"))
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		checkCodec(t, randomType(seed%1000), data)
	})
}

func TestEveryStringOfBytesIsATerm(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for seed := range uint64(600) {
		typ := randomType(seed)
		for range 20 {
			data := make([]byte, r.IntN(60))
			for i := range data {
				data[i] = byte(r.Uint32() >> (r.IntN(4) * 8))
				if r.IntN(3) == 0 {
					data[i] %= 4
				}
			}
			checkCodec(t, typ, data)
		}
	}
}

func TestEveryDrawnTermHasAnEncoding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for seed := range uint64(600) {
		typ := randomType(seed)
		for size := range 5 {
			x := typ.Draw(r, size)
			if y, _ := term.Decode(typ, encode(t, x)); !term.Equal(x, y) {
				t.Fatalf("%v comes back as %v", x, y)
			}
		}
		if x, _ := term.Decode(typ, nil); !term.Equal(x, typ.Default()) {
			t.Fatalf("no bytes are %v, and the default is %v", x, typ.Default())
		}
	}
}

// Fields whose bytes come before a cut keep their values.
func TestACutLeavesWhatComesBeforeIt(t *testing.T) {
	text := &term.Type{Name: "string", Kind: term.Text, MaxLen: -1}
	list := &term.Type{Name: "[]T", Kind: term.List, MaxLen: -1, Elem: &term.Type{Name: "T", Kind: term.Product, Fields: []term.Field{
		{Name: "S", Type: text}, {Name: "N", Type: intType(math.MinInt32, math.MaxInt32, 32)},
	}}}
	seal(t, list)
	x, _ := term.Decode(list, []byte("\x01one\x00\x05\x01two\x00\x81\x01\x00\x01three\x00\x07"))
	if got, want := x.String(), `[{"one" 5} {"two" 256} {"three" 7}]`; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	enc := encode(t, x)
	for n := range enc {
		y, _ := term.Decode(list, enc[:n])
		for i, k := range y.Kids {
			last := i == len(y.Kids)-1
			if !last && !term.Equal(k, x.Kids[i]) {
				t.Errorf("cut at %d: element %d is %v, was %v", n, i, k, x.Kids[i])
			}
			if last && !strings.HasPrefix(x.Kids[i].Kids[0].Text, k.Kids[0].Text) {
				t.Errorf("cut at %d: last element is %v, was %v", n, k, x.Kids[i])
			}
		}
	}
}

func TestEncodings(t *testing.T) {
	text := &term.Type{Name: "string", Kind: term.Text, MaxLen: -1}
	data := &term.Type{Name: "[]byte", Kind: term.Text, MaxLen: -1, Nilable: true}
	float := &term.Type{Name: "float64", Kind: term.Float, Bits: 64}
	ints := &term.Type{Name: "[]int", Kind: term.List, MaxLen: -1, Nilable: true, Elem: intType(math.MinInt64, math.MaxInt64, 64)}
	int64s, uint16s := intType(math.MinInt64, math.MaxInt64, 64), uintType(0, math.MaxUint16, 16)
	for _, tt := range []struct {
		typ  *term.Type
		x    *term.Term
		want string
	}{
		{int64s, term.Number(int64s, 0), ""},
		{int64s, term.Number(int64s, 127), "\x7f"},
		{int64s, term.Number(int64s, 128), "\x81\x00\x80"},
		{int64s, term.Number(int64s, 1<<64-1), "\xff"},
		{int64s, term.Number(int64s, 1<<63), "\x87\x80"}, // the least one; its zeros are cut off
		{uint16s, term.Number(uint16s, 253), "\xfd"},
		{uint16s, term.Number(uint16s, 254), "\xfe\xfe"},
		{uint16s, term.Number(uint16s, 0x1234), "\xff\x12\x34"},
		{text, &term.Term{Type: text, Text: "a\x00\xfeb"}, "a\xfe\x00\xfe\xfeb"},
		{data, &term.Term{Type: data}, ""},
		{data, &term.Term{Type: data, Bits: 1}, "\x01"},
		{data, &term.Term{Type: data, Bits: 1, Text: "ab"}, "\x01ab"},
		{float, term.Number(float, math.Float64bits(-3)), "\xfd"},
		{float, term.Number(float, math.Float64bits(0.5)), "\x81\x3f"},
		{float, term.Number(float, math.Float64bits(math.Copysign(0, -1))), "\x81\x80"},
		{float, term.Number(float, math.Float64bits(0.1)), "\x80\x3f\xb9\x99\x99\x99\x99\x99\x9a"},
		{ints, &term.Term{Type: ints}, ""},
		{ints, &term.Term{Type: ints, Bits: 1}, "\x02"},
		{ints, term.NewList(ints, []*term.Term{term.Number(ints.Elem, 1), term.Number(ints.Elem, 2)}), "\x01\x01\x01\x02"},
	} {
		seal(t, tt.typ)
		enc := encode(t, tt.x)
		if string(enc) != tt.want {
			t.Errorf("%s %v: got %x, want %x", tt.typ.Name, tt.x, enc, tt.want)
		}
		if y, _ := term.Decode(tt.typ, enc); !term.Equal(tt.x, y) {
			t.Errorf("%s %v: comes back as %v", tt.typ.Name, tt.x, y)
		}
	}
}

func TestRangesWrap(t *testing.T) {
	for _, tt := range []struct {
		typ     *term.Type
		data    string
		want    int64
		zeroFor int64
	}{
		{intType(0, 15, 64), "\x13", 3, 0},
		{intType(-3, 3, 64), "\xff", 0, 0}, // 255 = 36·7 + 3, then one more
		{intType(10, 1000, 64), "\x05", 15, 10},
		{intType(-1000, -10, 64), "\xff", -11, -10},
	} {
		seal(t, tt.typ)
		x, _ := term.Decode(tt.typ, []byte(tt.data))
		if got := int64(x.Bits); tt.data != "\xff" && got != tt.want || got < int64(tt.typ.Min) || got > int64(tt.typ.Max) {
			t.Errorf("%x in %d to %d: got %d, want %d", tt.data, int64(tt.typ.Min), int64(tt.typ.Max), got, tt.want)
		}
		if x, _ := term.Decode(tt.typ, nil); int64(x.Bits) != tt.zeroFor {
			t.Errorf("no bytes in %d to %d: got %d, want %d", int64(tt.typ.Min), int64(tt.typ.Max), int64(x.Bits), tt.zeroFor)
		}
	}
}

func TestDepthAndSizeAreBounded(t *testing.T) {
	tree := seal(t, treeType())
	x, _ := term.Decode(tree, bytes.Repeat([]byte{1}, 1<<20))
	if n := x.Nodes(); n > term.MaxNodes {
		t.Errorf("%d nodes", n)
	}
	checkCodec(t, tree, bytes.Repeat([]byte{1}, 1<<16))

	wide := &term.Type{Name: "[][300]bool", Kind: term.List, MaxLen: -1, Elem: &term.Type{Name: "array", Kind: term.Product}}
	for range 300 {
		wide.Elem.Fields = append(wide.Elem.Fields, term.Field{Name: "F", Type: intType(0, 255, 64)})
	}
	seal(t, wide)
	data := bytes.Repeat([]byte{1}, 1<<18)
	x, used := term.Decode(wide, data)
	if n := x.Nodes(); n > term.MaxNodes || n < term.MaxNodes/2 || used == len(data) {
		t.Errorf("%d nodes, %d of %d bytes used", n, used, len(data))
	}
	checkCodec(t, wide, data)
}

func TestTermsOutOfBoundsHaveNoEncoding(t *testing.T) {
	number := intType(0, 15, 64)
	list := &term.Type{Name: "list", Kind: term.List, MinLen: 1, MaxLen: 2, Elem: number}
	whole := seal(t, &term.Type{Name: "whole", Kind: term.Product, Fields: []term.Field{{Name: "N", Type: number}, {Name: "L", Type: list}}})
	one := term.Number(number, 1)
	deep := seal(t, treeType())
	x := deep.Default()
	for range term.MaxDepth + 1 {
		x = term.Choice(deep, 1, &term.Term{Type: deep.Alts[1].Type, Kids: []*term.Term{
			x, deep.Alts[1].Type.Fields[1].Type.Default(), deep.Default(),
		}})
	}
	for _, tt := range []struct {
		x    *term.Term
		want string
	}{
		{whole.Default().With([]*term.Term{term.Number(number, 16), list.Default()}), "the value.N is 16, outside the range 0 to 15"},
		{whole.Default().With([]*term.Term{one, {Type: list}}), "the value.L has 0 elements, but the minimum is 1"},
		{whole.Default().With([]*term.Term{one, {Type: list, Kids: []*term.Term{one, one, one}}}), "the value.L has 3 elements, but the maximum is 2"},
		{x, strings.Repeat(".Left", 3)},
		{x, " is nested deeper than 1000 levels"},
	} {
		_, err := term.Encode(tt.x)
		var bound *term.BoundError
		if !errors.As(err, &bound) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got error %v, want %s", err, tt.want)
		}
	}
}

func TestTypesWithoutAFiniteTermAreRefused(t *testing.T) {
	self := &term.Type{Name: "Self", Kind: term.Product}
	self.Fields = []term.Field{{Name: "Next", Type: self}}
	both := &term.Type{Name: "Both", Kind: term.Sum}
	both.Alts = []term.Alt{{Name: "A", Type: both}, {Name: "B", Type: self}}
	huge := &term.Type{Name: "Huge", Kind: term.List, MinLen: 1 << 20, MaxLen: -1, Elem: intType(0, 1, 64)}
	for _, tt := range []struct {
		typ  *term.Type
		want string
	}{
		{self, "Self contains itself without end"},
		{both, "Both contains itself without end"},
		{huge, "Huge is too large"},
	} {
		if err := tt.typ.Seal(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want %s", tt.typ.Name, err, tt.want)
		}
	}
}

func TestLongPathsAreCut(t *testing.T) {
	err := &term.BoundError{Path: strings.Repeat(".Next", 1000), What: "is too deep"}
	want := "the value" + strings.Repeat(".Next", 8) + "…" + strings.Repeat(".Next", 8) + " is too deep"
	if got := err.Error(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
