package fuzzmutrt

import "github.com/fuzzmut/fuzzmut/instrument/rt/codes"

// Index is i, an index of something of length n. The mutants' are its neighbors,
// where that leaves an index in range.
//
//go:norace
//go:noinline
func Index[I Integers](base uint32, alts uint64, i I, n int) I {
	if code := chosen(base, alts); code != 0 {
		return neighbour(code, i, n)
	}
	if Tracing {
		for id := base; alts != 0; id, alts = id+1, alts>>codes.Bits {
			trace(id, neighbour(alts&codes.Mask, i, n) != i)
		}
	}
	return i
}

//go:norace
func neighbour[I Integers](code uint64, i I, n int) I {
	switch {
	case code == codes.Up && int64(i) < int64(n)-1:
		return i + 1
	case code == codes.Down && i > 0:
		return i - 1
	}
	return i
}

// At is &x[i], with i as that of Index.
//
//go:norace
//go:noinline
func At[S ~[]E, E any, I Integers](base uint32, alts uint64, x S, i I) *E {
	return &x[Index(base, alts, i, len(x))]
}

// CharAt is x[i], with i as that of Index.
//
//go:norace
//go:noinline
func CharAt[S ~string, I Integers](base uint32, alts uint64, x S, i I) byte {
	return x[Index(base, alts, i, len(x))]
}

// Bound is v, a bound of a slice expression. The mutants' are its neighbors, and
// the bound that stands where none is written.
//
//go:norace
//go:noinline
func Bound[I Integers](base uint32, alts uint64, v I, absent int) I {
	if code := chosen(base, alts); code != 0 {
		return moved(code, v, I(absent))
	}
	if Tracing {
		for id := base; alts != 0; id, alts = id+1, alts>>codes.Bits {
			trace(id, moved(alts&codes.Mask, v, I(absent)) != v)
		}
	}
	return v
}

//go:norace
func moved[I Integers](code uint64, v, away I) I {
	switch code {
	case codes.Up:
		return v + 1
	case codes.Down:
		return v - 1
	}
	return away
}

// Length is v, a length or capacity; other is the other one of the two.
//
//go:norace
//go:noinline
func Length(base uint32, alts uint64, v, other int) int { return Bound(base, alts, v, other) }

// Elems are elements to append or copy; the mutant's are none.
//
//go:norace
//go:noinline
func Elems[S ~[]E, E any](id uint32, x S) S {
	if active(id) {
		return nil
	}
	if Tracing {
		trace(id, len(x) > 0)
	}
	return x
}

// Chars are bytes to append or copy; the mutant's are none.
//
//go:norace
//go:noinline
func Chars[S ~string](id uint32, x S) S {
	if active(id) {
		return ""
	}
	if Tracing {
		trace(id, len(x) > 0)
	}
	return x
}

// Min is min(x, rest...); the mutant's is the maximum.
//
//go:norace
//go:noinline
func Min[T Orders](id uint32, x T, rest ...T) T {
	lo, hi := extremes(x, rest)
	if active(id) {
		return hi
	}
	if Tracing {
		trace(id, lo != hi || !same(&lo, &hi))
	}
	return lo
}

// Max is max(x, rest...); the mutant's is the minimum.
//
//go:norace
//go:noinline
func Max[T Orders](id uint32, x T, rest ...T) T {
	lo, hi := extremes(x, rest)
	if active(id) {
		return lo
	}
	if Tracing {
		trace(id, lo != hi || !same(&lo, &hi))
	}
	return hi
}

//go:norace
func extremes[T Orders](x T, rest []T) (lo, hi T) {
	lo, hi = x, x
	for _, y := range rest {
		lo, hi = min(lo, y), max(hi, y)
	}
	return lo, hi
}

// Convert is T(x). The mutants convert x to the type of their code before.
//
//go:norace
//go:noinline
func Convert[T, X Integers](base uint32, alts uint64, x X) T {
	v := T(x)
	if code := chosen(base, alts); code != 0 {
		return by[T](code, x)
	}
	if Tracing {
		for id := base; alts != 0; id, alts = id+1, alts>>codes.Bits {
			trace(id, by[T](alts&codes.Mask, x) != v)
		}
	}
	return v
}

//go:norace
func by[T, X Integers](code uint64, x X) T {
	switch code {
	case codes.Int8:
		return T(int8(x))
	case codes.Int16:
		return T(int16(x))
	case codes.Int32:
		return T(int32(x))
	case codes.Int64:
		return T(int64(x))
	case codes.Uint8:
		return T(uint8(x))
	case codes.Uint16:
		return T(uint16(x))
	case codes.Uint32:
		return T(uint32(x))
	}
	return T(uint64(x))
}

// Map begins v, ok = m[k], as Map(id, m).At(k); the ok is the type parameter's, and
// the mutant's is inverted.
//
//go:norace
func Map[B ~bool, M ~map[K]V, K comparable, V any](id uint32, m M) lookup[B, K, V] {
	return lookup[B, K, V]{id, m}
}

type lookup[B ~bool, K comparable, V any] struct {
	id uint32
	m  map[K]V
}

// At looks k up.
//
//go:norace
//go:noinline
func (l lookup[B, K, V]) At(k K) (V, B) {
	v, ok := l.m[k]
	return v, inverted[B](l.id, ok)
}

// Assert is the v, ok of x.(T).
//
//go:norace
//go:noinline
func Assert[B ~bool, T any](id uint32, x any) (T, B) {
	v, ok := x.(T)
	return v, inverted[B](id, ok)
}

// Receive is the v, ok of <-c.
//
//go:norace
//go:noinline
func Receive[B ~bool, T any](id uint32, c <-chan T) (T, B) {
	v, ok := <-c
	return v, inverted[B](id, ok)
}

//go:norace
func inverted[B ~bool](id uint32, ok bool) B {
	if Tracing {
		trace(id, true)
	}
	return B(ok != active(id))
}
