package growth

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestInputsThatMayHaveBeenMadeToCost(t *testing.T) {
	for _, c := range []struct {
		name string
		vals []any
		want bool
	}{
		{"rows", []any{strings.Repeat("(", 300)}, true},
		{"a row in the second argument", []any{3, []byte(strings.Repeat("a,", 200))}, true},
		{"too short", []any{strings.Repeat("(", 200)}, false},
		{"a small row in much text", []any{strings.Repeat("(", 40) + numbers(300)}, false},
		{"no text", []any{3, true}, false},
	} {
		if got := Repeated(corpus.Of(c.vals...)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// numbers is a text without rows.
func numbers(n int) string {
	var b strings.Builder
	x := uint32(1)
	for range n {
		x = x*1664525 + 1013904223
		b.WriteByte('A' + byte(x>>24)%26)
	}
	return b.String()
}

// A cut has the other arguments, and an empty one that grows, of its type. What stands in rows is
// cut first.
func TestCutsOfAnInput(t *testing.T) {
	list, others := cuts(corpus.Of([]byte(strings.Repeat("<p>", 200)), 7, "x"))
	if list = append(list, others...); len(list) < 2 || list[0].Arg != 0 || string(list[0].Pump.First) != "<p>" {
		t.Fatalf("%+v", list)
	}
	args := make(map[int]bool)
	for _, g := range list {
		args[g.Arg] = true
		vals, err := wire.Decode(g.Input)
		if err != nil || len(vals) != 3 || vals[1] != 7 || !validPump(g.Pump) {
			t.Fatalf("%v, %v", vals, err)
		}
		_, bytes := vals[0].([]byte)
		if s, ok := vals[2].(string); !ok || !bytes || g.Arg == 2 && s != "" || g.Arg == 0 && s != "x" {
			t.Errorf("%v of argument %d", vals, g.Arg)
		}
	}
	if !args[2] || len(args) != 2 {
		t.Errorf("arguments %v grow", args)
	}
	if list, others := cuts(corpus.Of("", 1)); len(list)+len(others) > 0 {
		t.Errorf("%d and %d cuts of an empty text", len(list), len(others))
	}
}

// Small amounts of bytes are not measured well: where they have only begun to grow too fast,
// longer inputs decide.
func TestBytesThatBeginToGrow(t *testing.T) {
	square := func(n float64) float64 { return n * n }
	for _, c := range []struct {
		name  string
		bytes func(n float64) float64
		want  bool
	}{
		{"at the last length", func(n float64) float64 { return n * n / 160 }, true},
		{"in proportion", func(n float64) float64 { return n * 100 }, false},
		{"not enough to be measured", func(n float64) float64 { return n * n / 2000 }, false},
	} {
		sizes := curve(4, square, c.bytes, func(float64) time.Duration { return 0 })
		if _, above := pump.Above(points(sizes, allocated), tooFast); above || later(sizes) != c.want {
			t.Errorf("%s: %v, and too fast: %v", c.name, !c.want, above)
		}
	}
}

func validPump(p wire.Pump) bool { q := pump.Pump(p); return q.Valid() }

// Two lengths decide if they can, else two longer ones, or the same once more.
func TestLengthsThatAreLookedAtByTime(t *testing.T) {
	for _, c := range []struct {
		name  string
		micro map[int][]int // time of a number of repetitions, each time that it is asked for; the last one holds on
		want  string
		asked int
	}{
		{"too fast", map[int][]int{8: {100}, 16: {370}}, Time, 2},
		{"in proportion", map[int][]int{8: {200}, 16: {400}, 32: {810}, 64: {1630}}, "", 6},
		{"the first in a slow moment", map[int][]int{8: {480}, 16: {1035}, 32: {3700}}, Time, 4},
		{"the first in a moment that is slower yet", map[int][]int{8: {950, 260}, 16: {1035}}, Time, 4},
		{"the first in two of them", map[int][]int{8: {950, 910, 260}, 16: {1035}}, Time, 6},
		{"in proportion to nothing", map[int][]int{8: {300}, 16: {310}}, "", 6},
		{"the second in a slow moment as well", map[int][]int{8: {950, 300}, 16: {1035, 310}}, "", 6},
		{"open, and then too fast", map[int][]int{8: {370}, 16: {974}, 32: {3600}}, Time, 4},
		{"open, and then in proportion", map[int][]int{8: {100}, 16: {250}, 32: {520}, 64: {1040}}, "", 6},
		{"open each time", map[int][]int{8: {100}, 16: {250}, 32: {620}, 64: {1550}}, "", 6},
		{"too short to say anything", map[int][]int{8: {42}, 16: {129}}, "", 2},
		{"fails at the second", map[int][]int{8: {100}}, "", 2},
	} {
		asked := 0
		_, got, err := byTime(8, func(times ...int) (*wire.Grown, error) {
			grown := new(wire.Grown)
			for _, n := range times {
				asked++
				list := c.micro[n]
				if len(list) == 0 {
					continue
				}
				grown.Sizes = append(grown.Sizes, wire.Size{Times: n, Len: n, CPU: time.Duration(list[0]) * time.Microsecond})
				if len(list) > 1 {
					c.micro[n] = list[1:]
				}
			}
			return grown, nil
		})
		if got != c.want || asked != c.asked || err != nil {
			t.Errorf("%s: %q after %d lengths, %v; want %q after %d", c.name, got, asked, err, c.want, c.asked)
		}
	}
}

// By the clock, a smaller cut may have looked as if it grew: if it does not in the end, the one before it counts.
func TestASmallerCutThatDoesNotGrow(t *testing.T) {
	for _, smaller := range []bool{false, true} { // what is smaller grows whenever it is asked for
		c := NewCutter(nil)
		c.run = func(_ context.Context, req *wire.Grow) (*wire.Grown, error) {
			grows := len(req.Pump.Second) > 0 || smaller || !req.Where
			grown := &wire.Grown{Frames: []string{"f"}}
			for _, n := range req.Times {
				length := (len(req.Pump.First) + len(req.Pump.Second)) * n
				micros := length
				if grows {
					micros *= length
				}
				grown.Sizes = append(grown.Sizes, wire.Size{Times: n, Len: length, CPU: time.Duration(micros) * time.Microsecond})
			}
			return grown, nil
		}
		was := wire.Growing{Input: wire.Encode([]any{""}), Pump: wire.Pump{First: []byte("<a>"), Second: []byte("</a>")}, ByTime: true}
		got, err := c.try(t.Context(), &was)
		if err != nil || got == nil || got.Place != "f" || len(got.Pump.Second) > 0 == smaller {
			t.Errorf("smaller grows: %v: %+v, %v", smaller, got, err)
		}
	}
}

// A cut by time is minimized where it is measured: the smaller one may have grown by chance, and then this one counts.
func TestACutByTimeIsRough(t *testing.T) {
	c := NewCutter(nil)
	c.run = func(_ context.Context, req *wire.Grow) (*wire.Grown, error) {
		grown := &wire.Grown{Frames: []string{"f"}}
		for _, n := range req.Times {
			length := (len(req.Pump.First) + len(req.Pump.Second)) * n
			size := wire.Size{Times: n, Len: length}
			if req.ByTime {
				size.CPU = time.Duration(length*length) * time.Microsecond
			}
			grown.Sizes = append(grown.Sizes, size)
		}
		return grown, nil
	}
	n, err := c.Cut(t.Context(), corpus.Of(strings.Repeat("<p>", 200)))
	if err != nil || n == nil || !n.Rough || string(n.Pump.First) != "<p>" || n.Count != 1 {
		t.Errorf("%+v, %v", n, err)
	}
}
