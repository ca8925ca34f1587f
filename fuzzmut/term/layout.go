package term

import (
	"math"
	"unsafe"
)

// A Layout says how the values of a type are in memory, for a [Writer].
type Layout struct {
	Type  *Type
	Store Store // of a number, and of an alternative that holds nothing
	// Inside are the fields of a product, if they lie within it.
	Inside []Inside
	// Elem are the elements of a list, which is a slice, or what a pointer points to: a product is one
	// that is never nil, and a sum has nil as its first alternative. Size is that of one in memory, and
	// New returns memory for this number of them.
	Elem *Layout
	Size uintptr
	New  func(n int) unsafe.Pointer
	// Key are the keys of a set of pairs, which is a map of Elem, and SetMap makes that of n of both.
	Key     *Layout
	KeySize uintptr
	NewKeys func(n int) unsafe.Pointer
	SetMap  func(dst, keys, elems unsafe.Pointer, n int)
	// Set writes a text to where there is a zero value.
	Set func(dst unsafe.Pointer, x *Term)
}

// Inside is a part that lies within another one.
type Inside struct {
	Offset uintptr
	Layout *Layout
}

// Store is how a part is in memory that is all in the bits of its term.
type Store uint8

// The ways. The zero value is none.
const (
	Stored8 Store = 1 + iota
	Stored16
	Stored32
	Stored64
	StoredFloat32
)

// put writes a part.
func (s Store) put(dst unsafe.Pointer, n uint64) {
	if s == Stored64 { // most are: a switch asks for it last
		*(*uint64)(dst) = n
		return
	}
	switch s {
	case Stored8:
		*(*uint8)(dst) = uint8(n)
	case Stored16:
		*(*uint16)(dst) = uint16(n)
	case Stored32:
		*(*uint32)(dst) = uint32(n)
	default:
		*(*float32)(dst) = float32(math.Float64frombits(n))
	}
}

// header is what a slice is in memory.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// part is one that is not a product whose fields lie within it.
type part struct {
	t      *Type
	offset uintptr // from the beginning of what it is part of
	by     way
	store  Store
	later  bool   // what is less deep is drawn before
	habit  *habit // of its type, where numbers may occur again
	elem   int    // the number of what a list has or a pointer points to
	key    int    // of the keys of a map
	run    int    // of parts from here on, how many are cells
	// A row is count of them, which are some distance apart.
	count    int
	distance uintptr
	cell
	layout *Layout
}

// way is how a part is drawn.
type way uint8

const (
	byWhole way = iota // a whole number
	byFloat
	byCoin        // one of two alternatives
	byAlternative // one of several alternatives
	byText
	bySlice
	byMap
	byPointer // or nil
	byPresent // a pointer that is never nil
)

// way is how parts with this layout are drawn.
func (l *Layout) way() way {
	t := l.Type
	switch {
	case l.Set != nil:
		return byText
	case l.Key != nil:
		return byMap
	case l.Elem != nil && t.Kind == List:
		return bySlice
	case l.Elem != nil && t.Kind == Sum:
		return byPointer
	case l.Elem != nil:
		return byPresent
	case t.Kind == Sum && len(t.Alts) == 2:
		return byCoin
	case t.Kind == Sum:
		return byAlternative
	case t.Kind == Float:
		return byFloat
	}
	return byWhole
}

// Flat reports whether there are the same parts in all values, and bits say all of each. Then all but what
// is left out is written for each value.
func (l *Layout) Flat() bool { return l.flat(make(map[*Type]int)) }

// flat counts the types of the parts of a flat one. It is not ok for others.
func (l *Layout) flat(parts map[*Type]int) (ok bool) {
	if l.Store != 0 {
		parts[l.Type]++
		return true
	}
	ok = l.Elem == nil && l.Set == nil
	for i := 0; ok && i < len(l.Inside); i++ {
		ok = l.Inside[i].Layout.flat(parts)
	}
	return ok
}
