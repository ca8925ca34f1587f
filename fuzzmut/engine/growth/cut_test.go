package growth

import (
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
