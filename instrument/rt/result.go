package fuzzmutrt

import "unsafe"

// Ret is a result; the mutant's is the zero value.
//
//go:norace
//go:noinline
func Ret[T any](id uint32, v T) T {
	if active(id) {
		var zero T
		return zero
	}
	if Tracing {
		trace(id, !isZero(&v))
	}
	return v
}

// Ahead says whether mutant id returns something else without evaluating a result:
// it stands before the return statement, and the result's helper tells whether the
// mutant is infected, unless what it is given panics.
//
//go:norace
//go:noinline
func Ahead(id uint32) bool {
	if Tracing {
		reach(id)
		pend(id)
	}
	return active(id)
}

// PaddingHook says whether a byte of what pointers of a type point to is one that no code reads, as between the
// fields of a struct: where a struct was stored field by field, anything is there. The pointer is nil. No hook:
// nobody knows.
var PaddingHook func(pointer any, at uintptr) bool

// read says whether code may read a byte of a value. A value that is as large as its alignment has no padding.
// The hook does not get the value, which would be allocated for that.
//
//go:norace
func read[T any](v *T, at int) bool {
	return PaddingHook == nil || unsafe.Sizeof(*v) == unsafe.Alignof(*v) || !PaddingHook((*T)(nil), uintptr(at))
}

// isZero says whether a value is all zero bytes. A zero value that is not, as an
// empty string that points somewhere, counts as different.
//
//go:norace
func isZero[T any](v *T) bool {
	for i, b := range unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)) {
		if b != 0 && read(v, i) {
			return false
		}
	}
	return true
}

// Alt is v, or the active one of the alternatives.
//
//go:norace
//go:noinline
func Alt[T any](base uint32, v T, alts ...T) T {
	if i := Active - base; i < uint32(len(alts)) {
		return alts[i]
	}
	if Active == Many {
		for i := range alts {
			if fires(base + uint32(i)) {
				return alts[i]
			}
		}
	}
	if Tracing {
		for i := range alts {
			trace(base+uint32(i), !same(&v, &alts[i]))
		}
	}
	return v
}

// New is v; the mutant's is what fresh makes: a different value than any there is.
//
//go:norace
//go:noinline
func New[T any](id uint32, v T, fresh func() T) T {
	if active(id) {
		return fresh()
	}
	if Tracing {
		trace(id, true)
	}
	return v
}

// Swapped is x; the mutant's is a copy of y, for the reason that Concat has.
//
//go:norace
//go:noinline
func Swapped[T ~string](id uint32, x, y T) T {
	if active(id) {
		return T([]byte(y))
	}
	if Tracing {
		trace(id, x != y)
	}
	return x
}

// Gives says whether mutant id gives a variable that holds v the value alt.
//
//go:norace
//go:noinline
func Gives[T any](id uint32, v, alt T) bool {
	if Tracing {
		trace(id, !same(&v, &alt))
	}
	return active(id)
}

// same says whether two values have the same bytes. Equal values that have not, as
// strings in different places, count as different.
//
//go:norace
func same[T any](a, b *T) bool {
	size := unsafe.Sizeof(*a)
	x, y := unsafe.Slice((*byte)(unsafe.Pointer(a)), size), unsafe.Slice((*byte)(unsafe.Pointer(b)), size)
	for i := range x {
		if x[i] != y[i] && read(a, i) {
			return false
		}
	}
	return true
}
