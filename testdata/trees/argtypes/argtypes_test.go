package argtypes

import (
	"math"
	"slices"
	"testing"
)

// check asserts that got is one of the words that classify a value.
func check(t *testing.T, got string) {
	t.Helper()
	words := []string{
		"zero", "negative", "small", "large", "nan", "infinite", "whole",
		"fraction", "empty", "binary", "ascii", "yes", "no",
	}
	if !slices.Contains(words, got) {
		t.Errorf("unknown word %q", got)
	}
}

func FuzzBytes(f *testing.F) {
	f.Add([]byte("ab\xff"))
	f.Fuzz(func(t *testing.T, v []byte) { check(t, Text(v)) })
}

func FuzzString(f *testing.F) {
	f.Add("text")
	f.Fuzz(func(t *testing.T, v string) { check(t, Text(v)) })
}

func FuzzBool(f *testing.F) {
	f.Add(true)
	f.Fuzz(func(t *testing.T, v bool) { check(t, Bool(v)) })
}

func FuzzByte(f *testing.F) {
	f.Add(byte(7))
	f.Fuzz(func(t *testing.T, v byte) { check(t, Int(v)) })
}

func FuzzRune(f *testing.F) {
	f.Add('é')
	f.Fuzz(func(t *testing.T, v rune) { check(t, Int(v)) })
}

func FuzzFloat32(f *testing.F) {
	f.Add(float32(1.5))
	f.Fuzz(func(t *testing.T, v float32) { check(t, Float(v)) })
}

func FuzzFloat64(f *testing.F) {
	f.Add(math.Inf(-1))
	f.Fuzz(func(t *testing.T, v float64) { check(t, Float(v)) })
}

func FuzzInt(f *testing.F) {
	f.Add(-3)
	f.Fuzz(func(t *testing.T, v int) { check(t, Int(v)) })
}

func FuzzInt8(f *testing.F) {
	f.Add(int8(math.MinInt8))
	f.Fuzz(func(t *testing.T, v int8) { check(t, Int(v)) })
}

func FuzzInt16(f *testing.F) {
	f.Add(int16(math.MinInt16))
	f.Fuzz(func(t *testing.T, v int16) { check(t, Int(v)) })
}

func FuzzInt32(f *testing.F) {
	f.Add(int32(math.MinInt32))
	f.Fuzz(func(t *testing.T, v int32) { check(t, Int(v)) })
}

func FuzzInt64(f *testing.F) {
	f.Add(int64(math.MinInt64))
	f.Fuzz(func(t *testing.T, v int64) { check(t, Int(v)) })
}

func FuzzUint(f *testing.F) {
	f.Add(uint(100))
	f.Fuzz(func(t *testing.T, v uint) { check(t, Int(v)) })
}

func FuzzUint8(f *testing.F) {
	f.Add(uint8(math.MaxUint8))
	f.Fuzz(func(t *testing.T, v uint8) { check(t, Int(v)) })
}

func FuzzUint16(f *testing.F) {
	f.Add(uint16(math.MaxUint16))
	f.Fuzz(func(t *testing.T, v uint16) { check(t, Int(v)) })
}

func FuzzUint32(f *testing.F) {
	f.Add(uint32(math.MaxUint32))
	f.Fuzz(func(t *testing.T, v uint32) { check(t, Int(v)) })
}

func FuzzUint64(f *testing.F) {
	f.Add(uint64(math.MaxUint64))
	f.Fuzz(func(t *testing.T, v uint64) { check(t, Int(v)) })
}

func FuzzAll(f *testing.F) {
	f.Add([]byte("b"), "s", true, byte(1), 'r', float32(0.5), math.NaN(),
		-1, int8(-8), int16(16), int32(-32), int64(64),
		uint(1), uint8(8), uint16(16), uint32(32), uint64(math.MaxUint64))
	f.Fuzz(func(t *testing.T, b []byte, s string, ok bool, c byte, r rune, f32 float32, f64 float64,
		i int, i8 int8, i16 int16, i32 int32, i64 int64,
		u uint, u8 uint8, u16 uint16, u32 uint32, u64 uint64,
	) {
		words := All(b, s, ok, c, r, f32, f64, i, i8, i16, i32, i64, u, u8, u16, u32, u64)
		if len(words) != 17 {
			t.Fatalf("%d words", len(words))
		}
		for _, w := range words {
			check(t, w)
		}
	})
}
