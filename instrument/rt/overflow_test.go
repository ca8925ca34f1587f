package fuzzmutrt

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// integer is a Wide as package math/big has it.
func (w Wide) integer() *big.Int {
	n := new(big.Int).Lsh(new(big.Int).SetInt64(int64(w.Hi)), 64)
	return n.Add(n, new(big.Int).SetUint64(w.Lo))
}

// fits is a Wide of a number, or the end of the range beyond which it is.
func fits(n *big.Int) Wide {
	most := new(big.Int).Lsh(big.NewInt(1), 127)
	if n.CmpAbs(most) >= 0 || n.Cmp(new(big.Int).Sub(most, big.NewInt(1))) == 0 {
		return end(n.Sign() < 0)
	}
	lo := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	hi := new(big.Int).Rsh(n, 64)
	return Wide{uint64(hi.Int64()), lo.Uint64()}
}

// Arithmetic on 128 bits is that of package math/big, as long as it fits.
func TestWideArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() Wide {
		w := Wide{0, r.Uint64() >> r.IntN(64)}
		if r.IntN(4) == 0 {
			w.Hi = r.Uint64() >> (1 + r.IntN(63))
		}
		return w.signed(r.IntN(2) == 0)
	}
	for range 200_000 {
		a, b, n := number(), number(), uint64(r.IntN(70))
		x, y := a.integer(), b.integer()
		for name, c := range map[string]struct {
			got  Wide
			want *big.Int
		}{
			"add": {a.add(b), new(big.Int).Add(x, y)},
			"neg": {a.neg(), new(big.Int).Neg(x)},
			"mul": {a.mul(b), new(big.Int).Mul(x, y)},
			"shl": {a.shl(n), new(big.Int).Lsh(x, uint(n))},
			"shr": {a.shr(n), new(big.Int).Rsh(x, uint(n))},
		} {
			if c.got != fits(c.want) {
				t.Fatalf("%s of %v and %v: %v, not %v", name, x, y, c.got, c.want)
			}
		}
		if y.Sign() != 0 && a.quo(b) != fits(new(big.Int).Quo(x, y)) {
			t.Fatalf("%v / %v: %v", x, y, a.quo(b))
		}
		if a.less(b) != (x.Cmp(y) < 0) || a.String() != x.String() {
			t.Fatalf("%v < %v: %v; %s", x, y, a.less(b), a)
		}
	}
	for f, want := range map[float64]string{
		0: "0", -2.9: "-2", 1e19: "10000000000000000000", -1e30: "-1000000000000000019884624838656",
		1e40: "more than 2^127", math.Inf(-1): "less than -2^127", math.NaN(): "less than -2^127",
	} {
		if s := fromFloat(f).String(); s != want {
			t.Errorf("%v: %s, not %s", f, s, want)
		}
	}
}

// A number that lost something is a fault where it is used, not where it lost it.
func TestUsesOfNumbersThatLostSomething(t *testing.T) {
	var b []byte
	for _, c := range []struct {
		name string
		f    func()
		op   string // that lost something; "" for no fault
		use  Use
	}{
		{"a size that wraps", func() { Used(UseMake, WideMul(0, uint32(1<<30), 8)) }, "x * y", UseMake},
		{"a size that does not", func() { Used(UseMake, WideMul(0, uint64(1<<30), 8)) }, "", 0},
		{"a conversion that loses value", func() { Used(UseLength, WideTo[int32](uint64(1<<32+5))) }, "", UseLength},
		{"and one that does not", func() { Used(UseLength, WideTo[int32](uint64(5))) }, "", 0},
		{"it is not used", func() { WideTo[int32](uint64(1 << 32)) }, "", 0},
		{"another number is used", func() { WideTo[int32](uint64(1<<32 + 5)); Used(UseIndex, int32(6)) }, "", 0},
		{"another type is used", func() { WideTo[int32](uint64(1<<32 + 5)); Used(UseIndex, int64(5)) }, "", 0},
		{"what follows from it is used", func() { Used(UseSlice, WideAdd(0, WideTo[int](WideTo[uint16](70000)), 8)) }, "", UseSlice},
		{"two that cancel", func() { Used(UseIndex, WideAdd(0, WideSub(0, uint32(3), 5), 4)) }, "", 0},
		{"back to what it was", func() { Used(UseIndex, WideTo[int64](WideTo[uint64](int64(-1)))) }, "", 0},
		{"a right number that looks alike", func() { WideTo[uint8](257); Used(UseIndex, WideAdd(RightConstant, uint8(0), 1)) }, "", 0},
		{"a digit that is none", func() { Used(UseSlice, Digit(byte('!'), '0')) }, "", 0},
		{"back from a digit", func() { Used(UseSlice, WideAdd(RightConstant, Digit(byte('!'), '0'), '0')) }, "", 0},
		{"too far from a digit", func() { Used(UseSlice, WideAdd(RightConstant, Digit(byte('9'), '0'), 250)) }, "x + y", UseSlice},
		{"rounded up", func() { Used(UseMake, WideQuo(WideAdd(0, uint64(math.MaxUint64), 7), 8)) }, "x + y", UseMake},
		{"rounded up by a shift", func() { Used(UseMake, WideShr(WideAdd(0, uint64(math.MaxUint64), 7), 3)) }, "x + y", UseMake},
		{"the least number by -1", func() { Used(UseIndex, WideQuo(int64(math.MinInt64), -1)) }, "x / y", UseIndex},
		{"minus the least number", func() { Used(UseIndex, WideNeg(int8(-128))) }, "-x", UseIndex},
		{"bits that fall out", func() { Used(UseCount, WideOr(0, WideShl(uint16(0x100), 8), 1)) }, "x << y", UseCount},
		{"a float that is too large", func() { Used(UseMake, WideFloat[int](1e20)) }, "", UseMake},
		{"a float that is not", func() { Used(UseMake, WideFloat[int](1e3)) }, "", 0},
		{"a comparison that goes the other way", func() { Bounds(0, IsMore, WideAdd(0, math.MaxInt, 1), len(b)) }, "x + y", UseBound},
		{"one that does not", func() { Bounds(0, IsMore, WideAdd(0, uint8(255), 201), 100) }, "", 0},
		{"the sign is looked at later", func() { n := WideAdd(0, math.MaxInt, 1); Bounds(0, IsMore, n, len(b)); Signs(IsLess, n, 0) }, "", 0},
		{"the sign is looked at, and shows nothing", func() { n := WideTo[int32](uint64(1<<32 + 5)); Signs(IsLess, n, 0); Used(UseSlice, n) }, "", UseSlice},
		{"the code looks for it", func() { n := WideAdd(0, uint8(200), 100); Bounds(0, IsLess|Settles, n, 200); Used(UseIndex, n) }, "", 0},
	} {
		for _, on := range []bool{false, true} {
			BeginWidening(on)
			c.f()
			o := EndWidening()
			if !on {
				if o != nil {
					t.Errorf("%s: %+v without being watched", c.name, o)
				}
				continue
			}
			if faulty := c.op != "" || c.use != 0; (o != nil) != faulty || o != nil && (o.Lost.Op != c.op || o.Use != c.use) {
				t.Errorf("%s: %+v", c.name, o)
			}
			BeginWidening(true)
			if o := EndWidening(); o != nil {
				t.Errorf("%s: %+v is known in the next execution", c.name, o)
			}
		}
	}
}

// Watched or not, operations give what they give.
func TestWatchedOperationsGiveTheSame(t *testing.T) {
	defer BeginWidening(false)
	for _, on := range []bool{false, true} {
		BeginWidening(on)
		for x := -128; x < 128; x++ {
			for y := -128; y < 128; y++ {
				a, b := int8(x), int8(y)
				if WideAdd(0, a, b) != a+b || WideSub(0, a, b) != a-b || WideMul(0, a, b) != a*b || WideOr(0, a, b) != a|b || WideNeg(a) != -a ||
					WideTo[uint8](a) != uint8(a) || WideFloat[int16](float64(a)) != int16(a) || Used(UseIndex, a) != a {
					t.Fatalf("%d, %d", a, b)
				}
				if b != 0 && WideQuo(a, b) != a/b || b >= 0 && (WideShl(a, b) != a<<b || WideShr(a, b) != a>>b) {
					t.Fatalf("%d, %d", a, b)
				}
				if Bounds(0, IsLess, a, b) != (a < b) || Bounds(0, IsAtMost, a, b) != (a <= b) || Bounds(0, IsMore|Settles, a, b) != (a > b) || Signs(IsAtLeast, a, b) != (a >= b) {
					t.Fatalf("%d, %d", a, b)
				}
			}
		}
	}
}
