package wire

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"
)

// IDs are numbers, mostly of mutants, and mostly ascending. On the wire they are
// the steps from one to the next in a string: as numbers in JSON, the lists would
// take longer than many a round that they tell of.
type IDs []uint32

// Tally tells of mutants, in pairs, how often something happened to them.
type Tally [][2]uint32

var (
	errList = errors.New("a list of numbers ends in the middle of one")
	errFile = errors.New("a list of places has a file that it does not name")
)

// MarshalText implements encoding.TextMarshaler.
func (l IDs) MarshalText() ([]byte, error) { return marshalSteps(l), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *IDs) UnmarshalText(text []byte) (err error) {
	*l, err = unmarshalSteps[uint32](text)
	return err
}

// marshalSteps writes the steps from each number of a list to the next.
func marshalSteps[N ~uint32 | ~int32](list []N) []byte {
	buf := make([]byte, 0, 2*len(list))
	last := N(0)
	for _, n := range list {
		buf = binary.AppendVarint(buf, int64(n)-int64(last))
		last = n
	}
	return encodeText(buf)
}

func unmarshalSteps[N ~uint32 | ~int32](text []byte) (list []N, err error) {
	buf, err := decodeText(text)
	list = slices.Grow(list, ends(buf))
	last := int64(0)
	for len(buf) > 0 && err == nil {
		var step int64
		step, buf, err = takeVarint(buf)
		last += step
		list = append(list, N(last))
	}
	return list, err
}

// MarshalText implements encoding.TextMarshaler.
func (l Tally) MarshalText() ([]byte, error) {
	buf := make([]byte, 0, 3*len(l))
	last := uint32(0)
	for _, c := range l {
		buf = binary.AppendVarint(buf, int64(c[0])-int64(last))
		buf = binary.AppendVarint(buf, int64(c[1]))
		last = c[0]
	}
	return encodeText(buf), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Tally) UnmarshalText(text []byte) error {
	*l = nil
	buf, err := decodeText(text)
	last := int64(0)
	for len(buf) > 0 && err == nil {
		var step, n int64
		if step, buf, err = takeVarint(buf); err == nil {
			n, buf, err = takeVarint(buf)
		}
		last += step
		*l = append(*l, [2]uint32{uint32(last), uint32(n)})
	}
	return err
}

// ends counts the numbers that end in a text.
func ends(buf []byte) (n int) {
	for _, b := range buf {
		n += int(^b >> 7)
	}
	return n
}

func takeVarint(buf []byte) (v int64, rest []byte, err error) {
	v, n := binary.Varint(buf)
	if n <= 0 {
		return 0, nil, errList
	}
	return v, buf[n:], nil
}

func encodeText(buf []byte) []byte {
	return base64.RawStdEncoding.AppendEncode(nil, buf)
}

func decodeText(text []byte) ([]byte, error) {
	return base64.RawStdEncoding.AppendDecode(nil, text)
}
