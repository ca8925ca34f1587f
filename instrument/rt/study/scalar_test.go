package study

import (
	"fmt"
	"math"
	"slices"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// A scalar comes back from its bits, in its own type, and other bits are cut to it.
func TestScalarsAreShownAsOperands(t *testing.T) {
	for _, c := range []struct {
		v    any
		bits uint64
		wide any // of 1<<40 | 0x1_ff85
	}{
		{int(-1), math.MaxUint64, int(1<<40 | 0x1_ff85)},
		{int8(-1), math.MaxUint64, int8(-0x7b)},
		{int16(-2), math.MaxUint64 - 1, int16(-0x7b)},
		{int32(-3), math.MaxUint64 - 2, int32(0x1_ff85)},
		{int64(5), 5, int64(1<<40 | 0x1_ff85)},
		{uint(6), 6, uint(1<<40 | 0x1_ff85)},
		{uint8(255), 255, uint8(0x85)},
		{uint16(7), 7, uint16(0xff85)},
		{uint32(8), 8, uint32(0x1_ff85)},
		{uint64(9), 9, uint64(1<<40 | 0x1_ff85)},
	} {
		if got := scalarBits(c.v); got != c.bits {
			t.Errorf("%T(%v): %#x, want %#x", c.v, c.v, got, c.bits)
		}
		if w, ok := withInteger(c.v, c.bits); !ok || w != c.v {
			t.Errorf("%T(%v) comes back as %v", c.v, c.v, w)
		}
		if w, _ := withInteger(c.v, 1<<40|0x1_ff85); w != c.wide {
			t.Errorf("a wide number as %T is %v, want %v", c.v, w, c.wide)
		}
	}
	for v, want := range map[any]uint64{true: 1, false: 0, "text": 0, float32(1.5): math.Float64bits(1.5), 2.5: math.Float64bits(2.5)} {
		if got := scalarBits(v); got != want {
			t.Errorf("%T(%v): %#x, want %#x", v, v, got, want)
		}
		if _, ok := withInteger(v, 1); ok {
			t.Errorf("%T is an integer", v)
		}
	}
	if withFloat(float32(0), 0.1) != float32(0.1) || withFloat(0.0, 0.1) != 0.1 || floatOf(float32(1.5)) != 1.5 {
		t.Error("floats do not keep their type")
	}
}

func TestNumbersStayInTheirWidth(t *testing.T) {
	for _, c := range []struct {
		kind, width uint8
		bits        uint64
		d           int64
		want        uint64
	}{
		{codes.Unsigned, 1, 255, 1, 0},
		{codes.Unsigned, 1, 0, -1, 255},
		{codes.Unsigned, 8, math.MaxUint64, 1, 0},
		{codes.Signed, 1, 127, 1, 1<<64 - 128},
		{codes.Signed, 2, 1<<64 - 1, 1, 0},
		{codes.Signed, 4, 5, -7, 1<<64 - 2},
		{codes.Float, 8, math.Float64bits(1.5), -2, math.Float64bits(-0.5)},
	} {
		o := Comparison{Operands: fuzzmutrt.Operands{Kind: c.kind, Width: c.width}}
		if got := o.plus(c.bits, c.d); got != c.want {
			t.Errorf("kind %d, width %d: %#x and %d gives %#x, want %#x", c.kind, c.width, c.bits, c.d, got, c.want)
		}
	}
}

// The offsets from y are ordered: first what makes the comparison come out otherwise.
func TestOffsetsTurnTheComparison(t *testing.T) {
	for _, c := range []struct {
		op   uint8
		held bool
		want []int64
	}{
		{codes.Less, true, []int64{0, 1, -1}},
		{codes.Less, false, []int64{-1, 0, 1}},
		{codes.LessEqual, true, []int64{1, 0, -1}},
		{codes.LessEqual, false, []int64{0, 1, -1}},
		{codes.Greater, true, []int64{0, 1, -1}},
		{codes.Greater, false, []int64{1, 0, -1}},
		{codes.GreaterEqual, true, []int64{-1, 0, 1}},
		{codes.GreaterEqual, false, []int64{0, 1, -1}},
		{codes.Equal, true, []int64{1}},
		{codes.Equal, false, []int64{0}},
		{codes.NotEqual, true, []int64{0}},
		{codes.NotEqual, false, []int64{1}},
		{codes.Lookup, false, []int64{0}},
	} {
		o := Comparison{Operands: fuzzmutrt.Operands{Op: c.op, Held: c.held}}
		if got := o.offsets(); !slices.Equal(got, c.want) {
			t.Errorf("operator %d, held %t: %v, want %v", c.op, c.held, got, c.want)
		}
	}
}

func TestScalarsMadeOfTexts(t *testing.T) {
	for _, c := range []struct {
		name string
		vals []any
		c    Comparison
		want []any // nil: nothing
	}{
		{"an integer", []any{"x", int8(17)}, text(codes.Equal, "17", "-5"), []any{"x", int8(-5)}},
		{"a float", []any{"x", 1.5}, text(codes.Equal, "1.5", "2.25"), []any{"x", 2.25}},
		{"a small float", []any{"x", float32(0.5)}, text(codes.Equal, "0.5", "3"), []any{"x", float32(3)}},
		{"no number", []any{"x", 17}, text(codes.Equal, "17", "seventeen"), nil},
		{"another number", []any{"x", 16}, text(codes.Equal, "17", "18"), nil},
	} {
		e := newEdits(c.vals, 100)
		e.most = 10
		e.scalarText(c.c.XText, c.c.YText)
		var got []any
		for i := range e.list {
			got = e.list[i].Apply(c.vals)
		}
		if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", c.want) || len(e.list) > 1 {
			t.Errorf("%s: %#v of %d edits, want %#v", c.name, got, len(e.list), c.want)
		}
	}
}

func TestPlacesOfTexts(t *testing.T) {
	for _, c := range []struct {
		text, s string
		folded  []int
	}{
		{"abcabc", "abc", []int{0, 3}},
		{"aaaa", "aa", []int{0, 1, 2}},
		{"xAbC", "abc", []int{1}},
		{"ABCabc", "abc", []int{3}}, // as it is written, before any other case
		{"xyz", "abc", nil},
		{"ab", "abc", nil},
	} {
		if got := foldedPlaces(c.text, c.s); !slices.Equal(got, c.folded) {
			t.Errorf("%q in %q: %v, want %v", c.s, c.text, got, c.folded)
		}
	}
	many := places(string(make([]byte, 1000)), "\x00")
	if len(many) != maxPlaces || many[0] != 0 || !slices.Contains(many, 999) {
		t.Errorf("of many places %v", many)
	}
	for text, want := range map[string]string{"a,b;c": ";", "a b, c": " ", "words": " ", "": " ", "x/y": "/"} {
		if got := separator(text); got != want {
			t.Errorf("%q is separated by %q, want %q", text, got, want)
		}
	}
}

func TestEditsAreBoundedAndMadeOnce(t *testing.T) {
	e := newEdits([]any{"abc", 5}, 4)
	e.most = 3
	e.replace(0, 1, 2, "b")    // as it is
	e.replace(0, 0, 0, "12")   // too long
	e.replace(0, 0, 1, "x")    // good
	e.replace(0, 0, 1, "x")    // once more
	e.set(1, 5)                // as it is
	e.set(1, 6)                // good
	e.replace(0, 3, 3, "d")    // good
	e.replace(0, 2, 3, "more") // one too many
	var got []string
	for i := range e.list {
		got = append(got, fmt.Sprintln(e.list[i].Apply([]any{"abc", 5})...))
	}
	if want := []string{"xbc 5\n", "abc 6\n", "abcd 5\n"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
