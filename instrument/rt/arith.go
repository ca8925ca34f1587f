package fuzzmutrt

// Codes of the arithmetic operators, in alternatives and for the original's.
const (
	opAdd = iota + 1
	opSub
	opMul
	opQuo
	opRem
	opAnd
	opOr
	opXor
	opAndNot
	opShl
	opShr
)

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
func ArithI[T Integers](base uint32, alts uint64, op uint64, x, y T) T {
	if code := chosen(base, alts); code != 0 {
		return arithI(code, x, y)
	}
	if !Tracing {
		return arithI(op, x, y)
	}
	traceAlts(base, alts, (op == opQuo || op == opRem) && y == 0) // before the original can panic
	v := arithI(op, x, y)
	for i := base; alts != 0; i, alts = i+1, alts>>4 {
		code := alts & 15
		if (code == opQuo || code == opRem) && y == 0 || arithI(code, x, y) != v {
			infect(i)
		}
	}
	return v
}

//go:norace
func arithI[T Integers](op uint64, x, y T) T {
	switch op {
	case opAdd:
		return x + y
	case opSub:
		return x - y
	case opMul:
		return x * y
	case opQuo:
		return x / y
	case opRem:
		return x % y
	case opAnd:
		return x & y
	case opOr:
		return x | y
	case opXor:
		return x ^ y
	}
	return x &^ y
}

//go:norace
func traceAlts(base uint32, alts uint64, differs bool) {
	for ; alts != 0; base, alts = base+1, alts>>4 {
		trace(base, differs)
	}
}

// ArithN is x op y for numbers of every kind: + - * and /.
//
//go:norace
func ArithN[T Numbers](base uint32, alts uint64, op uint64, x, y T) T {
	if code := chosen(base, alts); code != 0 {
		return arithN(code, x, y)
	}
	if !Tracing {
		return arithN(op, x, y)
	}
	traceAlts(base, alts, op == opQuo && y == 0) // before the original can panic
	v := arithN(op, x, y)
	for i := base; alts != 0; i, alts = i+1, alts>>4 {
		code := alts & 15
		if code == opQuo && y == 0 || arithN(code, x, y) != v {
			infect(i)
		}
	}
	return v
}

//go:norace
func arithN[T Numbers](op uint64, x, y T) T {
	switch op {
	case opAdd:
		return x + y
	case opSub:
		return x - y
	case opMul:
		return x * y
	}
	return x / y
}

// Shift is x << n or x >> n.
//
//go:norace
func Shift[T, N Integers](base uint32, alts uint64, op uint64, x T, n N) T {
	if chosen(base, alts) != 0 { // the only alternative is the other direction
		op = opShl + opShr - op
	} else if Tracing {
		trace(base, n < 0 || x<<n != x>>n)
	}
	if op == opShl {
		return x << n
	}
	return x >> n
}

// Inc is x+1 or, if op is that of subtraction, x-1; the mutant's is the other one.
//
//go:norace
func Inc[T Numbers](id uint32, op uint64, x T) T {
	if Tracing {
		trace(id, true)
	}
	if (op == opAdd) == (Active != id) {
		return x + 1
	}
	return x - 1
}

// Neg is -x; the mutant's is x.
//
//go:norace
func Neg[T Numbers](id uint32, x T) T {
	if Active == id {
		return x
	}
	if Tracing {
		trace(id, x != -x)
	}
	return -x
}
