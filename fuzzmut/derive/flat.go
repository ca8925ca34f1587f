package derive

import (
	"math"
	"slices"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// store is how a part is in memory that is all in the bits of its term.
type store uint8

// The ways. The zero value is none.
const (
	stored8 store = 1 + iota
	stored16
	stored32
	stored64
	storedFloat32
)

// storeOf is that of integers by their size.
var storeOf = map[int]store{8: stored8, 16: stored16, 32: stored32, 64: stored64}

// cell is a part of a value that has no parts.
type cell struct {
	typ    *term.Type
	offset uintptr
	store  store
}

// Flat returns a function that writes the value at dst, whose type is flat: see [term.Type.Flat]. Its
// parts have these bits. It is nil for other types.
func (c *Codec) Flat(dst unsafe.Pointer) func(bits []uint64) {
	types := c.plan.typ.Flat()
	if types == nil {
		return nil
	}
	cells, ok := c.plan.cells(nil, 0)
	if !ok || !slices.EqualFunc(cells, types, func(c cell, t *term.Type) bool { return c.typ == t }) {
		return nil
	}
	return func(bits []uint64) {
		for i, n := range bits {
			cells[i].set(dst, n)
		}
	}
}

// cells appends those of a plan that lie from an offset on. It is not ok if there are other parts.
func (p *plan) cells(list []cell, offset uintptr) (_ []cell, ok bool) {
	if p.store != 0 {
		return append(list, cell{p.typ, offset, p.store}), true
	}
	ok = p.inside
	for i := 0; ok && i < len(p.fields); i++ {
		f := &p.fields[i]
		list, ok = f.plan.cells(list, offset+f.offset)
	}
	return list, ok
}

// set writes a part of the value at dst.
func (c *cell) set(dst unsafe.Pointer, n uint64) {
	at := unsafe.Add(dst, c.offset)
	switch c.store {
	case stored8:
		*(*uint8)(at) = uint8(n)
	case stored16:
		*(*uint16)(at) = uint16(n)
	case stored32:
		*(*uint32)(at) = uint32(n)
	case stored64:
		*(*uint64)(at) = n
	default:
		*(*float32)(at) = float32(math.Float64frombits(n))
	}
}
