package fuzzmutrt

import (
	"fmt"
	"math"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// packed returns alternatives as one number, and how many they are.
func packed(list ...uint64) (alts uint64, n int) {
	for i, code := range list {
		alts |= code << (codes.Bits * i)
	}
	return alts, len(list)
}

// printed runs f, and prints its value, or that it panics. Floats are printed by their
// bits: 0 and -0 are different values to a program.
func printed(f func() any) (text string) {
	defer func() {
		if recover() != nil {
			text = "panic"
		}
	}()
	switch v := f().(type) {
	case float64:
		return fmt.Sprintf("%#x", math.Float64bits(v))
	default:
		return fmt.Sprintf("%#v", v)
	}
}

// inGroup returns what f returns while a mutant is on in a group with others that f does not
// reach.
func inGroup(mutant uint32, f func() string) string {
	active := Active
	Active = Many
	SwitchOn([]uint32{mutant, 90}, 0)
	defer func() {
		Active = active
		SwitchOn(nil, 0)
	}()
	return f()
}

// agrees checks that tracing says of each of the mutants 1 to n what is true of it: it is
// infected if its value differs from the original's. Where cautious, infected may also be
// assumed of the others.
func agrees(t *testing.T, what string, n int, cautious bool, f func() any) {
	t.Helper()
	defer func() { Active = 0 }()
	original := printed(f)
	reached, infected := traced(t, func() { f() })
	if all := uint64(1)<<n - 1; reached != all {
		t.Errorf("%s: reached %b, want %b", what, reached, all)
	}
	for i := range n {
		Active = uint32(i + 1)
		mutant := printed(f)
		if grouped := inGroup(uint32(i+1), func() string { return printed(f) }); grouped != mutant {
			t.Errorf("%s: mutant %d gives %s, in a group %s", what, i+1, mutant, grouped)
		}
		differs, said := mutant != original, infected>>i&1 != 0
		if differs && !said || said && !differs && !cautious && original != "panic" {
			t.Errorf("%s: mutant %d gives %s, the original %s; infected: %t", what, i+1, mutant, original, said)
		}
	}
}

var arithmetic = []uint64{codes.Add, codes.Sub, codes.Mul, codes.Quo, codes.Rem, codes.And, codes.Or, codes.Xor, codes.AndNot}

func TestTracingAgreesWithTheMutantsOfIntegers(t *testing.T) {
	alts, n := packed(append(arithmetic[:len(arithmetic):len(arithmetic)], codes.Left, codes.Right, codes.Exchanged)...)
	shifts, shiftsN := packed(codes.Shl, codes.Shr, codes.Left)
	values := []int8{math.MinInt8, -3, -1, 0, 1, 2, 7, math.MaxInt8}
	for _, x := range values {
		for _, y := range values {
			for _, op := range arithmetic {
				agrees(t, fmt.Sprintf("%d op%d %d", x, op, y), n, false, func() any { return ArithI(1, alts, op, x, y) })
				agrees(t, fmt.Sprintf("%d op%d %d", uint8(x), op, uint8(y)), n, false, func() any { return ArithI(1, alts, op, uint8(x), uint8(y)) })
			}
			for _, op := range []uint64{codes.Shl, codes.Shr} {
				agrees(t, fmt.Sprintf("%d shift%d %d", x, op, y), shiftsN, false, func() any { return Shift(1, shifts, op, x, y) })
			}
			agrees(t, fmt.Sprintf("min(%d, %d)", x, y), 1, false, func() any { return Min(1, x, y) })
			agrees(t, fmt.Sprintf("max(%d, %d, 0)", x, y), 1, false, func() any { return Max(1, x, y, 0) })
		}
		agrees(t, fmt.Sprintf("%d++", x), 1, false, func() any { return Inc(1, codes.Add, x) })
		agrees(t, fmt.Sprintf("%d--", x), 1, false, func() any { return Inc(1, codes.Sub, x) })
		agrees(t, fmt.Sprintf("-(%d)", x), 1, false, func() any { return Neg(1, x) })
		agrees(t, fmt.Sprintf("^(%d)", x), 1, false, func() any { return Complement(1, x) })
		agrees(t, fmt.Sprintf("return %d", x), 1, false, func() any { return Ret(1, x) })
	}
}

func TestTracingAgreesWithTheMutantsOfFloats(t *testing.T) {
	alts, n := packed(codes.Add, codes.Sub, codes.Mul, codes.Quo, codes.Left, codes.Right, codes.Exchanged)
	values := []float64{0, math.Copysign(0, -1), 1, -2.5, math.MaxFloat64, math.Inf(-1)}
	for _, x := range values {
		for _, y := range values {
			for _, op := range []uint64{codes.Add, codes.Sub, codes.Mul, codes.Quo} {
				// A division by zero counts as a panic, as that of integers.
				agrees(t, fmt.Sprintf("%v op%d %v", x, op, y), n, x == 0 || y == 0, func() any { return ArithN(1, alts, op, x, y) })
			}
			agrees(t, fmt.Sprintf("min(%v, %v)", x, y), 1, false, func() any { return Min(1, x, y) })
			agrees(t, fmt.Sprintf("max(%v, %v)", x, y), 1, false, func() any { return Max(1, x, y) })
		}
		agrees(t, fmt.Sprintf("-(%v)", x), 1, false, func() any { return Neg(1, x) })
		agrees(t, fmt.Sprintf("%v++", x), 1, true, func() any { return Inc(1, codes.Add, x) })
	}
}

func TestTracingAgreesWithTheMutantsOfComparisons(t *testing.T) {
	list := []uint64{
		codes.Less, codes.LessEqual, codes.Greater, codes.GreaterEqual, codes.Equal, codes.NotEqual, codes.AlwaysTrue, codes.AlwaysFalse,
	}
	alts, n := packed(list...)
	for _, op := range list[:6] {
		for _, x := range []float64{1, 2, math.NaN()} {
			for _, y := range []float64{1, math.NaN()} {
				agrees(t, fmt.Sprintf("%v op%d %v", x, op, y), n, false, func() any { return Cmp(1, alts, op, x, y) })
			}
		}
		for _, x := range []string{"", "a", "b"} {
			agrees(t, fmt.Sprintf("%q op%d a", x, op), n, false, func() any { return CmpString(1, alts, op, x, "a") })
		}
		for _, x := range []uint64{0, 5, 1 << 63} {
			agrees(t, fmt.Sprintf("%d op%d 5", x, op), n, false, func() any { return CmpUint64(1, alts, op, x, 5) })
		}
	}
	alts, n = packed(codes.Negated, codes.MadeTrue, codes.MadeFalse)
	for _, v := range []bool{false, true} {
		agrees(t, fmt.Sprint(v), n, false, func() any { return Bool(1, alts, v) })
	}
}

func TestTracingAgreesWithTheMutantsOfTexts(t *testing.T) {
	alts, n := packed(codes.Left, codes.Right, codes.Exchanged)
	values := []string{"", "a", "ab", "aa"}
	for _, x := range values {
		for _, y := range values {
			agrees(t, fmt.Sprintf("%q + %q", x, y), n, false, func() any { return Concat(1, alts, x, y) })
			agrees(t, fmt.Sprintf("%q for %q", y, x), 1, false, func() any { return Swapped(1, x, y) })
		}
		agrees(t, fmt.Sprintf("return %q", x), 1, x == "", func() any { return Ret(1, x) })
		agrees(t, fmt.Sprintf("append %q", x), 1, false, func() any { return Chars(1, x) })
		agrees(t, fmt.Sprintf("append %d", len(x)), 1, false, func() any { return len(Elems(1, []byte(x))) })
	}
}

func TestTracingAgreesWithTheMutantsOfIndices(t *testing.T) {
	neighbours, two := packed(codes.Up, codes.Down)
	bounds, three := packed(codes.Up, codes.Down, codes.Away)
	for length := range 4 {
		for i := range length + 1 {
			what := fmt.Sprintf("%d of %d", i, length)
			x := []int{10, 11, 12}[:length]
			agrees(t, "index "+what, two, false, func() any { return Index(1, neighbours, i, length) })
			agrees(t, "element "+what, two, false, func() any { return *At(1, neighbours, x, i) })
			agrees(t, "byte "+what, two, false, func() any { return CharAt(1, neighbours, "abc"[:length], uint8(i)) })
			agrees(t, "bound "+what, three, false, func() any { return Bound(1, bounds, i, length) })
		}
	}
}

func TestTracingAgreesWithTheMutantsOfConversions(t *testing.T) {
	alts, n := packed(codes.Int8, codes.Int16, codes.Int32, codes.Int64, codes.Uint8, codes.Uint16, codes.Uint32, codes.Uint64)
	for _, x := range []int64{0, 1, -1, 127, 128, -129, 255, 256, 1 << 15, 1 << 16, 1 << 31, 1 << 32, math.MinInt64} {
		what := fmt.Sprintf("of %d", x)
		agrees(t, "int64 "+what, n, false, func() any { return Convert[int64](1, alts, x) })
		agrees(t, "uint16 "+what, n, false, func() any { return Convert[uint16](1, alts, x) })
		agrees(t, "int32 of uint8 "+what, n, false, func() any { return Convert[int32](1, alts, uint8(x)) })
	}
}

func TestTracingAgreesWithTheMutantsOfLookups(t *testing.T) {
	m := map[string]int{"a": 1}
	for _, k := range []string{"a", "b"} {
		agrees(t, "key "+k, 1, false, func() any {
			v, ok := Map[bool](1, m).At(k)
			return [2]any{v, ok}
		})
	}
	for _, x := range []any{nil, 1, "text"} {
		agrees(t, fmt.Sprintf("assertion of %v", x), 1, false, func() any {
			v, ok := Assert[bool, int](1, x)
			return [2]any{v, ok}
		})
	}
	closed, open := make(chan int), make(chan int, 4)
	close(closed)
	for range cap(open) {
		open <- 5
	}
	for _, c := range []chan int{closed, open} {
		agrees(t, "channel", 1, false, func() any {
			v, ok := Receive[bool](1, c)
			return [2]any{v, ok}
		})
	}
}

func TestTracingAgreesWithTheOtherMutants(t *testing.T) {
	agrees(t, "statement left out", 1, false, func() any { return Do(1) })
	agrees(t, "statement put in", 1, false, func() any { return On(1) })
	agrees(t, "constant", 1, false, func() any { return Lit1(1, 'a', 'b') })
	agrees(t, "alternatives", 3, false, func() any { return AltInt(1, 5, 4, 5, 6) })
	agrees(t, "another value", 1, false, func() any { return New(1, 5, func() int { return 6 }) })
	agrees(t, "an equal value", 1, false, func() any { return Gives(1, 5, 4) })
	alts, n := packed(codes.Zero, codes.One, codes.MinusOne, codes.OneMore, codes.OneLess, codes.Minus)
	agrees(t, "number", n, false, func() any { return NumUint8(1, alts, 7) })
}

// What tracing and a mutant agree in may still be wrong: both take it from one function.
func TestHelpersComputeWhatTheirCodesSay(t *testing.T) {
	const x, y = int8(-7), int8(2)
	for code, want := range map[uint64]int8{
		codes.Add: -5, codes.Sub: -9, codes.Mul: -14, codes.Quo: -3, codes.Rem: -1, codes.And: 0, codes.Or: -5, codes.Xor: -5, codes.AndNot: -7,
	} {
		if got := ArithI(0, 0, code, x, y); got != want {
			t.Errorf("operator %d of %d and %d gives %d, want %d", code, x, y, got, want)
		}
	}
	for code, want := range map[uint64]float64{codes.Add: -5, codes.Sub: -9, codes.Mul: -14, codes.Quo: -3.5} {
		if got := ArithN(0, 0, code, float64(x), float64(y)); got != want {
			t.Errorf("operator %d of floats gives %v, want %v", code, got, want)
		}
	}
	for code, want := range map[uint64]int8{codes.Left: x, codes.Right: y, codes.Exchanged: 9} {
		if got := otherI(code, codes.Sub, x, y); got != want {
			t.Errorf("alternative %d of %d - %d is %d, want %d", code, x, y, got, want)
		}
		if got := otherN(code, codes.Sub, float64(x), float64(y)); got != float64(want) {
			t.Errorf("alternative %d of floats is %v, want %d", code, got, want)
		}
	}
	for code, want := range map[uint64]int8{codes.Shl: -28, codes.Shr: -2, codes.Left: -7} {
		if got := Shift(0, 0, code, x, y); got != want {
			t.Errorf("shift %d gives %d, want %d", code, got, want)
		}
	}
	for code, want := range map[uint64]string{codes.Left: "a", codes.Right: "b", codes.Exchanged: "ba"} {
		if got := joined(code, "a", "b"); got != want {
			t.Errorf("alternative %d of a + b is %q, want %q", code, got, want)
		}
	}
	for code, want := range map[uint64][3]bool{ // of 1 and 2, 2 and 2, 3 and 2
		codes.Less: {true, false, false}, codes.LessEqual: {true, true, false}, codes.Greater: {false, false, true},
		codes.GreaterEqual: {false, true, true}, codes.Equal: {false, true, false}, codes.NotEqual: {true, false, true},
		codes.AlwaysTrue: {true, true, true}, codes.AlwaysFalse: {},
	} {
		if got := [3]bool{compare(code, 1, 2), compare(code, 2, 2), compare(code, 3, 2)}; got != want {
			t.Errorf("comparison %d gives %v, want %v", code, got, want)
		}
	}
	const wide = int64(-1)<<40 | 0x1_8000_8080
	for code, want := range map[uint64]int64{
		codes.Int8: -128, codes.Int16: -0x7f80, codes.Int32: -0x7fff7f80, codes.Int64: wide,
		codes.Uint8: 0x80, codes.Uint16: 0x8080, codes.Uint32: 0x80008080, codes.Uint64: wide,
	} {
		if got := by[int64](code, wide); got != want {
			t.Errorf("%#x by type %d is %#x, want %#x", wide, code, got, want)
		}
	}
}
