package fuzzmutrt

import "unsafe"

// Recording tells the mutable bodies to hand the operands of comparisons to
// OperandsHook, while Tracing.
var Recording bool

// OperandsHook receives the operands of each comparison while Recording. It runs
// with Tracing off, and may end Recording. What it is given lives until it returns,
// and the texts are the target's memory: it copies what it keeps.
var OperandsHook func(o *Operands)

// Operands are the two sides of one evaluation of a comparison.
type Operands struct {
	Site   uint32 // number of the comparison, over all rewritten packages
	Op     uint8  // Less to Lookup
	Held   bool   // what the original yields; of a Lookup, the key is there and is Y
	Kind   uint8  // Signed to Text
	Width  uint8  // of a number, in bytes
	XConst bool   // the left operand is a constant
	YConst bool

	// Numbers: two's complement, extended to 64 bits by their sign, or the bits of
	// a float64.
	X, Y         uint64
	XText, YText string

	Mutant uint32 // the first of the comparison; 0 if it has none
	Alts   uint64 // what its mutants make of it, as in Cmp
}

// Values of Operands.Op, and codes of comparisons in alternatives.
const (
	Less = iota + 1
	LessEqual
	Greater
	GreaterEqual
	Equal
	NotEqual
	cmpTrue
	cmpFalse
	// Of texts: X is the longer one, Y what is looked for.
	HasPrefix
	HasSuffix
	Contains
	EqualFold
	Lookup // X is the key that is looked up, Y one of the map's
)

// Values of Operands.Kind.
const (
	Signed = iota + 1
	Unsigned
	Float
	Text
)

// A comparison is described to its helper by one number, whose hexadecimal digits
// are, lowest first: its operator; which operands are constants (1 for the left, 2
// for the right one); the kind of the operands, 0 if that is not known before it
// runs; and in all the others, its number.

// operands begins the Operands of a comparison.
//
//go:norace
func operands(what uint64, held bool) Operands {
	return Operands{
		Site: uint32(what >> 12), Op: uint8(what & 15), Held: held, Kind: uint8(what >> 8 & 15),
		XConst: what&0x10 != 0, YConst: what&0x20 != 0,
	}
}

// record hands over the operands of a comparison of values of type T.
//
//go:norace
//go:noinline
func record[T Orders](base uint32, alts, what uint64, held bool, x, y T) {
	o := operands(what, held)
	o.Mutant, o.Alts = base, alts
	if o.Kind == 0 {
		o.Kind = kindOf[T]()
	}
	switch o.Kind {
	case 0:
		return
	case Text:
		o.XText, o.YText = *(*string)(unsafe.Pointer(&x)), *(*string)(unsafe.Pointer(&y))
	default:
		size := unsafe.Sizeof(x)
		o.Width = uint8(size)
		o.X, o.Y = bitsOf(o.Kind, unsafe.Pointer(&x), size), bitsOf(o.Kind, unsafe.Pointer(&y), size)
	}
	handOver(&o)
}

// bitsOf reads a number.
//
//go:norace
func bitsOf(kind uint8, p unsafe.Pointer, size uintptr) uint64 {
	switch {
	case kind == Float && size == 4:
		v := float64(*(*float32)(p))
		return *(*uint64)(unsafe.Pointer(&v))
	case size == 8:
		return *(*uint64)(p)
	}
	var v uint64
	switch size {
	case 1:
		v = uint64(*(*uint8)(p))
	case 2:
		v = uint64(*(*uint16)(p))
	case 4:
		v = uint64(*(*uint32)(p))
	}
	if kind == Signed {
		free := 64 - 8*size
		return uint64(int64(v<<free) >> free)
	}
	return v
}

// kindOf tells the kind of a type. All bytes 0xff are not a number, or less than
// zero, or greater. On machines where a string has 8 bytes, the types with 8 bytes
// are not told apart.
//
//go:norace
func kindOf[T Orders]() uint8 {
	var zero, ones T
	size := unsafe.Sizeof(ones)
	if size == unsafe.Sizeof("") {
		if size > 8 {
			return Text
		}
		return 0
	}
	for i := range size {
		*(*byte)(unsafe.Add(unsafe.Pointer(&ones), i)) = 0xff
	}
	switch {
	case ones != ones:
		return Float
	case ones < zero:
		return Signed
	}
	return Unsigned
}

// handOver calls the hook. That the hook gets the operands is hidden from the
// compiler, which would take them to be kept, and move whatever a comparison gets
// to the heap.
//
//go:norace
//go:noinline
func handOver(o *Operands) {
	address := *(*uintptr)(unsafe.Pointer(&o))
	Tracing = false
	OperandsHook(*(**Operands)(unsafe.Pointer(&address)))
	Tracing = true
	keep(o)
}

// keep makes what it is given live on until it is called.
//
//go:norace
//go:noinline
func keep(*Operands) {}
