package fuzzmutrt

import "unsafe"

// The functions below stand in for operations on integers whose result decides how large
// something is, or where, or how often something happens. They give what the operation gives. While
// Widening they also remember what it would give if nothing was lost. A value that lost something is a
// fault only where it is used: unsigned numbers may wrap and be right in the end.
//
// Values are known by what they are, not by the variable that holds them. So the code in
// between may be anything, and a value that is right and looks like one that is not is taken for that.

// Widening has operations on integers watched. The loop sets it for executions of the original.
var Widening bool

// PlaceHook writes where the program is to a list of program counters, and returns how many.
var PlaceHook func(pcs []uintptr) int

// placeDepth is how many callers are kept of a place.
const placeDepth = 24

// Use is how a number is used.
type Use uint8

const (
	UseIndex Use = iota
	UseSlice
	UseMake
	UseCount // of turns of a loop
	UseLength
	UseBound // a comparison that goes the other way
)

// Lost is what an operation lost.
type Lost struct {
	Op           string // "int32(x)", "x + y" and the like: the operands are x and y
	X, Y         Wide
	Value, Exact Wide   // of the result of the operation
	From, To     string // types of the operands and of the result
	place        [placeDepth]uintptr
	depth        int
}

// carried is a number that lost something: it is Value and would be Exact.
type carried struct {
	Lost
	value, exact Wide
	kind         uint8 // of its type; 0: it is right again
	meant        bool  // the code makes use of what is lost
}

// Stack is where the operation was.
func (l *Lost) Stack() []uintptr { return l.place[:l.depth] }

// Overflow is the use of a number that lost something before.
type Overflow struct {
	Lost         Lost // the operation that lost it
	Use          Use
	Value, Exact Wide // what is used, and what it would be
	place        [placeDepth]uintptr
	depth        int
}

// Stack is where the number is used.
func (o *Overflow) Stack() []uintptr { return o.place[:o.depth] }

// How many values that lost something are remembered, the last ones, and how many comparisons
// that may be seen to be harmless later.
const (
	lostMost   = 16
	boundsMost = 8
)

// widened is what is known of the execution in progress.
var widened struct {
	lost   [lostMost]carried
	n      int // all so far: the last are at n-1, n-2, ... modulo lostMost
	use    Overflow
	used   bool
	bounds [boundsMost]Overflow
	bound  int
}

// BeginWidening forgets the execution before. on says whether the next is watched.
func BeginWidening(on bool) {
	Widening = on
	widened.n, widened.used, widened.bound = 0, false, 0
}

// EndWidening ends the watching. It returns the first use of a number that lost something; nil:
// there was none. It is valid until the next execution.
func EndWidening() *Overflow {
	Widening = false
	switch {
	case widened.bound > 0:
		return &widened.bounds[0]
	case widened.used:
		return &widened.use
	}
	return nil
}

// widthOf tells the types apart by size and sign.
//
//go:norace
func widthOf[T Integers]() uint8 {
	var zero T
	kind := uint8(unsafe.Sizeof(zero)) << 1
	if isSigned[T]() {
		kind |= 1
	}
	return kind
}

var kindNames = [...]string{2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 8: "uint32", 9: "int32", 16: "uint64", 17: "int64"}

// known returns what is remembered of a value; nil: nothing was lost.
//
//go:norace
func known[T Integers](v T) *carried {
	w, kind := wide(v), widthOf[T]()
	for i := widened.n - 1; i >= 0 && i >= widened.n-lostMost; i-- {
		if l := &widened.lost[i%lostMost]; l.kind == kind && l.value == w {
			return l
		}
	}
	return nil
}

// exactly returns what a value would be if nothing was lost. Constants lose nothing.
//
//go:norace
func exactly[T Integers](v T, constant bool) (Wide, *carried) {
	if !constant && widened.n > 0 {
		if l := known(v); l != nil {
			return l.exact, l
		}
	}
	return wide(v), nil
}

// Constant says which operands are constants.
type Constant uint8

const (
	LeftConstant Constant = 1 << iota
	RightConstant
)

// forget has a value right again.
//
//go:norace
func forget(value Wide, kind uint8) {
	for i := range widened.lost {
		if l := &widened.lost[i]; l.kind == kind && l.value == value {
			l.kind = 0
		}
	}
}

// outcome takes in what an operation gave and what it would give. from is an operand that lost
// something before; nil: none did.
//
//go:norace
func outcome[T Integers](op, typeFrom string, x, y Wide, v T, exact Wide, from *carried) T {
	value, kind := wide(v), widthOf[T]()
	if value == exact {
		if widened.n > 0 {
			forget(value, kind)
		}
		return v
	}
	if from != nil { // the first loss is what is reported
		l := *from
		l.value, l.exact, l.kind = value, exact, kind
		forget(value, kind)
		widened.lost[widened.n%lostMost] = l
		widened.n++
		return v
	}
	forget(value, kind)
	l := &widened.lost[widened.n%lostMost]
	*l = carried{Lost: Lost{Op: op, X: x, Y: y, Value: value, Exact: exact, From: typeFrom, To: kindNames[kind]}, value: value, exact: exact, kind: kind}
	if PlaceHook != nil {
		l.depth = PlaceHook(l.place[:])
	}
	widened.n++
	return v
}

// either returns the first that is something.
//
//go:norace
func either(a, b *carried) *carried {
	if a != nil {
		return a
	}
	return b
}

// WideAdd is x + y.
//
//go:norace
func WideAdd[T Integers](c Constant, x, y T) T {
	v := x + y
	if !Widening {
		return v
	}
	a, la := exactly(x, c&LeftConstant != 0)
	b, lb := exactly(y, c&RightConstant != 0)
	return outcome("x + y", kindNames[widthOf[T]()], a, b, v, a.add(b), either(la, lb))
}

// WideSub is x - y.
//
//go:norace
func WideSub[T Integers](c Constant, x, y T) T {
	v := x - y
	if !Widening {
		return v
	}
	a, la := exactly(x, c&LeftConstant != 0)
	b, lb := exactly(y, c&RightConstant != 0)
	return outcome("x - y", kindNames[widthOf[T]()], a, b, v, a.add(b.neg()), either(la, lb))
}

// Digit is x - y, where y is a digit or a letter, and x one too or not. What is below y is meant to
// be a large number.
//
//go:norace
func Digit[T Integers](x, y T) T {
	n := widened.n
	v := WideSub(RightConstant, x, y)
	if Widening && widened.n != n {
		widened.lost[n%lostMost].meant = true
	}
	return v
}

// WideMul is x * y.
//
//go:norace
func WideMul[T Integers](c Constant, x, y T) T {
	v := x * y
	if !Widening {
		return v
	}
	a, la := exactly(x, c&LeftConstant != 0)
	b, lb := exactly(y, c&RightConstant != 0)
	return outcome("x * y", kindNames[widthOf[T]()], a, b, v, a.mul(b), either(la, lb))
}

// WideQuo is x / y.
//
//go:norace
func WideQuo[T Integers](x, y T) T {
	v := x / y
	if !Widening {
		return v
	}
	a, la := exactly(x, false)
	exact := wide(v)
	switch {
	case la != nil:
		exact = a.quo(wide(y))
	case wide(y) == Wide{1<<64 - 1, 1<<64 - 1}:
		exact = a.neg()
	}
	return outcome("x / y", kindNames[widthOf[T]()], a, wide(y), v, exact, la)
}

// WideOr is x | y.
//
//go:norace
func WideOr[T Integers](c Constant, x, y T) T {
	v := x | y
	if !Widening || widened.n == 0 {
		return v
	}
	a, la := exactly(x, c&LeftConstant != 0)
	b, lb := exactly(y, c&RightConstant != 0)
	exact := Wide{a.Hi | b.Hi, a.Lo | b.Lo}
	switch {
	case a.ends():
		exact = a
	case b.ends():
		exact = b
	}
	return outcome("x | y", kindNames[widthOf[T]()], a, b, v, exact, either(la, lb))
}

// WideShl is x << n.
//
//go:norace
func WideShl[T, N Integers](x T, n N) T {
	v := x << n
	if !Widening {
		return v
	}
	a, la := exactly(x, false)
	return outcome("x << y", kindNames[widthOf[T]()], a, wide(n), v, a.shl(uint64(n)), la)
}

// WideShr is x >> n.
//
//go:norace
func WideShr[T, N Integers](x T, n N) T {
	v := x >> n
	if !Widening || widened.n == 0 {
		return v
	}
	a, la := exactly(x, false)
	return outcome("x >> y", kindNames[widthOf[T]()], a, wide(n), v, a.shr(uint64(n)), la)
}

// WideNeg is -x.
//
//go:norace
func WideNeg[T Integers](x T) T {
	v := -x
	if !Widening {
		return v
	}
	a, la := exactly(x, false)
	return outcome("-x", kindNames[widthOf[T]()], a, Wide{}, v, a.neg(), la)
}

// WideTo is T(x).
//
//go:norace
func WideTo[T, F Integers](x F) T {
	v := T(x)
	if !Widening {
		return v
	}
	a, la := exactly(x, false)
	return outcome("", kindNames[widthOf[F]()], a, Wide{}, v, a, la)
}

// WideFloat is T(x).
//
//go:norace
func WideFloat[T Integers, F ~float32 | ~float64](x F) T {
	v := T(x)
	if !Widening {
		return v
	}
	a := fromFloat(float64(x))
	return outcome("", "float64", a, Wide{}, v, a, nil)
}

// Used is n, which is used in that way.
//
//go:norace
func Used[T Integers](use Use, n T) T {
	if !Widening || widened.n == 0 || widened.used {
		return n
	}
	if l := known(n); l != nil && !l.meant {
		note(&widened.use, use, l, wide(n), l.exact)
		widened.used = true
	}
	return n
}

// note takes in a use.
//
//go:norace
func note(o *Overflow, use Use, l *carried, value, exact Wide) {
	*o = Overflow{Lost: l.Lost, Use: use, Value: value, Exact: exact}
	if PlaceHook != nil {
		o.depth = PlaceHook(o.place[:])
	}
}

// Relation is how two numbers are compared.
type Relation uint8

const (
	IsLess Relation = iota
	IsAtMost
	IsMore
	IsAtLeast
	relations
	// Settles, in addition: the code looks whether something was lost. It knows then.
	Settles Relation = 1 << 4
)

// Bounds compares x and y, where one bounds the other.
//
//go:norace
func Bounds[T Integers](c Constant, r Relation, x, y T) bool {
	holds := relates(r&^Settles, x < y, x == y)
	if !Widening || widened.n == 0 {
		return holds
	}
	a, la := exactly(x, c&LeftConstant != 0)
	b, lb := exactly(y, c&RightConstant != 0)
	switch l := either(la, lb); {
	case l == nil || l.meant:
	case r&Settles != 0:
		setRight(la, x)
		setRight(lb, y)
	case widened.bound < boundsMost && !widened.used && holds != relates(r, a.less(b), a == b):
		value, exact := wide(x), a
		if la == nil {
			value, exact = wide(y), b
		}
		note(&widened.bounds[widened.bound], UseBound, l, value, exact)
		widened.bound++
	}
	return holds
}

// relates is a comparison by whether the left is less, and whether both are the same.
//
//go:norace
func relates(r Relation, less, same bool) bool {
	switch r {
	case IsLess:
		return less
	case IsAtMost:
		return less || same
	case IsMore:
		return !less && !same
	}
	return !less
}

// Signs compares x with a constant near zero. A number that lost something and is negative is
// seen to be wrong then, whatever it was compared with before.
//
//go:norace
func Signs[T Integers](r Relation, x, y T) bool {
	holds := relates(r&^Settles, x < y, x == y)
	if Widening && widened.n > 0 && x < 0 {
		setRight(known(x), x)
	}
	return holds
}

// setRight has a number right again: the code knows that it is not, and goes on in its own way. What the
// same loss did in comparisons before is no fault.
//
//go:norace
func setRight[T Integers](l *carried, v T) {
	if l == nil {
		return
	}
	place := l.place
	n := 0
	for i := range widened.bounds[:widened.bound] {
		if b := &widened.bounds[i]; b.Lost.place != place {
			widened.bounds[n] = *b
			n++
		}
	}
	widened.bound = n
	forget(wide(v), widthOf[T]())
}
