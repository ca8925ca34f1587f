package fuzzmutrt

import (
	"unsafe"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
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
	v := compare(what&codes.Mask, x, y)
	if Tracing {
		if Recording {
			a, b := x, y
			record(base, alts, what, v, unsafe.Pointer(&a), unsafe.Pointer(&b), unsafe.Sizeof(a))
		}
		open := visit(base, alts)
		for i := base; open != 0; i, open, alts = i+1, open>>1, alts>>codes.Bits {
			if open&1 != 0 && compare(alts&codes.Mask, x, y) != v {
				infect(i)
			}
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
	return Cmp(base, alts, what|uint64(kindOf[T]())<<codes.KindShift, x, y)
}

//go:norace
func compare[T Orders](op uint64, x, y T) bool {
	switch op {
	case codes.Less:
		return x < y
	case codes.LessEqual:
		return x <= y
	case codes.Greater:
		return x > y
	case codes.GreaterEqual:
		return x >= y
	case codes.Equal:
		return x == y
	case codes.AlwaysTrue:
		return true
	case codes.AlwaysFalse:
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
		open := visit(base, alts)
		for i := base; open != 0; i, open, alts = i+1, open>>1, alts>>codes.Bits {
			if open&1 != 0 && changed(alts&codes.Mask, v) != v {
				infect(i)
			}
		}
	}
	return v
}

//go:norace
func changed(code uint64, v bool) bool {
	switch code {
	case codes.MadeTrue:
		return true
	case codes.MadeFalse:
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
	if active(id) {
		return !v
	}
	return v
}

// Left is the left operand. The value of codes.DecidedByTrue in flags decides the
// original alone. Where it does so, the mutant's result depends on the right operand,
// which is not evaluated. If evaluating the right operand has effects, exactly one of
// original and mutant has them. Without effects it may still panic.
//
//go:norace
//go:noinline
func Left(id uint32, flags uint8, v bool) bool {
	if active(id) {
		return !v
	}
	if Tracing {
		reach(id)
		if flags&codes.RightHasEffects != 0 || v == (flags&codes.DecidedByTrue != 0) {
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
	if active(id) {
		return !v
	}
	if Tracing {
		reach(id)
		if v == (flags&codes.DecidedByTrue != 0) {
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
