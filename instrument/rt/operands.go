package fuzzmutrt

import (
	"unsafe"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

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
	Op     uint8  // codes.Less to codes.Lookup
	Held   bool   // what the original yields; of a Lookup, the key is there and is Y
	Kind   uint8  // codes.Signed to codes.Text
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

// operands begins the Operands of a comparison, which codes.Describe has described.
//
//go:norace
func operands(what uint64, held bool) Operands {
	return Operands{
		Site: uint32(what >> codes.NumberShift), Op: uint8(what & codes.Mask), Held: held, Kind: uint8(what >> codes.KindShift & codes.Mask),
		XConst: what&codes.LeftConstant != 0, YConst: what&codes.RightConstant != 0,
	}
}

// record hands over the operands of a comparison, which are at x and y and take
// size bytes.
//
//go:norace
//go:noinline
func record(base uint32, alts, what uint64, held bool, x, y unsafe.Pointer, size uintptr) {
	o := operands(what, held)
	o.Mutant, o.Alts = base, alts
	switch o.Kind {
	case 0:
		return
	case codes.Text:
		o.XText, o.YText = *(*string)(x), *(*string)(y)
	default:
		o.Width = uint8(size)
		o.X, o.Y = bitsOf(o.Kind, x, size), bitsOf(o.Kind, y, size)
	}
	handOver(&o)
}

// bitsOf reads a number.
//
//go:norace
func bitsOf(kind uint8, p unsafe.Pointer, size uintptr) uint64 {
	switch {
	case kind == codes.Float && size == 4:
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
	if kind == codes.Signed {
		free := 64 - 8*size
		return uint64(int64(v<<free) >> free)
	}
	return v
}

// kindOf tells the kind of a type. All bytes 0xff are not a number, or less than
// zero, or greater. On machines where a string has 8 bytes, the types with 8 bytes
// are not distinguished.
//
//go:norace
func kindOf[T Orders]() uint8 {
	var zero, ones T
	size := unsafe.Sizeof(ones)
	if size == unsafe.Sizeof("") {
		if size > 8 {
			return codes.Text
		}
		return 0
	}
	for i := range size {
		*(*byte)(unsafe.Add(unsafe.Pointer(&ones), i)) = 0xff
	}
	switch {
	case ones != ones:
		return codes.Float
	case ones < zero:
		return codes.Signed
	}
	return codes.Unsigned
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

// The helpers below stand where no mutant needs the operands. But for Arrays they
// return what they are given.

// Arrays is x == y, or x != y, of arrays of bytes.
//
//go:norace
//go:noinline
func Arrays[T comparable](what uint64, x, y T) bool {
	if Tracing && Recording {
		a, b, size := x, y, int(unsafe.Sizeof(x))
		recordTexts(what, unsafe.String((*byte)(unsafe.Pointer(&a)), size), unsafe.String((*byte)(unsafe.Pointer(&b)), size))
	}
	return (x == y) == (what&codes.Mask == codes.Equal)
}

// Texts are the arguments of a function of package strings that looks for y in x.
//
//go:norace
//go:noinline
func Texts(what uint64, x, y string) (string, string) {
	if Tracing && Recording {
		recordTexts(what, x, y)
	}
	return x, y
}

// TextsByte is Texts where a byte is looked for.
//
//go:norace
//go:noinline
func TextsByte(what uint64, x string, y byte) (string, byte) {
	if Tracing && Recording {
		c := y
		recordTexts(what, x, unsafe.String(&c, 1))
	}
	return x, y
}

// TextsRune is Texts where a character is looked for.
//
//go:norace
//go:noinline
func TextsRune(what uint64, x string, y rune) (string, rune) {
	if Tracing && Recording {
		recordTexts(what, x, string(y))
	}
	return x, y
}

// Bytes is Texts for package bytes.
//
//go:norace
//go:noinline
func Bytes(what uint64, x, y []byte) ([]byte, []byte) {
	if Tracing && Recording {
		recordTexts(what, textOf(x), textOf(y))
	}
	return x, y
}

// BytesByte is TextsByte for package bytes.
//
//go:norace
//go:noinline
func BytesByte(what uint64, x []byte, y byte) ([]byte, byte) {
	if Tracing && Recording {
		c := y
		recordTexts(what, textOf(x), unsafe.String(&c, 1))
	}
	return x, y
}

// BytesRune is TextsRune for package bytes.
//
//go:norace
//go:noinline
func BytesRune(what uint64, x []byte, y rune) ([]byte, rune) {
	if Tracing && Recording {
		recordTexts(what, textOf(x), string(y))
	}
	return x, y
}

// textOf is a slice of bytes, as a string.
//
//go:norace
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// recordTexts hands over two texts. It knows by itself whether the one is in the
// other: the function that will tell has not been called.
//
//go:norace
//go:noinline
func recordTexts(what uint64, x, y string) {
	o := operands(what, found(what&codes.Mask, x, y))
	o.XText, o.YText = x, y
	handOver(&o)
}

//go:norace
func found(op uint64, x, y string) bool {
	switch op {
	case codes.HasPrefix:
		return len(x) >= len(y) && x[:len(y)] == y
	case codes.HasSuffix:
		return len(x) >= len(y) && x[len(x)-len(y):] == y
	case codes.Contains:
		for len(x) > len(y) && x[:len(y)] != y {
			x = x[1:]
		}
		return len(x) >= len(y) && x[:len(y)] == y
	case codes.EqualFold:
		return equalFold(x, y)
	case codes.NotEqual:
		return x != y
	}
	return x == y
}

// equalFold compares texts whatever the case of the letters of ASCII. Other letters
// have to be the same.
//
//go:norace
func equalFold(x, y string) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range len(x) {
		if lower(x[i]) != lower(y[i]) {
			return false
		}
	}
	return true
}

//go:norace
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Tag is the tag of a switch statement. Its constant labels are in one string, in
// their order: of a number its bits, with the sign in the lowest one, of a text its
// length and the text; numbers are in groups of 7 bits, lowest first, all but the
// last with 0x80 set. The first label is the comparison that what describes, the
// others follow.
//
//go:norace
//go:noinline
func Tag[T Orders](what uint64, labels string, tag T) T {
	if Tracing && Recording {
		v := tag
		recordTag(what, labels, unsafe.Pointer(&v), unsafe.Sizeof(v))
	}
	return tag
}

// TagBytes is Tag for b in string(b).
//
//go:norace
//go:noinline
func TagBytes(what uint64, labels string, b []byte) []byte {
	if Tracing && Recording {
		v := textOf(b)
		recordTag(what, labels, unsafe.Pointer(&v), 0)
	}
	return b
}

// recordTag hands over a tag with each label, to the one that is equal.
//
//go:norace
//go:noinline
func recordTag(what uint64, labels string, tag unsafe.Pointer, size uintptr) {
	o := operands(what, false)
	if o.Kind == codes.Text {
		o.XText = *(*string)(tag)
	} else {
		o.X, o.Width = bitsOf(o.Kind, tag, size), uint8(size)
	}
	for labels != "" && !o.Held {
		var n uint64
		if n, labels = uvarint(labels); o.Kind == codes.Text {
			o.YText, labels = labels[:n], labels[n:]
		} else {
			o.Y = n>>1 ^ -(n & 1)
		}
		o.Held = o.X == o.Y && o.XText == o.YText
		handOver(&o)
		o.Site++
	}
}

//go:norace
func uvarint(s string) (n uint64, rest string) {
	for i := 0; ; i++ {
		n |= uint64(s[i]&0x7f) << (7 * i)
		if s[i] < 0x80 {
			return n, s[i+1:]
		}
	}
}

// maxKeys is how many keys of a map, or elements of a slice, one lookup hands over;
// maxMap, how many a map may have for that: all of them have to be read.
const (
	maxKeys = 64
	maxMap  = 10_000
)

// Key is the key of m[k].
//
//go:norace
//go:noinline
func Key[M ~map[K]V, K Orders, V any](what uint64, m M, k K) K {
	if Tracing && Recording {
		recordKey(what, m, k)
	}
	return k
}

// KeyBytes is Key for k in m[string(k)].
//
//go:norace
//go:noinline
func KeyBytes[M ~map[K]V, K ~string, V any](what uint64, m M, k []byte) []byte {
	if Tracing && Recording {
		recordKey(what, m, K(textOf(k)))
	}
	return k
}

// recordKey hands over a key that is there, or else one that is not with each of
// the least keys of the map.
//
//go:norace
//go:noinline
func recordKey[M ~map[K]V, K Orders, V any](what uint64, m M, k K) {
	if _, ok := m[k]; ok {
		record(0, 0, what, true, unsafe.Pointer(&k), unsafe.Pointer(&k), unsafe.Sizeof(k))
		return
	}
	if len(m) > maxMap {
		return
	}
	var least [maxKeys]K
	n := 0
	for key := range m {
		if n == maxKeys && key >= least[n-1] {
			continue
		}
		i := min(n, maxKeys-1)
		for ; i > 0 && key < least[i-1]; i-- {
			least[i] = least[i-1]
		}
		least[i] = key
		n = min(n+1, maxKeys)
	}
	for i := range n {
		record(0, 0, what, false, unsafe.Pointer(&k), unsafe.Pointer(&least[i]), unsafe.Sizeof(k))
	}
}

// Among are the arguments of a function of package slices that looks for v in
// list.
//
//go:norace
//go:noinline
func Among[S ~[]E, E Orders](what uint64, list S, v E) (S, E) {
	if Tracing && Recording {
		recordAmong(what, list, v)
	}
	return list, v
}

//go:norace
//go:noinline
func recordAmong[S ~[]E, E Orders](what uint64, list S, v E) {
	for _, e := range list {
		if e == v {
			record(0, 0, what, true, unsafe.Pointer(&v), unsafe.Pointer(&e), unsafe.Sizeof(v))
			return
		}
	}
	for _, e := range list[:min(len(list), maxKeys)] {
		record(0, 0, what, false, unsafe.Pointer(&v), unsafe.Pointer(&e), unsafe.Sizeof(v))
	}
}
