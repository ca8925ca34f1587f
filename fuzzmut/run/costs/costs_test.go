package costs

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
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
		n.ByTime = true
		if b.Allow([]growth.Candidate{n}) {
			t.Errorf("%+v: its time is not looked at", c)
		}
	}
}

// Of two measurements the one counts that says less.
func TestTheSlowerOfTwoMeasurementsCounts(t *testing.T) {
	verdict := func(e float64, why string) growth.Verdict {
		return growth.Verdict{Grows: growth.Time, Exponent: e, Why: why}
	}
	for _, c := range []struct {
		second growth.Verdict
		want   float64
	}{{verdict(2.1, ""), 1.9}, {verdict(1.7, ""), 1.7}, {verdict(2.1, "not twice"), 2.1}} {
		f := Finding{Verdict: verdict(1.9, "")}
		if f.slower(c.second); f.Verdict.Exponent != c.want || f.Verdict.Why != c.second.Why {
			t.Errorf("%+v: %+v", c.second, f.Verdict)
		}
	}
}

// A length that was timed in a slow moment is timed again, and the least of its times counts. What clearly does not grow is
// not.
func TestTimesInDoubtAreMeasuredAgain(t *testing.T) {
	curve := func(power float64, slow int) (list []wire.Size) {
		for i := range 6 {
			n := 1024 << i
			list = append(list, wire.Size{Times: n, Len: n, Fuel: int64(n), CPU: time.Duration(1e6 * math.Pow(float64(n)/1024, power))})
		}
		if slow >= 0 {
			list[slow].CPU *= 2
		}
		return list
	}
	failed := errors.New("no process")
	for name, c := range map[string]struct {
		first []wire.Size
		more  [][]wire.Size // nil: the process can't be started
		fails bool
		looks int
		costs bool
	}{
		"at once":                    {curve(2, -1), nil, false, 1, true},
		"one length was slow":        {curve(2, 4), [][]wire.Size{curve(2, -1)}, false, 2, true},
		"another one was then":       {curve(2, 4), [][]wire.Size{curve(2, 3)}, false, 2, true},
		"it was slow three times":    {curve(2, 4), [][]wire.Size{curve(2, 4), curve(2, 4), curve(2, -1)}, false, 4, true},
		"it is slow each time":       {curve(2, 4), [][]wire.Size{curve(2, 4), curve(2, 4), curve(2, 4)}, false, 4, false},
		"in proportion":              {curve(1, -1), nil, false, 1, false},
		"the process dies meanwhile": {curve(2, 4), [][]wire.Size{nil}, false, 2, false},
		"no process can be started":  {curve(2, 4), nil, true, 2, false},
	} {
		looks := 1
		v, err := judge(growth.JudgeTime, c.first, 1.5, func() ([]wire.Size, error) {
			if looks++; c.fails {
				return nil, failed
			}
			return c.more[looks-2], nil
		})
		if looks != c.looks || (v.Why == "") != c.costs || c.fails != errors.Is(err, failed) {
			t.Errorf("%s: %+v after %d looks, %v", name, v, looks, err)
		}
	}
}

// What is kept of a costly input runs in a moment, and is the longest such that was measured.
func TestTheInputThatIsKept(t *testing.T) {
	size := func(times int, ms float64) wire.Size {
		return wire.Size{Times: times, Len: 2 * times, CPU: time.Duration(ms * float64(time.Millisecond))}
	}
	for name, c := range map[string]struct {
		sizes []wire.Size
		want  int
	}{
		"the longest that takes no more":    {[]wire.Size{size(500, 1), size(1000, 4), size(2000, 16), size(4000, 64)}, 2000},
		"all take more":                     {[]wire.Size{size(500, 100), size(1000, 400)}, 500},
		"longer ones could not be shown":    {[]wire.Size{size(4096, 1), size(8192, 2), size(16384, 4)}, 8192},
		"a shorter one took long by chance": {[]wire.Size{size(500, 1), size(1000, 30), size(2000, 16)}, 2000},
	} {
		for _, grows := range []any{"", []byte{}} {
			n := growth.Candidate{Costly: worker.Costly{Costly: wire.Costly{Growing: wire.Growing{Arg: 1, Pump: wire.Pump{First: []byte("ab")}}}, Input: corpus.Of(7, grows)}}
			f := Finding{Candidate: &n, Sizes: c.sizes}
			vals := f.Shown().Values()
			text, ok := vals[1].(string)
			if _, isText := grows.(string); !isText {
				b, isBytes := vals[1].([]byte)
				text, ok = string(b), isBytes
			}
			if !ok || vals[0] != 7 || text != strings.Repeat("ab", c.want) {
				t.Errorf("%s: %d bytes, want %d", name, len(text), 2*c.want)
			}
		}
	}
}
