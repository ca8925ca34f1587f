package costs

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestPumpsAsGoSource(t *testing.T) {
	b := func(s string) []byte { return []byte(s) }
	for want, p := range map[string]wire.Pump{
		`""`:                     {},
		`strings.Repeat(";", n)`: {First: b(";")},
		`"<" + strings.Repeat("a\n", n) + "x" + strings.Repeat("b", n) + ">"`: {Prefix: b("<"), First: b("a\n"), Middle: b("x"), Second: b("b"), Suffix: b(">")},
		`numbered("a", ",", n)`: {First: b("a,"), FirstAt: 1, Count: true},
	} {
		if got := Source(&p); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A directive holds for its function and for what that calls, or for a fuzz test.
func TestCostBounds(t *testing.T) {
	b := Bounds{test: "FuzzAll", list: []load.CostBound{
		{File: "/m/p.go", Line: 10, End: 20, Name: "Square", Exponent: 2.5},
		{File: "/m/p.go", Line: 30, End: 40, Name: "Any", Exponent: load.Any},
	}}
	for _, c := range []struct {
		frames []string
		want   float64
	}{
		{nil, Default},
		{[]string{"m.F /m/p.go:9", "m.G /m/q.go:15"}, Default},
		{[]string{"m.Square /m/p.go:10"}, 2.5},
		{[]string{"m.helper /m/h.go:1", "m.Square /m/p.go:20"}, 2.5},
		{[]string{"m.Square /m/p.go:15", "m.Any /m/p.go:35"}, load.Any},
	} {
		if got := b.Of(c.frames); got != c.want {
			t.Errorf("%q: %g, want %g", c.frames, got, c.want)
		}
	}
	b.list = append(b.list, load.CostBound{Name: "FuzzAll", Exponent: 3})
	if got := b.Of(nil); got != 3 {
		t.Errorf("%g with a directive on the fuzz test", got)
	}
}

// What a directive allows is not even measured, unless it grows faster yet.
func TestAllowedCosts(t *testing.T) {
	b := Bounds{test: "FuzzX", list: []load.CostBound{{File: "/m/p.go", Line: 10, End: 20, Name: "F", Exponent: 2.5}}}
	curve := func(power int) (list []wire.Size) {
		for n := 512; n <= 4096; n *= 2 {
			fuel := int64(1)
			for range power {
				fuel *= int64(n)
			}
			list = append(list, wire.Size{Len: n, Fuel: fuel})
		}
		return list
	}
	for _, c := range []struct {
		frame string
		power int
		want  bool
	}{{"m.F /m/p.go:15", 2, true}, {"m.F /m/p.go:15", 3, false}, {"m.F /m/p.go:25", 2, false}} {
		n := growth.Candidate{Costly: worker.Costly{Costly: wire.Costly{Sizes: curve(c.power), Frames: []string{c.frame}}}}
		if got := b.Allow([]growth.Candidate{n}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
