package layout

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Layout v1 is that of package testing of go-118-fuzz-build, which reads the arguments with
// go-fuzz-headers, one after the other:
//
//	bool                      a byte: even is true
//	int8, uint8               a byte
//	int32, uint32             4 bytes, the highest first
//	other integers, floats    2, 4 or 8 bytes, and a byte that is even if the lowest is first
//	string                    4 bytes of length, the highest first, and as many bytes; at least
//	                          one byte must follow the length
//	[]byte                    likewise, but of a length other than that of all bytes left, only
//	                          the remainder after division by that number counts, and 0 means 30
//
// Where bytes are missing, the fuzz target is not called.

var errShort = errors.New("it has too few bytes: the fuzz target is not called")

// maxStart is where a string may begin at most.
const maxStart = 2_000_000

// reader reads arguments.
type reader struct {
	data []byte
	at   int
}

// decodeV1 makes values.
func decodeV1(data []byte, types []string) ([]any, error) {
	if len(data) > math.MaxInt32 {
		return nil, errors.New("it is too long")
	}
	r := &reader{data: data}
	values := make([]any, len(types))
	for i, typ := range types {
		ok := true
		switch size := sizes[typ]; {
		case typ == "[]byte":
			values[i], ok = r.bytes()
		case typ == "string":
			values[i], ok = r.text()
		case typ == "bool":
			var b uint64
			b, ok = r.bits(1)
			values[i] = b%2 == 0
		case size > 0:
			var bits uint64
			bits, ok = r.number(size, !slices.Contains(oneOrder, typ))
			values[i] = valueOf(bits, typ)
		default:
			return nil, errType(typ)
		}
		if !ok {
			return nil, errShort
		}
	}
	return values, nil
}

// oneOrder are the types whose bytes come in one order.
var oneOrder = []string{"int8", "uint8", "int32", "uint32"}

// bits reads a number of a size in bytes, the highest byte first.
func (r *reader) bits(size int) (uint64, bool) {
	if r.at+size > len(r.data) {
		return 0, false
	}
	r.at += size
	return readBits(r.data[r.at-size : r.at]), true
}

// number reads a number, and the byte that tells the order of its bytes if there is one.
func (r *reader) number(size int, order bool) (uint64, bool) {
	bits, ok := r.bits(size)
	if !ok || !order {
		return bits, ok
	}
	flag, ok := r.bits(1)
	if flag%2 == 0 {
		bits = reversed(bits, size)
	}
	return bits, ok
}

// bytes reads a []byte.
func (r *reader) bytes() (any, bool) {
	length, ok := r.bits(4)
	left := uint64(len(r.data) - r.at)
	if !ok || left == 0 {
		return nil, false
	}
	if length == 0 {
		length = 30
	}
	if length != left {
		length %= left
	}
	r.at += int(length)
	return fromText(r.data[r.at-int(length):r.at], "[]byte"), true
}

// text reads a string.
func (r *reader) text() (any, bool) {
	length, ok := r.bits(4)
	left := uint64(len(r.data) - r.at)
	if !ok || left == 0 || r.at > maxStart || length > left {
		return nil, false
	}
	r.at += int(length)
	return string(r.data[r.at-int(length) : r.at]), true
}

// encodeV1 makes bytes of values, the last one first: what an empty text looks like depends on
// what follows.
func encodeV1(values []any) (data []byte, err error) {
	for _, v := range slices.Backward(values) {
		var head []byte
		switch bits, size, fixed := bitsOf(v); {
		case fixed:
			head = encodeNumber(v, bits, size)
		default:
			text, ok := textOf(v)
			if !ok {
				return nil, errType(fmt.Sprintf("%T", v))
			}
			if len(text) == 0 && len(data) == 0 {
				data = []byte{0} // else the decoder gives up
			}
			length := len(text)
			if _, raw := v.([]byte); raw && length == 0 {
				length = 2 * len(data) // the remainder is 0
			}
			if length > math.MaxInt32 {
				return nil, errors.New("it is too long")
			}
			head = append(appendBits(nil, uint64(length), 4), text...)
		}
		data = append(head, data...)
	}
	return data, nil
}

// encodeNumber makes bytes of a value of fixed size.
func encodeNumber(v any, bits uint64, size int) []byte {
	switch v := v.(type) {
	case bool:
		if v {
			return []byte{0}
		}
		return []byte{1}
	case int8, uint8, int32, uint32:
		return appendBits(nil, bits, size)
	}
	return append(appendBits(nil, bits, size), 1) // the highest byte is first
}
