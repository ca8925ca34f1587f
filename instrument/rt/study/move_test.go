package study

import (
	"fmt"
	"math"
	"slices"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
)

func TestDistance(t *testing.T) {
	signed := func(x, y int64) fuzzmutrt.Operands {
		return fuzzmutrt.Operands{Op: codes.Less, Kind: codes.Signed, X: uint64(x), Y: uint64(y)}
	}
	unsigned := func(x, y uint64) fuzzmutrt.Operands {
		return fuzzmutrt.Operands{Op: codes.Equal, Kind: codes.Unsigned, X: x, Y: y}
	}
	float := func(x, y float64) fuzzmutrt.Operands {
		return fuzzmutrt.Operands{Op: codes.Less, Kind: codes.Float, X: math.Float64bits(x), Y: math.Float64bits(y)}
	}
	const none = 1 << 40
	for _, c := range []struct {
		o      fuzzmutrt.Operands
		offset int
		want   uint64
	}{
		{signed(5, 5), 0, 0},
		{signed(-3, 4), 0, 7},
		{signed(-3, 4), -1, 6},
		{signed(-3, 4), 1, 8},
		{signed(4, 3), 1, 0},
		{signed(math.MaxInt64, math.MinInt64), 0, math.MaxUint64},
		{signed(0, math.MaxInt64), 1, none},
		{unsigned(0, 0), -1, none},
		{unsigned(0, 1), -1, 0},
		{unsigned(1, math.MaxUint64), 0, math.MaxUint64 - 1},
		{float(1, 1), 0, 0},
		{float(0, math.Copysign(0, -1)), 0, 0},
		{float(1, math.Nextafter(1, 2)), 0, 1},
		{float(-math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64), 0, 2},
		{float(1, 2), 1, none},
		{fuzzmutrt.Operands{Op: codes.Equal, Kind: codes.Text}, 0, none},
	} {
		d, ok := Distance(&c.o, c.offset)
		if !ok {
			d = none
		}
		if d != c.want {
			t.Errorf("%+v and %d: distance %d, want %d", c.o, c.offset, d, c.want)
		}
	}
}

func TestMoves(t *testing.T) {
	for _, c := range []struct {
		m     Move
		times int64
		in    any
		want  any // nil: can't be made
	}{
		{Move{kind: addScalar, step: 3}, 2, 10, 16},
		{Move{kind: addScalar, step: -3}, 1, uint8(1), uint8(254)},
		{Move{kind: addScalar, step: 1}, 1, 0.5, 1.5},
		{Move{kind: addScalar, step: 1}, 1, false, true},
		{Move{kind: addInteger, from: 1, width: 1, step: 2}, 1, "abc", "adc"},
		{Move{kind: addInteger, from: 0, width: 2, big: true, step: 1}, 256, []byte{1, 0}, []byte{2, 0}},
		{Move{kind: addInteger, from: 0, width: 2, step: 1}, 1, []byte{255, 0}, []byte{0, 1}},
		{Move{kind: addInteger, from: 0, width: 1, step: 1}, 1, []byte{255}, nil},
		{Move{kind: addInteger, from: 2, width: 4, step: 1}, 1, "abc", nil},
		{Move{kind: addDecimal, from: 4, to: 5, step: 90}, 1, "1,20,3", "1,20,93"},
		{Move{kind: addDecimal, from: 3, to: 4, step: 90}, 1, "1,20,3", "1,110,3"},
		{Move{kind: addDecimal, step: -1}, 30, "1,20,3", nil},
		{Move{kind: repeat, from: 1, to: 3, step: 1, room: 6}, 3, "a,bc", "a,b,b,b,bc"},
		{Move{kind: repeat, from: 1, to: 3, step: 1, room: 5}, 3, "a,bc", nil},
		{Move{kind: repeat, step: 4, room: 4}, 1, "", "0000"},
		{Move{kind: repeat, from: 0, to: 1, step: 1000, room: 2000}, 1, "a", nil},
		{Move{kind: remove, from: 1, to: 3, step: 1}, 2, "abcdefg", "afg"},
		{Move{kind: remove, from: 1, to: 3, step: 1}, 9, "abcdefg", nil},
		{Move{kind: nest, from: 2, to: 3, step: 1, room: 4}, 2, "a [[b]] c", "a [[[[b]]]] c"},
		{Move{kind: nest, from: 0, to: 1, step: 1, room: 4}, 1, "a", nil},
		{Move{kind: nest, from: 0, to: 1, step: 1, room: 4}, 1, "[a", nil},
	} {
		in := fmt.Sprintf("%q", c.in)
		out, ok := c.m.Apply([]any{c.in}, c.times, 100)
		if c.want == nil {
			if ok {
				t.Errorf("%+v of %s: %q, want none", c.m, in, out)
			}
			continue
		}
		if got, want := fmt.Sprintf("%#v", out), fmt.Sprintf("%#v", []any{c.want}); !ok || got != want {
			t.Errorf("%+v of %s: %s, want %s", c.m, in, got, want)
		}
		if fmt.Sprintf("%q", c.in) != in {
			t.Errorf("%+v has changed the input", c.m)
		}
	}
}

func TestDrawnMovesCanBeMadeOfAnyInput(t *testing.T) {
	state := uint64(1)
	draw := func(n int) int {
		state = havoc.Mix(state + 0x9e3779b97f4a7c15)
		return int(state % uint64(n))
	}
	inputs := [][]any{
		{""}, {[]byte{}}, {"a"}, {[]byte("some words, 17 of them [x]")}, {1, "x", true, 2.5, []byte("yz")}, {int8(-1), uint64(7), float32(1)},
	}
	for _, vals := range inputs {
		made := make(map[string]bool)
		for range 2000 {
			m := Draw(vals, uint64(draw(1000)), draw)
			if out, ok := m.Apply(vals, int64(1+draw(4)), 64); ok {
				made[fmt.Sprintf("%q", out)] = true
				if slices.ContainsFunc(out, func(v any) bool { s, _ := textOf(v); return len(s) > 64 }) {
					t.Fatalf("%+v makes %q", m, out)
				}
			}
		}
		if len(made) < 10 {
			t.Errorf("%q: %d different inputs", vals, len(made))
		}
	}
}
