package havoc

import "unsafe"

// boxes turns byte slices and strings into interface values with one allocation each
// instead of two: the headers that the interfaces point to are taken from blocks of
// many. A header is never written again, so its interface value is as immutable as
// any.
type boxes struct {
	slices  [][]byte
	strings []string
}

const perBlock = 64

type words struct {
	typ, data unsafe.Pointer
}

// bytes returns a copy of b as an interface value.
func (x *boxes) bytes(b []byte) any {
	c := make([]byte, len(b))
	copy(c, b)
	if len(x.slices) == 0 {
		x.slices = make([][]byte, perBlock)
	}
	header := &x.slices[0]
	x.slices = x.slices[1:]
	*header = c
	var v any = []byte(nil)
	(*words)(unsafe.Pointer(&v)).data = unsafe.Pointer(header)
	return v
}

// string returns a copy of b, as a string, as an interface value.
func (x *boxes) string(b []byte) any {
	if len(x.strings) == 0 {
		x.strings = make([]string, perBlock)
	}
	header := &x.strings[0]
	x.strings = x.strings[1:]
	*header = string(b)
	var v any = ""
	(*words)(unsafe.Pointer(&v)).data = unsafe.Pointer(header)
	return v
}
