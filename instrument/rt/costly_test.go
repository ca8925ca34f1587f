package fuzzmutrt

import (
	"math/big"
	"strings"
	"testing"
)

func TestPowersBurnFuelForTheirSize(t *testing.T) {
	defer func() { Fuel = noLimit }()
	huge := new(big.Int).Lsh(big.NewInt(1), 80)
	for _, c := range []struct {
		x, y, m *big.Int
		want    int64
	}{
		{big.NewInt(10), big.NewInt(3), nil, 0},
		{big.NewInt(10), big.NewInt(64_000), nil, 4_000 * 64},
		{big.NewInt(10), big.NewInt(640_000), nil, 40_000 * 256},
		{big.NewInt(10), big.NewInt(2147483647), nil, 536_870_911_000},
		{big.NewInt(10), big.NewInt(1<<63 - 1), nil, 1 << 40},
		{big.NewInt(10), huge, nil, 1 << 40},
		{big.NewInt(10), huge, big.NewInt(7), 0},
		{big.NewInt(10), big.NewInt(-5), new(big.Int), 0},
		{big.NewInt(1), huge, nil, 0},
		{new(big.Int), huge, nil, 0},
	} {
		if got := powerFuel(c.x, c.y, c.m); got != c.want && !(c.want > 1<<38 && got > 1<<38) {
			t.Errorf("%v**%v mod %v burns %d, want %d", c.x, c.y, c.m, got, c.want)
		}
	}
	var none *big.Int
	if got := powerFuel(none, none, none); got != 0 {
		t.Errorf("nil burns %d", got)
	}
	Fuel = 1000
	if got := Exp(new(big.Int).Exp, big.NewInt(10), big.NewInt(30), none).String(); got != "1"+"000000000000000000000000000000" || Fuel != 1000-1 {
		t.Errorf("%s, fuel %d", got, Fuel)
	}
}

func TestTextsBurnFuelForTheirLength(t *testing.T) {
	for _, c := range []struct {
		size, n int
		want    int64
	}{{0, 1 << 40, 0}, {1, -1, 0}, {3, 32, 6}, {1, 1 << 31, 1 << 27}, {1 << 30, 1 << 31, 1 << 40}} {
		if got := repeatFuel(c.size, c.n); got != c.want {
			t.Errorf("%d times %d bytes burn %d, want %d", c.n, c.size, got, c.want)
		}
	}
	defer func() { Fuel = noLimit }()
	Fuel = 1000
	if got := Repeat(strings.Repeat, "ab", 16); len(got) != 32 || Fuel != 998 {
		t.Errorf("%q, fuel %d", got, Fuel)
	}
}

func TestAPowerThatIsTooLargeIsNotComputed(t *testing.T) {
	told, ended := doomed(t, false, func() {
		Fuel = 1_000_000
		Exp(func(_, _, _ *big.Int) *big.Int { t.Error("it was computed"); return nil }, big.NewInt(10), big.NewInt(2147483647), nil)
	})
	if len(told) != 1 || ended != (Doomed{Reason: OutOfFuel}) {
		t.Errorf("told %v, %v", told, ended)
	}
}

func TestMemoryBurnsFuelForItsSize(t *testing.T) {
	defer func() { Fuel, Active, DoomHook = noLimit, 0, nil }()
	var doomed Doom
	DoomHook = func(reason Doom, _ int) bool {
		doomed = reason
		return false
	}
	for _, c := range []struct {
		n, bytes uint64
		mutant   uint32
		want     int64
		doomed   Doom
	}{
		{0, 8, 0, 0, NotDoomed},
		{1 << 13, 8, 0, 0, NotDoomed},
		{1<<13 + 32, 8, 0, 1, NotDoomed},
		{1 << 20, 1, 0, 4096 - 256, NotDoomed},
		{1, 1 << 20, 0, 4096 - 256, NotDoomed},
		{1 << 35, 1, 0, 1<<27 - 256, NotDoomed},
		{1 << 35, 4, 0, 0, OutOfMemory},
		{1 << 35, 4, 7, 1<<29 - 256, NotDoomed},
		{1 << 47, 1, 7, 0, OutOfFuel},
		{1 << 47, 16, 0, 0, NotDoomed}, // make panics
		{1 << 63, 16, 0, 0, NotDoomed},
		{1<<64 - 1, 1, 0, 0, NotDoomed}, // -1
	} {
		const budget = 1 << 30
		doomed, Fuel, Active = NotDoomed, budget, c.mutant
		func() {
			defer func() {
				if _, ours := recover().(Doomed); ours != (doomed != NotDoomed) {
					t.Error("the panic and the hook do not agree")
				}
			}()
			allocate(c.n, c.bytes)
		}()
		if got := budget - Fuel; doomed != c.doomed || doomed == NotDoomed && got != c.want || doomed == OutOfMemory && Asked != c.n*c.bytes {
			t.Errorf("%d elements of %d bytes burn %d, want %d; doomed %d, want %d", c.n, c.bytes, got, c.want, doomed, c.doomed)
		}
	}
	Fuel, Active = 1000, 0
	if got := len(make([]byte, Room(int8(100), 1))) + len(make([]byte, Room(uint32(1<<17), 1))); got != 100+1<<17 || Fuel != 1000-256 {
		t.Errorf("%d, fuel %d", got, Fuel)
	}
	if Room(-1, 1<<20) != -1 || Fuel != 1000-256 {
		t.Errorf("fuel %d", Fuel)
	}
}
