package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
)

// The encoding of a fuzz target's arguments on the wire: for each value a kind
// byte, then eight bytes little endian for scalars, or a length of eight bytes
// and the bytes for strings and []byte. It is not a file format; corpus files
// are in Go's own.
const (
	kindBytes byte = iota + 1
	kindString
	kindBool
	kindInt
	kindInt8
	kindInt16
	kindInt32
	kindInt64
	kindUint
	kindUint8
	kindUint16
	kindUint32
	kindUint64
	kindFloat32
	kindFloat64
)

var kindNames = [...]string{
	kindBytes: "[]byte", kindString: "string", kindBool: "bool",
	kindInt: "int", kindInt8: "int8", kindInt16: "int16", kindInt32: "int32", kindInt64: "int64",
	kindUint: "uint", kindUint8: "uint8", kindUint16: "uint16", kindUint32: "uint32", kindUint64: "uint64",
	kindFloat32: "float32", kindFloat64: "float64",
}

// kindOf returns the kind of v, the bits of a scalar, and the bytes of the rest.
func kindOf(v any) (kind byte, bits uint64, data string) {
	switch v := v.(type) {
	case []byte:
		return kindBytes, 0, ""
	case string:
		return kindString, 0, v
	case bool:
		if v {
			bits = 1
		}
		return kindBool, bits, ""
	case int:
		return kindInt, uint64(v), ""
	case int8:
		return kindInt8, uint64(v), ""
	case int16:
		return kindInt16, uint64(v), ""
	case int32:
		return kindInt32, uint64(v), ""
	case int64:
		return kindInt64, uint64(v), ""
	case uint:
		return kindUint, uint64(v), ""
	case uint8:
		return kindUint8, uint64(v), ""
	case uint16:
		return kindUint16, uint64(v), ""
	case uint32:
		return kindUint32, uint64(v), ""
	case uint64:
		return kindUint64, v, ""
	case float32:
		return kindFloat32, uint64(math.Float32bits(v)), ""
	case float64:
		return kindFloat64, math.Float64bits(v), ""
	}
	panic(fmt.Sprintf("wire: %T is not a type that f.Fuzz accepts", v))
}

// TypeName returns the Go name of the type of v, one of those f.Fuzz accepts.
func TypeName(v any) string {
	kind, _, _ := kindOf(v)
	return kindNames[kind]
}

// HashOf is that of an encoding, by which an input is known.
func HashOf(input []byte) uint64 {
	h := fnv.New64a()
	h.Write(input)
	return h.Sum64()
}

// Encode returns the encoding of vals.
func Encode(vals []any) []byte {
	n := 0
	for _, v := range vals {
		n += 9
		switch v := v.(type) {
		case []byte:
			n += len(v)
		case string:
			n += len(v)
		}
	}
	buf := make([]byte, n)
	encodeInto(buf, vals)
	return buf
}

// encodeInto encodes vals into buf as far as they fit. It returns the bytes
// written and the bytes that the whole encoding takes.
//
//go:noinline
func encodeInto(buf []byte, vals []any) (n, full int) {
	for _, v := range vals {
		kind, bits, str := kindOf(v)
		var head [9]byte
		head[0] = kind
		if b, ok := v.([]byte); ok {
			putUint(head[1:], uint64(len(b)))
			n += copy(buf[n:], head[:])
			n += copy(buf[n:], b)
			full += 9 + len(b)
			continue
		}
		if kind == kindString {
			bits = uint64(len(str))
		}
		putUint(head[1:], bits)
		n += copy(buf[n:], head[:])
		n += copy(buf[n:], str)
		full += 9 + len(str)
	}
	return n, full
}

var errCut = errors.New("encoded values end too soon")

// Decode is the inverse of Encode. The values do not share memory with data.
func Decode(data []byte) ([]any, error) {
	var vals []any
	for len(data) > 0 {
		if len(data) < 9 {
			return nil, errCut
		}
		kind, bits := data[0], binary.LittleEndian.Uint64(data[1:])
		data = data[9:]
		var text []byte
		if kind == kindBytes || kind == kindString {
			if bits > uint64(len(data)) {
				return nil, errCut
			}
			text, data = data[:bits], data[bits:]
		}
		v := valueOf(kind, bits, text)
		if v == nil {
			return nil, fmt.Errorf("encoded value of unknown kind %d", kind)
		}
		vals = append(vals, v)
	}
	return vals, nil
}

// valueOf is the inverse of kindOf, where the bytes of a []byte are data, too. It returns nil
// for a kind that does not exist.
func valueOf(kind byte, bits uint64, data []byte) any {
	switch kind {
	case kindBytes:
		return append([]byte{}, data...)
	case kindString:
		return string(data)
	case kindBool:
		return bits != 0
	case kindInt:
		return int(bits)
	case kindInt8:
		return int8(bits)
	case kindInt16:
		return int16(bits)
	case kindInt32:
		return int32(bits)
	case kindInt64:
		return int64(bits)
	case kindUint:
		return uint(bits)
	case kindUint8:
		return uint8(bits)
	case kindUint16:
		return uint16(bits)
	case kindUint32:
		return uint32(bits)
	case kindUint64:
		return bits
	case kindFloat32:
		return math.Float32frombits(uint32(bits))
	case kindFloat64:
		return math.Float64frombits(bits)
	}
	return nil
}
