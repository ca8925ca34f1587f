package fuzzmutrt

import (
	"math"
	"testing"
)

type (
	small  int8
	word   uint16
	single float32
	label  string
)

// recorded runs f while recording and returns what it hands over.
func recorded(f func()) (list []Operands) {
	Tracing, Recording = true, true
	OperandsHook = func(o *Operands) { list = append(list, *o) }
	defer func() { Tracing, Recording, OperandsHook = false, false, nil }()
	f()
	return list
}

// described packs what a helper is told of a comparison.
func described(site, kind, constants, op uint64) uint64 {
	return site<<12 | kind<<8 | constants<<4 | op
}

func TestOperandsOfComparisons(t *testing.T) {
	minus := func(n int64) uint64 { return uint64(-n) }
	cases := []struct {
		name string
		f    func()
		want Operands
	}{
		{
			"int", func() { CmpInt(7, 0x42, described(300, Signed, 2, Less), -1, 5) },
			Operands{Site: 300, Op: Less, Held: true, Kind: Signed, Width: 8, YConst: true, X: minus(1), Y: 5, Mutant: 7, Alts: 0x42},
		},
		{
			"byte", func() { CmpUint8(0, 0, described(1, Unsigned, 1, Equal), 0xff, 'a') },
			Operands{Site: 1, Op: Equal, Kind: Unsigned, Width: 1, XConst: true, X: 0xff, Y: 'a'},
		},
		{
			"named", func() { Cmp(0, 0, described(1, Signed, 0, NotEqual), small(-2), 3) },
			Operands{Site: 1, Op: NotEqual, Held: true, Kind: Signed, Width: 1, X: minus(2), Y: 3},
		},
		{
			"string", func() { CmpString(0, 0, described(1, Text, 2, GreaterEqual), "b", "ab") },
			Operands{Site: 1, Op: GreaterEqual, Held: true, Kind: Text, YConst: true, XText: "b", YText: "ab"},
		},
		{
			"float", func() { Cmp(0, 0, described(1, Float, 0, Greater), 1.5, math.Inf(1)) },
			Operands{Site: 1, Op: Greater, Kind: Float, Width: 8, X: math.Float64bits(1.5), Y: math.Float64bits(math.Inf(1))},
		},
		{
			"single precision", func() { Cmp(0, 0, described(1, Float, 0, LessEqual), single(1.5), 2) },
			Operands{Site: 1, Op: LessEqual, Held: true, Kind: Float, Width: 4, X: math.Float64bits(1.5), Y: math.Float64bits(2)},
		},
		{
			"unknown kind, signed", func() { Cmp(0, 0, described(1, 0, 0, Equal), small(-2), -2) },
			Operands{Site: 1, Op: Equal, Held: true, Kind: Signed, Width: 1, X: minus(2), Y: minus(2)},
		},
		{
			"unknown kind, unsigned", func() { Cmp(0, 0, described(1, 0, 0, Equal), word(0xfffe), 2) },
			Operands{Site: 1, Op: Equal, Kind: Unsigned, Width: 2, X: 0xfffe, Y: 2},
		},
		{
			"unknown kind, float", func() { Cmp(0, 0, described(1, 0, 0, Equal), single(1.5), 2) },
			Operands{Site: 1, Op: Equal, Kind: Float, Width: 4, X: math.Float64bits(1.5), Y: math.Float64bits(2)},
		},
		{
			"unknown kind, text", func() { Cmp(0, 0, described(1, 0, 0, Equal), label("a"), "b") },
			Operands{Site: 1, Op: Equal, Kind: Text, XText: "a", YText: "b"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := recorded(c.f); len(got) != 1 || got[0] != c.want {
				t.Errorf("recorded %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestNothingIsRecordedUnlessTracing(t *testing.T) {
	compare := func() { CmpInt(0, 0, described(1, Signed, 0, Less), 1, 2) }
	got := recorded(func() {
		Tracing = false
		compare()
		Tracing, Recording = true, false
		compare()
	})
	if len(got) != 0 {
		t.Errorf("recorded %+v, want nothing", got)
	}
}

func TestHookMayEndRecordingAndIsNotTraced(t *testing.T) {
	n := 0
	Reached = make([]uint64, 1)
	recorded(func() {
		OperandsHook = func(*Operands) {
			n++
			Recording = n < 2
			CmpInt(9, 0x2, described(1, Signed, 0, Less), 1, 2) // the hook's own
		}
		for range 5 {
			CmpInt(1, 0x2, described(1, Signed, 0, Less), 1, 2)
		}
	})
	if n != 2 || Reached[0] != 1<<1 {
		t.Errorf("hook called %d times, mutants %b reached; want 2, %b", n, Reached[0], 1<<1)
	}
	Reached = nil
}

// What a comparison gets may live on the stack, recorded or not.
func TestRecordingDoesNotAllocate(t *testing.T) {
	OperandsHook = func(o *Operands) { _ = o.XText }
	Tracing, Recording = true, true
	defer func() { Tracing, Recording, OperandsHook = false, false, nil }()
	text := []byte("text")
	allocs := testing.AllocsPerRun(100, func() {
		CmpString(0, 0, described(1, Text, 0, Equal), string(text), "text")
		Cmp(0, 0, described(1, Float, 0, Less), 1.5, 2)
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}
