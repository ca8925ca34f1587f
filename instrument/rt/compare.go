package fuzzmutrt

import "unsafe"

// Codes of what can be done to a boolean.
const (
	boolNot = iota + 1
	boolTrue
	boolFalse
)

// Orders are the types that can be compared with <.
type Orders interface {
	Integers | ~float32 | ~float64 | ~string
}

// Cmp is x op y; for the comparison that what describes, see operands.go.
//
//go:norace
//go:noinline
func Cmp[T Orders](base uint32, alts uint64, what uint64, x, y T) bool {
	if code := chosen(base, alts); code != 0 {
		return compare(code, x, y)
	}
	v := compare(what&15, x, y)
	if Tracing {
		if Recording {
			a, b := x, y
			record(base, alts, what, v, unsafe.Pointer(&a), unsafe.Pointer(&b), unsafe.Sizeof(a))
		}
		for i := base; alts != 0; i, alts = i+1, alts>>4 {
			trace(i, compare(alts&15, x, y) != v)
		}
	}
	return v
}

// CmpAny is Cmp for a type parameter that may stand for numbers of several kinds, or
// strings, too.
//
//go:norace
//go:noinline
func CmpAny[T Orders](base uint32, alts uint64, what uint64, x, y T) bool {
	return Cmp(base, alts, what|uint64(kindOf[T]())<<8, x, y)
}

//go:norace
func compare[T Orders](op uint64, x, y T) bool {
	switch op {
	case Less:
		return x < y
	case LessEqual:
		return x <= y
	case Greater:
		return x > y
	case GreaterEqual:
		return x >= y
	case Equal:
		return x == y
	case cmpTrue:
		return true
	case cmpFalse:
		return false
	}
	return x != y
}

// Bool is v.
//
//go:norace
//go:noinline
func Bool(base uint32, alts uint64, v bool) bool {
	if code := chosen(base, alts); code != 0 {
		return changed(code, v)
	}
	if Tracing {
		for i := base; alts != 0; i, alts = i+1, alts>>4 {
			trace(i, changed(alts&15, v) != v)
		}
	}
	return v
}

//go:norace
func changed(code uint64, v bool) bool {
	switch code {
	case boolTrue:
		return true
	case boolFalse:
		return false
	}
	return !v
}

// Joined, Left and Right turn && into || and back while mutant id is active:
// Joined(Left(a) && Right(b)) with all three negating is a || b, and evaluates b
// only if a is false.

// Joined is the whole expression.
//
//go:norace
//go:noinline
func Joined(id uint32, v bool) bool {
	if Active == id {
		return !v
	}
	return v
}

// Left is the left operand. The lowest bit of flags is the value that decides the
// original alone: 1 for ||, 0 for &&. Where it does so, the mutant's result hangs
// on the right operand, which is not evaluated. Bit 1 says that evaluating the
// right operand has effects: of original and mutant exactly one does it. Without
// effects it may still panic.
//
//go:norace
//go:noinline
func Left(id uint32, flags uint8, v bool) bool {
	if Active == id {
		return !v
	}
	if Tracing {
		reach(id)
		if flags&2 != 0 || v == (flags&1 == 1) {
			commit(id)
		} else {
			pend(id)
		}
	}
	return v
}

// Right is the right operand, evaluated because the left one left it open: the
// original's result is v, the mutant's is the left operand.
//
//go:norace
//go:noinline
func Right(id uint32, flags uint8, v bool) bool {
	if Active == id {
		return !v
	}
	if Tracing {
		reach(id)
		if v == (flags&1 == 1) {
			commit(id)
		} else {
			settle(id)
		}
	}
	return v
}

// BoolOf, JoinedOf, LeftOf and RightOf are Bool, Joined, Left and Right for
// booleans of other types.

// BoolOf: see Bool.
func BoolOf[T ~bool](base uint32, alts uint64, v T) T { return T(Bool(base, alts, bool(v))) }

// JoinedOf: see Joined.
func JoinedOf[T ~bool](id uint32, v T) T { return T(Joined(id, bool(v))) }

// LeftOf: see Left.
func LeftOf[T ~bool](id uint32, flags uint8, v T) T { return T(Left(id, flags, bool(v))) }

// RightOf: see Right.
func RightOf[T ~bool](id uint32, flags uint8, v T) T { return T(Right(id, flags, bool(v))) }
