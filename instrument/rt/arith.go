package fuzzmutrt

import "github.com/fuzzmut/fuzzmut/instrument/rt/codes"

// Integers are the types with all arithmetic operators.
type Integers interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Numbers are the types with + - * and /.
type Numbers interface {
	Integers | ~float32 | ~float64 | ~complex64 | ~complex128
}

// ArithI is x op y for integers; shifts are Shift's.
//
//go:norace
//go:noinline
func ArithI[T Integers](base uint32, alts uint64, op uint64, x, y T) T {
	if code := chosen(base, alts); code != 0 {
		return otherI(code, op, x, y)
	}
	if !Tracing {
		return arithI(op, x, y)
	}
	open := visit(base, alts)
	if (op == codes.Quo || op == codes.Rem) && y == 0 {
		infectAll(base, open) // before the original panics
	}
	v := arithI(op, x, y)
	for i := base; open != 0; i, open, alts = i+1, open>>1, alts>>codes.Bits {
		if code := alts & codes.Mask; open&1 != 0 && (divides(code, op, x == 0, y == 0) || otherI(code, op, x, y) != v) {
			infect(i)
		}
	}
	return v
}

// divides says whether an alternative would divide by zero.
//
//go:norace
func divides(code, op uint64, xIsZero, yIsZero bool) bool {
	if code == codes.Exchanged {
		return xIsZero && (op == codes.Quo || op == codes.Rem)
	}
	return yIsZero && (code == codes.Quo || code == codes.Rem)
}

// otherI is the alternative to x op y with the given code.
//
//go:norace
func otherI[T Integers](code, op uint64, x, y T) T {
	switch code {
	case codes.Left:
		return x
	case codes.Right:
		return y
	case codes.Exchanged:
		return arithI(op, y, x)
	}
	return arithI(code, x, y)
}

//go:norace
func arithI[T Integers](op uint64, x, y T) T {
	switch op {
	case codes.Add:
		return x + y
	case codes.Sub:
		return x - y
	case codes.Mul:
		return x * y
	case codes.Quo:
		return x / y
	case codes.Rem:
		return x % y
	case codes.And:
		return x & y
	case codes.Or:
		return x | y
	case codes.Xor:
		return x ^ y
	}
	return x &^ y
}

// ArithN is x op y for numbers of every kind: + - * and /.
//
//go:norace
//go:noinline
func ArithN[T Numbers](base uint32, alts uint64, op uint64, x, y T) T {
	if code := chosen(base, alts); code != 0 {
		return otherN(code, op, x, y)
	}
	if !Tracing {
		return arithN(op, x, y)
	}
	open := visit(base, alts)
	if op == codes.Quo && y == 0 {
		infectAll(base, open) // before the original can panic
	}
	v := arithN(op, x, y)
	for i := base; open != 0; i, open, alts = i+1, open>>1, alts>>codes.Bits {
		code := alts & codes.Mask
		if open&1 == 0 {
			continue
		}
		if divides(code, op, x == 0, y == 0) {
			infect(i)
		} else if other := otherN(code, op, x, y); !same(&other, &v) { // 0 and -0 are equal
			infect(i)
		}
	}
	return v
}

// otherN: see otherI.
//
//go:norace
func otherN[T Numbers](code, op uint64, x, y T) T {
	switch code {
	case codes.Left:
		return x
	case codes.Right:
		return y
	case codes.Exchanged:
		return arithN(op, y, x)
	}
	return arithN(code, x, y)
}

//go:norace
func arithN[T Numbers](op uint64, x, y T) T {
	switch op {
	case codes.Add:
		return x + y
	case codes.Sub:
		return x - y
	case codes.Mul:
		return x * y
	}
	return x / y
}

// Concat is x + y. A mutant that is one of the operands is a copy of it: if it were
// the operand itself, the compiler could keep neither on the stack any more, in
// any of the function's callers, and tests would count more allocations.
//
//go:norace
//go:noinline
func Concat[T ~string](base uint32, alts uint64, x, y T) T {
	if code := chosen(base, alts); code != 0 {
		return T([]byte(joined(code, x, y)))
	}
	v := x + y
	if Tracing {
		for i := base; alts != 0; i, alts = i+1, alts>>codes.Bits {
			trace(i, joined(alts&codes.Mask, x, y) != v)
		}
	}
	return v
}

//go:norace
func joined[T ~string](code uint64, x, y T) T {
	switch code {
	case codes.Left:
		return x
	case codes.Right:
		return y
	}
	return y + x
}

// Shift is x << n or x >> n.
//
//go:norace
//go:noinline
func Shift[T, N Integers](base uint32, alts uint64, op uint64, x T, n N) T {
	if code := chosen(base, alts); code != 0 {
		return shifted(code, x, n)
	}
	if !Tracing {
		return shifted(op, x, n)
	}
	open := visit(base, alts)
	if n < 0 {
		infectAll(base, open) // before the original panics
	}
	v := shifted(op, x, n)
	for i := base; open != 0; i, open, alts = i+1, open>>1, alts>>codes.Bits {
		if open&1 != 0 && shifted(alts&codes.Mask, x, n) != v {
			infect(i)
		}
	}
	return v
}

//go:norace
func shifted[T, N Integers](op uint64, x T, n N) T {
	switch op {
	case codes.Shl:
		return x << n
	case codes.Shr:
		return x >> n
	}
	return x
}

// Inc is x+1 or, if op is that of subtraction, x-1; the mutant's is the other one.
//
//go:norace
//go:noinline
func Inc[T Numbers](id uint32, op uint64, x T) T {
	if Tracing {
		trace(id, true)
	}
	if (op == codes.Add) != active(id) {
		return x + 1
	}
	return x - 1
}

// Neg is -x; the mutant's is x.
//
//go:norace
//go:noinline
func Neg[T Numbers](id uint32, x T) T {
	if active(id) {
		return x
	}
	if Tracing {
		negative := -x
		trace(id, !same(&x, &negative)) // 0 and -0 are equal
	}
	return -x
}

// Complement is ^x; the mutant's is x.
//
//go:norace
//go:noinline
func Complement[T Integers](id uint32, x T) T {
	if active(id) {
		return x
	}
	if Tracing {
		trace(id, true)
	}
	return ^x
}
