package fuzzmutrt

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// edges are the values of an integer type at which operators do something else.
func edges[T Integers]() []T {
	var zero T
	bits := reflect.TypeFor[T]().Bits()
	most := ^zero
	if most < zero {
		most = T(uint64(1)<<(bits-1) - 1)
	}
	return []T{0, 1, 2, 3, most / 2, most - 1, most, ^most, ^most + 1, zero - 2}
}

// exact is a value as a number without bounds.
func exact[T Integers](v T) *big.Int {
	if v < 0 {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(uint64(v))
}

// wrapped is what is left of a number in a type.
func wrapped[T Integers](n *big.Int) T {
	low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	return T(low.Uint64())
}

// result is what an operator gives: a value, or a panic.
func result[T any](f func() T) (text string) {
	defer func() {
		if recover() != nil {
			text = "panic"
		}
	}()
	return fmt.Sprint(f())
}

// computed is the result of an operator or an alternative to it, by numbers without
// bounds.
func computed[T Integers](code, op uint64, x, y T) string {
	a, b, c := exact(x), exact(y), new(big.Int)
	switch code {
	case codes.Left:
		return fmt.Sprint(x)
	case codes.Right:
		return fmt.Sprint(y)
	case codes.Exchanged:
		return computed(op, 0, y, x)
	case codes.Add:
		c.Add(a, b)
	case codes.Sub:
		c.Sub(a, b)
	case codes.Mul:
		c.Mul(a, b)
	case codes.Quo, codes.Rem:
		if y == 0 {
			return "panic"
		}
		if c.Quo(a, b); code == codes.Rem {
			c.Rem(a, b)
		}
	case codes.And:
		c.And(a, b)
	case codes.Or:
		c.Or(a, b)
	case codes.Xor:
		c.Xor(a, b)
	case codes.AndNot:
		c.AndNot(a, b)
	case codes.Shl, codes.Shr:
		if y < 0 {
			return "panic"
		}
		if c.Lsh(a, uint(y)); code == codes.Shr {
			c.Rsh(a, uint(y))
		}
	default:
		return fmt.Sprintf("no code %d", code)
	}
	return fmt.Sprint(wrapped[T](c))
}

func arithmeticOf[T Integers](t *testing.T) {
	defer func() { Active = 0 }()
	list := slices.Concat(arithmetic, []uint64{codes.Left, codes.Right, codes.Exchanged})
	alts, _ := packed(list...)
	for _, x := range edges[T]() {
		for _, y := range edges[T]() {
			for _, op := range arithmetic {
				for i, code := range slices.Concat([]uint64{op}, list) {
					Active = uint32(i)
					got := result(func() T { return ArithI(1, alts, op, x, y) })
					if want := computed(code, op, x, y); got != want {
						t.Errorf("%T: %d op%d %d, made %d, is %s, want %s", x, x, op, y, code, got, want)
					}
				}
			}
		}
	}
}

func shiftsOf[T Integers](t *testing.T) {
	defer func() { Active = 0 }()
	bits := reflect.TypeFor[T]().Bits()
	alts, _ := packed(codes.Shl, codes.Shr, codes.Left)
	for _, x := range edges[T]() {
		for _, n := range []int{-1, 0, 1, bits - 1, bits, bits + 1, 100} {
			for _, op := range []uint64{codes.Shl, codes.Shr} {
				for i, code := range []uint64{op, codes.Shl, codes.Shr, codes.Left} {
					Active = uint32(i)
					want := fmt.Sprint(x)
					if code != codes.Left && n < 0 {
						want = "panic"
					} else if code != codes.Left {
						c := exact(x)
						if want = fmt.Sprint(wrapped[T](new(big.Int).Lsh(c, uint(n)))); code == codes.Shr {
							want = fmt.Sprint(wrapped[T](new(big.Int).Rsh(c, uint(n))))
						}
					}
					if got := result(func() T { return Shift(1, alts, op, x, n) }); got != want {
						t.Errorf("%T: %d shift%d %d, made %d, is %s, want %s", x, x, op, n, code, got, want)
					}
					if got := result(func() T { return Shift(1, alts, op, x, uint8(n)) }); n >= 0 && got != want {
						t.Errorf("%T: %d shift%d uint8(%d), made %d, is %s, want %s", x, x, op, n, code, got, want)
					}
				}
			}
		}
	}
}

// one checks the helpers of one operand.
func oneOperandOf[T Integers](t *testing.T) {
	defer func() { Active = 0 }()
	alts, _ := packed(codes.Zero, codes.One, codes.MinusOne, codes.OneMore, codes.OneLess, codes.Minus)
	unit := big.NewInt(1)
	for _, x := range edges[T]() {
		n := exact(x)
		up, down := new(big.Int).Add(n, unit), new(big.Int).Sub(n, unit)
		minus, complement := new(big.Int).Neg(n), new(big.Int).Not(n)
		for _, c := range []struct {
			name string
			f    func() T
			want []*big.Int // of the original and its mutants
		}{
			{"++", func() T { return Inc(1, codes.Add, x) }, []*big.Int{up, down}},
			{"--", func() T { return Inc(1, codes.Sub, x) }, []*big.Int{down, up}},
			{"-", func() T { return Neg(1, x) }, []*big.Int{minus, n}},
			{"^", func() T { return Complement(1, x) }, []*big.Int{complement, n}},
			{"constant", func() T { return Num(1, alts, x) }, []*big.Int{n, {}, unit, big.NewInt(-1), up, down, minus}},
			{"result", func() T { return Ret(1, x) }, []*big.Int{n, {}}},
		} {
			for i, want := range c.want {
				Active = uint32(i)
				if got := c.f(); got != wrapped[T](want) {
					t.Errorf("%T: %s of %d with mutant %d is %d, want %d", x, c.name, x, i, got, wrapped[T](want))
				}
			}
		}
	}
}

// Every helper of arithmetic is the operator that its code names, for every type of
// integers, on the edges of the type. Numbers without bounds say what is right.
func TestIntegersAreComputedAsGoComputesThem(t *testing.T) {
	for name, f := range map[string][]func(t *testing.T){
		"int":     {arithmeticOf[int], shiftsOf[int], oneOperandOf[int]},
		"int8":    {arithmeticOf[int8], shiftsOf[int8], oneOperandOf[int8]},
		"int16":   {arithmeticOf[int16], shiftsOf[int16], oneOperandOf[int16]},
		"int32":   {arithmeticOf[int32], shiftsOf[int32], oneOperandOf[int32]},
		"int64":   {arithmeticOf[int64], shiftsOf[int64], oneOperandOf[int64]},
		"uint":    {arithmeticOf[uint], shiftsOf[uint], oneOperandOf[uint]},
		"uint8":   {arithmeticOf[uint8], shiftsOf[uint8], oneOperandOf[uint8]},
		"uint16":  {arithmeticOf[uint16], shiftsOf[uint16], oneOperandOf[uint16]},
		"uint32":  {arithmeticOf[uint32], shiftsOf[uint32], oneOperandOf[uint32]},
		"uint64":  {arithmeticOf[uint64], shiftsOf[uint64], oneOperandOf[uint64]},
		"uintptr": {arithmeticOf[uintptr], shiftsOf[uintptr], oneOperandOf[uintptr]},
		"own":     {arithmeticOf[small], shiftsOf[word], oneOperandOf[small]},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range f {
				f(t)
			}
		})
	}
}

func TestConversionsTakeTheWayTheirCodeSays(t *testing.T) {
	defer func() { Active = 0 }()
	through := []struct {
		code   uint64
		bits   int
		signed bool
	}{
		{codes.Int8, 8, true},
		{codes.Int16, 16, true},
		{codes.Int32, 32, true},
		{codes.Int64, 64, true},
		{codes.Uint8, 8, false},
		{codes.Uint16, 16, false},
		{codes.Uint32, 32, false},
		{codes.Uint64, 64, false},
	}
	for _, way := range through {
		for _, x := range edges[int64]() {
			n := new(big.Int).And(exact(x), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(way.bits)), big.NewInt(1)))
			if way.signed && n.Bit(way.bits-1) == 1 {
				n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(way.bits)))
			}
			Active = 1
			if got := Convert[uint64](1, way.code, x); got != wrapped[uint64](n) {
				t.Errorf("uint64 of %d by code %d is %d, want %d", x, way.code, got, wrapped[uint64](n))
			}
			if got := Convert[int16](1, way.code, x); got != wrapped[int16](n) {
				t.Errorf("int16 of %d by code %d is %d, want %d", x, way.code, got, wrapped[int16](n))
			}
			if Active = 2; Convert[int16](1, way.code, x) != int16(x) {
				t.Errorf("int16 of %d is not the original's with another mutant", x)
			}
		}
	}
}

func TestFloatsAreComputedAsGoComputesThem(t *testing.T) {
	defer func() { Active = 0 }()
	values := []float64{0, math.Copysign(0, -1), 1, -2.5, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.NaN()}
	list := []uint64{codes.Add, codes.Sub, codes.Mul, codes.Quo, codes.Left, codes.Right, codes.Exchanged}
	alts, _ := packed(list...)
	for _, x := range values {
		for _, y := range values {
			values := map[uint64]float64{codes.Add: x + y, codes.Sub: x - y, codes.Mul: x * y, codes.Quo: x / y, codes.Left: x, codes.Right: y}
			exchanged := map[uint64]float64{codes.Add: y + x, codes.Sub: y - x, codes.Mul: y * x, codes.Quo: y / x}
			for _, op := range list[:4] {
				values[codes.Exchanged] = exchanged[op]
				for i, code := range slices.Concat([]uint64{op}, list) {
					Active = uint32(i)
					got := ArithN(1, alts, op, x, y)
					if math.Float64bits(got) != math.Float64bits(values[code]) && !(got != got && values[code] != values[code]) {
						t.Errorf("%v op%d %v, made %d, is %v, want %v", x, op, y, code, got, values[code])
					}
				}
			}
		}
	}
	Active = 0
	if got := ArithN(1, 0, codes.Mul, 2+1i, 3i); got != -3+6i {
		t.Errorf("complex product: %v", got)
	}
}

func TestComparisonsAreComputedAsGoComputesThem(t *testing.T) {
	defer func() { Active = 0 }()
	list := []uint64{codes.Less, codes.LessEqual, codes.Greater, codes.GreaterEqual, codes.Equal, codes.NotEqual, codes.AlwaysTrue, codes.AlwaysFalse}
	alts, _ := packed(list...)
	values := []float64{math.Inf(-1), -1, math.Copysign(0, -1), 0, 1, math.NaN()}
	for _, x := range values {
		for _, y := range values {
			want := map[uint64]bool{
				codes.Less: x < y, codes.LessEqual: x <= y, codes.Greater: x > y, codes.GreaterEqual: x >= y,
				codes.Equal: x == y, codes.NotEqual: x != y, codes.AlwaysTrue: true, codes.AlwaysFalse: false,
			}
			for _, op := range list[:6] {
				for i, code := range slices.Concat([]uint64{op}, list) {
					Active = uint32(i)
					if got := Cmp(1, alts, op, x, y); got != want[code] {
						t.Errorf("%v op%d %v, made %d, is %v", x, op, y, code, got)
					}
					if got := CmpAny(1, alts, op, x, y); got != want[code] {
						t.Errorf("%v op%d %v of unknown kind, made %d, is %v", x, op, y, code, got)
					}
				}
			}
		}
	}
}

// alike calls two functions with the same arguments in all states of the core, and
// compares all that shows.
func alike(t *testing.T, name string, concrete, generic any, args ...any) {
	t.Helper()
	defer func() { Active = 0 }()
	call := func(f any) (result any) {
		defer func() {
			if r := recover(); r != nil {
				result = fmt.Sprint(r)
			}
		}()
		values := make([]reflect.Value, len(args))
		for i, a := range args {
			if values[i] = reflect.ValueOf(a); a == nil {
				values[i] = reflect.Zero(reflect.TypeFor[error]())
			}
		}
		return reflect.ValueOf(f).Call(values)[0].Interface()
	}
	for Active = range uint32(9) {
		if got, want := call(concrete), call(generic); got != want {
			t.Errorf("%s%v with mutant %d is %v, the generic one's is %v", name, args, Active, got, want)
		}
	}
	Active = 0
	r1, i1 := traced(t, func() { call(concrete) })
	r2, i2 := traced(t, func() { call(generic) })
	if r1 != r2 || i1 != i2 {
		t.Errorf("%s%v traces %b, %b; the generic one %b, %b", name, args, r1, i1, r2, i2)
	}
	if got, want := recorded(func() { call(concrete) }), recorded(func() { call(generic) }); !slices.Equal(got, want) {
		t.Errorf("%s%v records %v, the generic one %v", name, args, got, want)
	}
}

// The helpers with a type in their names are those without.
func TestConcreteHelpersAreTheGenericOnes(t *testing.T) {
	comparison := func(kind uint64) uint64 { return described(3, kind, 0, codes.Less) }
	cmp, _ := packed(codes.LessEqual, codes.Greater, codes.AlwaysTrue)
	arith, _ := packed(codes.Sub, codes.Quo, codes.Left, codes.Exchanged)
	num, _ := packed(codes.Zero, codes.OneMore, codes.Minus)
	moves, _ := packed(codes.Up, codes.Down, codes.Away)
	labels := "\x06\x0e" // 3 and 7
	one := fmt.Errorf("one")
	covered := map[string]bool{}
	for _, c := range []struct {
		name              string
		concrete, generic any
		args              [][]any
	}{
		{"CmpInt", CmpInt, Cmp[int], [][]any{{uint32(1), cmp, comparison(codes.Signed), -1, 2}, {uint32(1), cmp, comparison(codes.Signed), 2, 2}}},
		{"CmpInt32", CmpInt32, Cmp[int32], [][]any{{uint32(1), cmp, comparison(codes.Signed), int32(-1), int32(2)}, {uint32(1), cmp, comparison(codes.Signed), int32(2), int32(2)}}},
		{"CmpInt64", CmpInt64, Cmp[int64], [][]any{{uint32(1), cmp, comparison(codes.Signed), int64(-1), int64(2)}, {uint32(1), cmp, comparison(codes.Signed), int64(2), int64(2)}}},
		{"CmpUint8", CmpUint8, Cmp[uint8], [][]any{{uint32(1), cmp, comparison(codes.Unsigned), uint8(200), uint8(2)}, {uint32(1), cmp, comparison(codes.Unsigned), uint8(1), uint8(2)}}},
		{"CmpUint32", CmpUint32, Cmp[uint32], [][]any{{uint32(1), cmp, comparison(codes.Unsigned), uint32(200), uint32(2)}, {uint32(1), cmp, comparison(codes.Unsigned), uint32(1), uint32(2)}}},
		{"CmpUint64", CmpUint64, Cmp[uint64], [][]any{{uint32(1), cmp, comparison(codes.Unsigned), uint64(200), uint64(2)}, {uint32(1), cmp, comparison(codes.Unsigned), uint64(1), uint64(2)}}},
		{"CmpString", CmpString, Cmp[string], [][]any{{uint32(1), cmp, comparison(codes.Text), "a", "b"}, {uint32(1), cmp, comparison(codes.Text), "b", "a"}}},
		{"ArithIInt", ArithIInt, ArithI[int], [][]any{{uint32(1), arith, uint64(codes.Add), 7, 2}, {uint32(1), arith, uint64(codes.Rem), 7, 0}}},
		{"ArithIInt32", ArithIInt32, ArithI[int32], [][]any{{uint32(1), arith, uint64(codes.Add), int32(7), int32(2)}, {uint32(1), arith, uint64(codes.Rem), int32(7), int32(0)}}},
		{"ArithIInt64", ArithIInt64, ArithI[int64], [][]any{{uint32(1), arith, uint64(codes.Add), int64(7), int64(2)}, {uint32(1), arith, uint64(codes.Rem), int64(7), int64(0)}}},
		{"ArithIUint8", ArithIUint8, ArithI[uint8], [][]any{{uint32(1), arith, uint64(codes.Add), uint8(7), uint8(250)}, {uint32(1), arith, uint64(codes.Rem), uint8(7), uint8(0)}}},
		{"ArithIUint32", ArithIUint32, ArithI[uint32], [][]any{{uint32(1), arith, uint64(codes.Add), uint32(7), uint32(2)}, {uint32(1), arith, uint64(codes.Rem), uint32(7), uint32(0)}}},
		{"ArithIUint64", ArithIUint64, ArithI[uint64], [][]any{{uint32(1), arith, uint64(codes.Add), uint64(7), uint64(2)}, {uint32(1), arith, uint64(codes.Rem), uint64(7), uint64(0)}}},
		{"IncInt", IncInt, Inc[int], [][]any{{uint32(1), uint64(codes.Add), 7}, {uint32(1), uint64(codes.Sub), 7}}},
		{"IncInt32", IncInt32, Inc[int32], [][]any{{uint32(1), uint64(codes.Add), int32(7)}, {uint32(1), uint64(codes.Sub), int32(7)}}},
		{"IncInt64", IncInt64, Inc[int64], [][]any{{uint32(1), uint64(codes.Add), int64(7)}, {uint32(1), uint64(codes.Sub), int64(7)}}},
		{"IncUint8", IncUint8, Inc[uint8], [][]any{{uint32(1), uint64(codes.Add), uint8(255)}, {uint32(1), uint64(codes.Sub), uint8(0)}}},
		{"IncUint32", IncUint32, Inc[uint32], [][]any{{uint32(1), uint64(codes.Add), uint32(7)}, {uint32(1), uint64(codes.Sub), uint32(0)}}},
		{"IncUint64", IncUint64, Inc[uint64], [][]any{{uint32(1), uint64(codes.Add), uint64(7)}, {uint32(1), uint64(codes.Sub), uint64(0)}}},
		{"NumInt", NumInt, Num[int], [][]any{{uint32(1), num, 7}}},
		{"NumInt32", NumInt32, Num[int32], [][]any{{uint32(1), num, int32(7)}}},
		{"NumInt64", NumInt64, Num[int64], [][]any{{uint32(1), num, int64(7)}}},
		{"NumUint8", NumUint8, Num[uint8], [][]any{{uint32(1), num, uint8(255)}}},
		{"NumUint32", NumUint32, Num[uint32], [][]any{{uint32(1), num, uint32(7)}}},
		{"NumUint64", NumUint64, Num[uint64], [][]any{{uint32(1), num, uint64(7)}}},
		{"ConcatString", ConcatString, Concat[string], [][]any{{uint32(1), uint64(0xedc), "a", "b"}, {uint32(1), uint64(0xedc), "", "b"}}},
		{"Lit1String", Lit1String, Lit1[string], [][]any{{uint32(1), "a", "b"}}},
		{"RetInt", RetInt, Ret[int], [][]any{{uint32(1), 7}, {uint32(1), 0}}},
		{"RetString", RetString, Ret[string], [][]any{{uint32(1), "a"}, {uint32(1), ""}}},
		{"RetError", RetError, Ret[error], [][]any{{uint32(1), one}, {uint32(1), nil}}},
		{"AltInt", AltInt, Alt[int], [][]any{{uint32(1), 7, 8, 7, 9}, {uint32(1), 7}}},
		{"AltError", AltError, Alt[error], [][]any{{uint32(1), one, nil, one}}},
		{"IndexInt", IndexInt, Index[int], [][]any{{uint32(1), moves, 1, 3}, {uint32(1), moves, 2, 3}}},
		{"IndexUint8", IndexUint8, Index[uint8], [][]any{{uint32(1), moves, uint8(1), 3}, {uint32(1), moves, uint8(0), 1}}},
		{"BoundInt", BoundInt, Bound[int], [][]any{{uint32(1), moves, 1, 3}, {uint32(1), moves, 3, 3}}},
		{"TagInt", TagInt, Tag[int], [][]any{{comparison(codes.Signed), labels, 7}, {comparison(codes.Signed), labels, 3}}},
		{"TagInt32", TagInt32, Tag[int32], [][]any{{comparison(codes.Signed), labels, int32(7)}}},
		{"TagUint8", TagUint8, Tag[uint8], [][]any{{comparison(codes.Unsigned), labels, uint8(7)}}},
		{"TagString", TagString, Tag[string], [][]any{{comparison(codes.Text), "\x01a\x02bc", "bc"}}},
	} {
		covered[c.name] = true
		for _, args := range c.args {
			alike(t, c.name, c.concrete, c.generic, args...)
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), "concrete.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && !covered[d.Name.Name] {
			t.Errorf("%s is in no row", d.Name.Name)
		}
	}
}
