package fuzzmutrt

// The functions below stand in for calls of the standard library whose work one number
// decides. No loop turn and no call of rewritten code burns fuel in these.

// costMost is more fuel than any input has.
const costMost = 1 << 40

// Repeat stands in for strings.Repeat and bytes.Repeat.
func Repeat[T string | []byte](repeat func(T, int) T, s T, n int) T {
	BurnMany(repeatFuel(len(s), n))
	return repeat(s, n)
}

// repeatFuel is a unit for 16 bytes, about the time that they take.
func repeatFuel(size, n int) int64 {
	if size == 0 || n <= 0 {
		return 0
	}
	if int64(n) > costMost/int64(size) {
		return costMost
	}
	return int64(size) * int64(n) / 16
}

// integer is what *math/big.Int has, which this package can't import.
type integer interface {
	comparable
	BitLen() int
	Int64() int64
	IsInt64() bool
}

// Exp stands in for the method Exp of *math/big.Int.
func Exp[T integer](exp func(x, y, m T) T, x, y, m T) T {
	BurnMany(powerFuel(x, y, m))
	return exp(x, y, m)
}

// powerFuel is what a power x**y costs, in fuel: about the time that it takes. With a modulus
// it stays small.
func powerFuel[T integer](x, y, m T) int64 {
	var none T
	if x == none || y == none || m != none && m.BitLen() > 0 || x.BitLen() <= 1 || y.BitLen() == 0 {
		return 0
	}
	if !y.IsInt64() {
		return costMost
	}
	n := y.Int64()
	if n < 0 {
		return 0 // the result is 1
	}
	words := int64(x.BitLen())
	if n > costMost/words {
		return costMost
	}
	words = words * n / 64
	// Karatsuba's multiplication takes words to the power of 1.58.
	root := int64(1)
	for root*root < words {
		root *= 2
	}
	if words > costMost/root {
		return costMost
	}
	return words * root
}

const (
	// roomLeast is the size in bytes from which memory that make allocates burns fuel: what is
	// smaller takes less time than a look at it.
	roomLeast = 64 << 10
	// roomBytes are those that burn one unit, about the time that it takes to clear them. The
	// memory may also stay untouched.
	roomBytes = 256
)

// RoomMost is what the original may ask for at once, in bytes. Most machines have less than it is in
// the beginning, and there the runtime ends the process.
var RoomMost uint64 = 64 << 30

// Asked is the number of bytes for which an execution was ended that is OutOfMemory.
var Asked uint64

// Room stands in for the number of elements that a make is to allocate, whose size in bytes is given, and returns it.
// Nothing else bounds a mutant that asks for gigabytes.
func Room[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](n T, bytes uint64) T {
	if uint64(n) > roomLeast/bytes {
		allocate(uint64(n), bytes)
	}
	return n
}

// allocate burns what n elements cost.
//
//go:norace
func allocate(n, bytes uint64) {
	if n > maxAlloc/bytes {
		return // make panics
	}
	size := n * bytes
	switch {
	case size <= roomLeast:
		return
	case size > RoomMost && Active == 0 && DoomHook != nil:
		Asked = size
		doom(OutOfMemory, 0)
	}
	BurnMany(int64((size - roomLeast) / roomBytes))
}

// maxAlloc is the most that make does not refuse by a panic, on most systems.
const maxAlloc = 1 << 48
