package fuzzmutrt

import (
	"math"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// traced runs f while tracing and returns which of the mutants 1 to 8 it reached
// and infected, as bits.
func traced(t *testing.T, f func()) (reached, infected uint64) {
	t.Helper()
	Reached, Infected, Tracing = make([]uint64, 1), make([]uint64, 1), true
	defer func() { Reached, Infected, Tracing = nil, nil, false }()
	func() {
		defer func() { _ = recover() }()
		f()
	}()
	return Reached[0] >> 1, Infected[0] >> 1
}

func TestTracingTellsReachedFromInfected(t *testing.T) {
	const subMulQuoRem = 0x5432 // alternatives of +
	cases := []struct {
		name              string
		f                 func()
		reached, infected uint64
	}{
		{"2+2 is 2*2", func() { ArithI(1, subMulQuoRem, codes.Add, 2, 2) }, 0b1111, 0b1101},
		{"division by zero would panic", func() { ArithI(1, subMulQuoRem, codes.Add, 0, 0) }, 0b1111, 0b1100},
		{"the original panics", func() { ArithI(1, 0x3, codes.Quo, 1, 0) }, 0b1, 0b1},
		{"floats don't panic", func() { ArithN(1, 0x432, codes.Add, 0.0, 0.0) }, 0b111, 0b100},
		{"boundary", func() { Cmp(1, 0x42, codes.Less, 1, 2) }, 0b11, 0b10},
		{"boundary hit", func() { Cmp(1, 0x42, codes.Less, 2, 2) }, 0b11, 0b11},
		{"NaN", func() { Cmp(1, 0x4, codes.Less, math.NaN(), 1) }, 0b1, 0},
		{"forced", func() { Bool(1, 0x321, true) }, 0b111, 0b101},
		{"operands", func() { ArithI(1, 0xedc, codes.Sub, 4, 2) }, 0b111, 0b101},
		{"operands of a sum with 0", func() { ArithN(1, 0xdc, codes.Add, 4.0, 0) }, 0b11, 0b10},
		{"exchanged, would panic", func() { ArithI(1, 0xe, codes.Quo, 0, 4) }, 0b1, 0b1},
		{"joined strings", func() { Concat(1, 0xedc, "", "x") }, 0b111, 0b001},
		{"joined strings, exchanged", func() { ConcatString(1, 0xe, "a", "b") }, 0b1, 0b1},
		{"forced comparison", func() { CmpInt(1, 0x87, codes.Less, 1, 2) }, 0b11, 0b10},
		{"complement", func() { Complement(1, 3) }, 0b1, 0b1},
		{"shift left out", func() { Shift(1, 0xcb, codes.Shl, 0, 3) }, 0b11, 0},
		{"shift by nothing", func() { Shift(1, 0xb, codes.Shl, 3, 0) }, 0b1, 0},
		{"shift that panics", func() { Shift(1, 0xb, codes.Shl, 3, -1) }, 0b1, 0b1},
		{"minus zero", func() { Neg(1, 0) }, 0b1, 0},
		{"zero result", func() { Ret(1, struct{ a, b int }{}) }, 0b1, 0},
		{"other result", func() { Ret(1, "x") }, 0b1, 0b1},
		{"alternatives", func() { Alt(1, 1, 0, 1, 2) }, 0b111, 0b101},
		{"interface", func() { Alt[any](1, "x", nil) }, 0b1, 0b1},
		{"same variable", func() { Gives(1, []int(nil), nil) }, 0b1, 0},
		{"other variable", func() { Gives(1, []int{}, nil) }, 0b1, 0b1},
		{"no panic to recover", func() { var p any; Kept(Recovers(1) && Keep(1, &p, recover()), &p) }, 0b1, 0},
		{"a panic to recover", func() { var p any; Kept(Recovers(1) && Keep(1, &p, "panic"), &p) }, 0b1, 0b1},
		{"guard that holds", func() { _ = Guards(1) && Guard(1, true) }, 0b1, 0b1},
		{"guard that does not hold", func() { _ = Guards(1) && Guard(1, false) }, 0b1, 0},
		{"a pointer that is nil", func() { _ = Present[int](1, nil) }, 0b1, 0b1},
		{"a pointer that is not", func() { _ = Present(1, new(int)) }, 0b1, 0},
		{"constant", func() { Num(1, 0x521, 5) }, 0b111, 0b111},
		{"statement", func() { Do(1) }, 0b1, 0b1},
		{"left decides", func() { Left(1, 0, false) }, 0b1, 0b1},
		{"left leaves open, right does not differ", func() { Right(1, 0, Left(1, 0, true)) }, 0b1, 0},
		{"left leaves open, right panics", func() { Left(1, 0, true) }, 0b1, 0b1},
		{"left decides before", func() { Left(1, 0, false); Right(1, 0, Left(1, 0, true)) }, 0b1, 0b1},
		{"right panics before", func() { Left(1, 0, true); Right(1, 0, Left(1, 0, true)) }, 0b1, 0b1},
		{"loop without a round", func() { Enter(1); Ended(1) }, 0b1, 0},
		{"loop with a round", func() { Enter(1); Began(1); Ended(1) }, 0b1, 0b1},
		{"loop whose operand panics", func() { Enter(1) }, 0b1, 0b1},
		{"loop whose operand has panicked", func() { Enter(1); Enter(1); Ended(1) }, 0b1, 0b1},
		{"one round", func() { Again(1, Rounds(1)); Leave(1); Ended(1) }, 0b1, 0},
		{"two rounds", func() { Leave(1); Again(1, Again(1, Rounds(1))); Ended(1) }, 0b1, 0b1},
		{"panic before a second round", func() { Again(1, Rounds(1)); Leave(1) }, 0b1, 0b1},
		{"panic once before a second round", func() { Leave(1); Rounds(1); Ended(1) }, 0b1, 0b1},
		{"zero result, not evaluated", func() { Ahead(1); Ret(1, 0) }, 0b1, 0},
		{"result that panics", func() { Ahead(1) }, 0b1, 0b1},
		{"sign of zero", func() { ArithN(1, 0x2, codes.Add, math.Copysign(0, -1), 0); Neg(2, 0.0) }, 0b11, 0b11},
		{"least of zeros", func() { Min(1, 0, math.Copysign(0, -1)) }, 0b1, 0b1},
		{"right has effects", func() { Left(1, 2, true) }, 0b1, 0b1},
		{"right differs", func() { Right(1, 0, false) }, 0b1, 0b1},
		{"first of two", func() { Index(1, 0x21, 0, 2) }, 0b11, 0b01},
		{"last of two", func() { Index(1, 0x21, uint8(1), 2) }, 0b11, 0b10},
		{"only element", func() { Index(1, 0x21, 0, 1) }, 0b11, 0},
		{"index out of range", func() { At(1, 0x21, []int{1, 2}, 2) }, 0b11, 0b10},
		{"bound at the end", func() { Bound(1, 0x321, 3, 3) }, 0b111, 0b011},
		{"bound of a small type", func() { Bound(1, 0x321, uint8(0), 3) }, 0b111, 0b111},
		{"no elements", func() { Elems(1, []int{}) }, 0b1, 0},
		{"some elements", func() { Elems(1, []int{0}) }, 0b1, 0b1},
		{"empty string", func() { Chars(1, "x"[:0]) }, 0b1, 0},
		{"equal operands", func() { Min(1, 2, 2, 2) }, 0b1, 0},
		{"maximum", func() { Max(1, "a", "b") }, 0b1, 0b1},
		{"small byte", func() { Convert[int](1, 0x1, uint8(127)) }, 0b1, 0},
		{"byte with a sign", func() { Convert[int](1, 0x1, uint8(128)) }, 0b1, 0b1},
		{"two bytes as one", func() { Convert[uint32](1, 0x5, 256) }, 0b1, 0b1},
		{"missing key", func() { Map[bool](1, map[string]int{}).At("k") }, 0b1, 0b1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			reached, infected := traced(t, c.f)
			if reached != c.reached || infected != c.infected {
				t.Errorf("reached %b, infected %b; want %b, %b", reached, infected, c.reached, c.infected)
			}
		})
	}
}

func TestOnlyTheActiveAlternativeChangesTheValue(t *testing.T) {
	defer func() { Active = 0 }()
	want := []int{9, 5, 14, 3, 1, 9} // 7+2, then - * / %, then a neighbor's mutant
	for i, w := range want {
		Active = uint32(i)
		if got := ArithI(1, 0x5432, codes.Add, 7, 2); got != w {
			t.Errorf("active %d: 7+2 gives %d, want %d", Active, got, w)
		}
	}
	Active = 3
	if got := Alt(1, "v", "a", "b", "c", "d", "e"); got != "c" {
		t.Errorf("third alternative is %q, want c", got)
	}
	Active = 0
	if got := Alt(1, "v", "a", "b", "c", "d", "e"); got != "v" {
		t.Errorf("no mutant gives %q, want v", got)
	}
}

func TestNumbersAreMadeOfTheConstant(t *testing.T) {
	defer func() { Active = 0 }()
	const alts = 0x654321
	for i, w := range []int64{7, 0, 1, -1, 8, 6, -7, 7} {
		Active = uint32(i)
		if got := NumInt64(1, alts, 7); got != w {
			t.Errorf("active %d: 7 becomes %d, want %d", Active, got, w)
		}
	}
}

func TestAndBecomesOrAndStaysLazy(t *testing.T) {
	defer func() { Active = 0 }()
	for _, active := range []uint32{0, 1} {
		for _, a := range []bool{false, true} {
			for _, b := range []bool{false, true} {
				evaluated := false
				right := func() bool { evaluated = true; return b }
				Active = active
				got := Joined(1, Left(1, 0, a) && Right(1, 0, right()))
				want, lazy := a && b, !a
				if active == 1 {
					want, lazy = a || b, a
				}
				if got != want || evaluated == lazy {
					t.Errorf("active %d: %t, %t gives %t, right evaluated %t", active, a, b, got, evaluated)
				}
			}
		}
	}
}

func TestRecordingOutsideTheSetsIsIgnored(t *testing.T) {
	reached, infected := traced(t, func() { Do(500) })
	if reached|infected != 0 {
		t.Errorf("bits %b, %b; want none", reached, infected)
	}
}
