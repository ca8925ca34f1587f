package layout

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// typesOf names the types of values.
func typesOf(values []any) []string {
	types := make([]string, len(values))
	for i, v := range values {
		if types[i] = fmt.Sprintf("%T", v); types[i] == "[]uint8" {
			types[i] = "[]byte"
		}
	}
	return types
}

// same reports whether two values are the same, bit by bit.
func same(a, b any) bool {
	if x, ok := a.([]byte); ok {
		y, ok := b.([]byte)
		return ok && bytes.Equal(x, y)
	}
	x, _, fixed := bitsOf(a)
	y, _, _ := bitsOf(b)
	if fixed {
		return fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b) && x == y
	}
	return a == b
}

// bitsOf returns the bits of a value of fixed size, and that size in bytes. An int and a uint
// have 8 of them.
func bitsOf(v any) (bits uint64, size int, fixed bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, 1, true
		}
		return 0, 1, true
	case int8:
		return uint64(uint8(v)), 1, true
	case uint8:
		return uint64(v), 1, true
	case int16:
		return uint64(uint16(v)), 2, true
	case uint16:
		return uint64(v), 2, true
	case int32:
		return uint64(uint32(v)), 4, true
	case uint32:
		return uint64(v), 4, true
	case float32:
		return uint64(math.Float32bits(v)), 4, true
	case int:
		return uint64(v), 8, true
	case int64:
		return uint64(v), 8, true
	case uint:
		return uint64(v), 8, true
	case uint64:
		return v, 8, true
	case float64:
		return math.Float64bits(v), 8, true
	}
	return 0, 0, false
}

// valueOf is a value of fixed size of the named type. It is nil for other types.
func valueOf(bits uint64, typ string) any {
	switch typ {
	case "bool":
		return bits != 0
	case "int8":
		return int8(bits)
	case "uint8":
		return uint8(bits)
	case "int16":
		return int16(bits)
	case "uint16":
		return uint16(bits)
	case "int32":
		return int32(bits)
	case "uint32":
		return uint32(bits)
	case "float32":
		return math.Float32frombits(uint32(bits))
	case "int":
		return int(bits)
	case "int64":
		return int64(bits)
	case "uint":
		return uint(bits)
	case "uint64":
		return bits
	case "float64":
		return math.Float64frombits(bits)
	}
	return nil
}

// sizes are those of the types of fixed size, in bytes.
var sizes = map[string]int{
	"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "float32": 4,
	"int": 8, "int64": 8, "uint": 8, "uint64": 8, "float64": 8,
}

// appendBits appends the last bytes of a number, the highest first.
func appendBits(data []byte, bits uint64, size int) []byte {
	var all [8]byte
	binary.BigEndian.PutUint64(all[:], bits)
	return append(data, all[8-size:]...)
}

// readBits is the number that appendBits has written.
func readBits(data []byte) (bits uint64) {
	for _, b := range data {
		bits = bits<<8 | uint64(b)
	}
	return bits
}

// reversed is a number whose bytes come in the other order.
func reversed(bits uint64, size int) uint64 {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], bits)
	return readBits(all[:size])
}

// textOf returns the bytes of a string or a []byte.
func textOf(v any) (text []byte, ok bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case string:
		return []byte(v), true
	}
	return nil, false
}

// fromText makes a string or a []byte, which shares nothing with data. It is nil for other
// types.
func fromText(data []byte, typ string) any {
	switch typ {
	case "[]byte":
		return append([]byte{}, data...)
	case "string":
		return string(data)
	}
	return nil
}

// errType is the error for a type that package testing does not take.
func errType(typ string) error { return fmt.Errorf("no layout has a value of type %s", typ) }
