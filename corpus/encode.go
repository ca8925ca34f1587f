package corpus

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// header is the first line of an encoded entry.
const header = "go test fuzz v1"

// Marshal encodes vals as go test -fuzz does, byte for byte: the file names
// that Go derives from the content must come out the same.
//
// It panics if vals is empty or holds a value of a type that (*testing.F).Fuzz
// does not accept. Such values cannot come out of [Unmarshal] or a fuzz test.
func Marshal(vals []any) []byte {
	if len(vals) == 0 {
		panic("corpus: Marshal of no values")
	}
	b := append([]byte(header), '\n')
	for _, v := range vals {
		b = appendValue(b, v)
		b = append(b, '\n')
	}
	return b
}

// appendValue appends one value as a Go conversion, "int8(-3)".
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case []byte:
		return append(strconv.AppendQuote(append(b, "[]byte("...), string(v)), ')')
	case string:
		return append(strconv.AppendQuote(append(b, "string("...), v), ')')
	case bool:
		return append(strconv.AppendBool(append(b, "bool("...), v), ')')
	case byte:
		return append(strconv.AppendQuoteRune(append(b, "byte("...), rune(v)), ')')
	case rune:
		return appendRune(b, v)
	case float32:
		return appendFloat32(b, v)
	case float64:
		return appendFloat64(b, v)
	case int:
		return appendInt(b, "int(", int64(v))
	case int8:
		return appendInt(b, "int8(", int64(v))
	case int16:
		return appendInt(b, "int16(", int64(v))
	case int64:
		return appendInt(b, "int64(", v)
	case uint:
		return appendUint(b, "uint(", uint64(v))
	case uint16:
		return appendUint(b, "uint16(", uint64(v))
	case uint32:
		return appendUint(b, "uint32(", uint64(v))
	case uint64:
		return appendUint(b, "uint64(", v)
	}
	panic(fmt.Sprintf("corpus: Marshal of a value of type %T, which no fuzz test takes", v))
}

func appendInt(b []byte, open string, v int64) []byte {
	return append(strconv.AppendInt(append(b, open...), v, 10), ')')
}

func appendUint(b []byte, open string, v uint64) []byte {
	return append(strconv.AppendUint(append(b, open...), v, 10), ')')
}

// appendRune writes an int32 as a rune literal if there is one for it. Quoting
// would turn any other value into U+FFFD.
func appendRune(b []byte, v rune) []byte {
	if !utf8.ValidRune(v) {
		return appendInt(b, "int32(", int64(v))
	}
	return append(strconv.AppendQuoteRune(append(b, "rune("...), v), ')')
}

// appendFloat32 writes the shortest decimal that reads back as v. "NaN" stands
// for the one NaN that reading it gives back; others are written by their bits.
func appendFloat32(b []byte, v float32) []byte {
	bits := math.Float32bits(v)
	if v != v && bits != math.Float32bits(float32(math.NaN())) {
		return fmt.Appendf(b, "math.Float32frombits(0x%x)", bits)
	}
	return append(strconv.AppendFloat(append(b, "float32("...), float64(v), 'g', -1, 32), ')')
}

// appendFloat64 is appendFloat32 for float64.
func appendFloat64(b []byte, v float64) []byte {
	bits := math.Float64bits(v)
	if v != v && bits != math.Float64bits(math.NaN()) {
		return fmt.Appendf(b, "math.Float64frombits(0x%x)", bits)
	}
	return append(strconv.AppendFloat(append(b, "float64("...), v, 'g', -1, 64), ')')
}
