package growth

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// curve makes sizes of lengths that double from 1024, with a unit of fuel that takes a time.
func curve(n int, fuel, bytes func(length float64) float64, unit func(fuel float64) time.Duration) (list []wire.Size) {
	for i := range n {
		length := 1024 << i
		f := fuel(float64(length))
		list = append(list, wire.Size{Times: length, Len: length, Fuel: int64(f), Bytes: int64(bytes(float64(length))), CPU: unit(f)})
	}
	return list
}

func TestJudge(t *testing.T) {
	power := func(e float64) func(float64) float64 { return func(n float64) float64 { return math.Pow(n, e) } }
	real := func(f float64) time.Duration { return time.Duration(f * 2) }
	flat := func(float64) time.Duration { return time.Millisecond }
	none := func(float64) float64 { return 0 }
	for _, c := range []struct {
		name  string
		sizes []wire.Size
		bound float64
		grows string
		why   string // "" for a finding
	}{
		{"square", curve(6, power(2), none, real), 1.5, Work, ""},
		{"square that is meant", curve(6, power(2), none, real), 2.5, "", "stops growing"},
		{"cube where a square is meant", curve(5, power(3), none, real), 2.5, Work, ""},
		{"in proportion", curve(12, power(1), none, real), 1.5, "", "stops growing"},
		{"with a logarithm", curve(10, func(n float64) float64 { return n * math.Log2(n) }, none, real), 1.5, "", "stops growing"},
		{"square up to a limit", curve(10, func(n float64) float64 { return math.Pow(min(n, 8192), 2) }, none, real), 1.5, "", "stops growing"},
		{"too few lengths", curve(3, power(2), none, real), 1.5, "", "enough lengths"},
		{"work without time", curve(6, power(2), none, flat), 1.5, Work, "no more time"},
		{"too short", curve(6, power(2), none, func(float64) time.Duration { return time.Microsecond }), 1.5, Work, "too little time"},
		{"copies", curve(8, power(1), power(2), func(f float64) time.Duration { return time.Duration(f * f / 16) }), 1.5, Bytes, ""},
		{"copies in no time", curve(8, power(1), power(2), flat), 1.5, Bytes, "no more time"},
		{"a megabyte in half a second", curve(11, func(n float64) float64 { return math.Pow(n, 1.6) / 20 }, none, real), 1.5, Work, "less than a second"},
	} {
		v := Judge(c.sizes, c.bound)
		if v.Grows != c.grows || (c.why == "") != (v.Why == "") || !strings.Contains(v.Why, c.why) {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// What takes nearly enough time may do so by chance, and is timed again. What clearly does not is done.
func TestInDoubt(t *testing.T) {
	power := func(e float64) func(float64) float64 { return func(n float64) float64 { return math.Pow(n, e) } }
	took := func(e float64) func(float64) time.Duration {
		return func(f float64) time.Duration { return time.Duration(1000 * math.Pow(f, e)) }
	}
	none := func(float64) float64 { return 0 }
	for _, c := range []struct {
		name        string
		work, bytes float64 // exponents
		time        float64
		want        bool
	}{
		{"too much", 2, 0, 2, false},
		{"nearly", 2, 0, 1.2, true},
		{"in proportion", 2, 0, 0.9, false},
		{"bytes, in proportion", 1, 2, 0.9, true},
		{"nothing grows", 1, 0, 1, false},
	} {
		bytes := none
		if c.bytes > 0 {
			bytes = power(c.bytes)
		}
		v := Judge(curve(8, power(c.work), bytes, took(c.time/c.work)), 1.5)
		if v.InDoubt(1.5) != c.want {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// Of what grows by its time alone, one length that was timed in a slow moment leaves in doubt how fast the others grow.
func TestTimeAloneInDoubt(t *testing.T) {
	square := func(n float64) time.Duration { return time.Duration(n * n) }
	for name, c := range map[string]struct {
		times func(n float64) time.Duration
		slow  int // the size that takes twice as long; -1: none
		why   string
		want  bool
	}{
		"square":                    {square, -1, "", false},
		"the last but one was slow": {square, 4, whyTimeAlone, true},
		"in proportion":             {func(n float64) time.Duration { return time.Duration(n * 1000) }, -1, whyTimeAlone, false},
		"in proportion, and slow":   {func(n float64) time.Duration { return time.Duration(n * 1000) }, 4, whyTimeAlone, false},
		"too little to be measured": {func(float64) time.Duration { return time.Microsecond }, -1, "it takes too little time to be measured", false},
	} {
		linear, none := func(n float64) float64 { return n }, func(float64) float64 { return 0 }
		sizes := curve(6, linear, none, c.times)
		if c.slow >= 0 {
			sizes[c.slow].CPU *= 2
		}
		if v := JudgeTime(sizes, 1.5); v.Why != c.why || v.InDoubt(1.5) != c.want {
			t.Errorf("%s: %+v, in doubt: %t", name, v, !c.want)
		}
	}
}

// What grows by its time alone has to do so at more lengths, and faster, than what its work shows already.
func TestJudgeTime(t *testing.T) {
	power := func(e float64) func(float64) float64 { return func(n float64) float64 { return math.Pow(n, e) } }
	none := func(float64) float64 { return 0 }
	took := func(e, unit float64) func(float64) time.Duration {
		return func(n float64) time.Duration { return time.Duration(math.Pow(n, e) * unit) }
	}
	for _, c := range []struct {
		name  string
		sizes []wire.Size
		bound float64
		grows string
		why   string // "" for a finding
	}{
		{"square", curve(6, power(1), none, took(2, 1)), 1.5, Time, ""},
		{"square that is meant", curve(6, power(1), none, took(2, 1)), 2.5, "", "does not grow too fast"},
		{"work as well", curve(6, power(2), none, took(1, 2)), 1.5, Work, ""},
		{"in proportion", curve(8, power(1), none, took(1, 1000)), 1.5, "", "does not grow too fast"},
		{"somewhat faster", curve(6, power(1), none, took(1.45, 100)), 1.5, "", "does not grow too fast"},
		{"three lengths that say something", curve(6, power(1), none, took(2, 0.003)), 1.5, "", "too little time"},
		{"a megabyte in half a second", curve(8, power(1), none, took(1.6, 0.1)), 1.5, Time, "less than a second"},
		{"too few lengths", curve(3, power(1), none, took(2, 1)), 1.5, "", "enough lengths"},
	} {
		v := JudgeTime(c.sizes, c.bound)
		if v.Grows != c.grows || (c.why == "") != (v.Why == "") || !strings.Contains(v.Why, c.why) {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
	v := JudgeTime(curve(6, power(1), none, took(2, 1)), 1.5)
	if v.Stops(&wire.Size{Len: 1 << 18}); !strings.HasPrefix(v.Why, "its processor time stops growing") {
		t.Errorf("%+v", v)
	}
}

func TestMegabyteIsMeasuredOrExtrapolated(t *testing.T) {
	square := func(n float64) float64 { return n * n }
	none := func(float64) float64 { return 0 }
	slow := func(f float64) time.Duration { return time.Duration(f) }
	if v := Judge(curve(6, square, none, slow), 1.5); !v.Extrapolated || v.AtMegabyte.Round(time.Minute) != 18*time.Minute {
		t.Errorf("%+v", v)
	}
	if v := Judge(curve(11, square, none, slow), 1.5); v.Extrapolated || v.AtMegabyte.Round(time.Minute) != 18*time.Minute {
		t.Errorf("%+v", v)
	}
}

func TestCandidatesAreKeptByPlace(t *testing.T) {
	c := New(nil)
	for i, pump := range []string{"long one", "b", "medium", "a", "c"} {
		place := "p.F p.go:3"
		if i == 2 {
			place = "p.A p.go:9"
		}
		c.Add(&worker.Costly{Costly: wire.Costly{Growing: wire.Growing{Pump: wire.Pump{First: []byte(pump)}}, Frames: []string{place, "p.Test"}, Count: 2}})
	}
	list := c.Places()
	if len(list) != 2 || list[0][0].Place != "p.A" || list[1][0].Place != "p.F" || c.Count(&list[1][0]) != 8 || c.Count(&list[0][0]) != 2 {
		t.Fatalf("%+v", list)
	}
	var pumps []string
	for _, n := range list[1] {
		pumps = append(pumps, string(n.Pump.First))
	}
	if got := strings.Join(pumps, " "); got != "a b c" {
		t.Errorf("%q are kept", got)
	}
}

// Candidates by time alone come after the others, and take nothing from them.
func TestCandidatesByTimeAreKeptApart(t *testing.T) {
	c := New(nil)
	for i, place := range []string{"p.A", "p.A", "p.B"} {
		c.Add(&worker.Costly{Costly: wire.Costly{Growing: wire.Growing{ByTime: i != 1}, Frames: []string{place + " p.go:3"}, Count: int64(i + 1)}})
	}
	list := c.Places()
	if len(list) != 3 || list[0][0].ByTime || !list[1][0].ByTime || list[2][0].Place != "p.B" {
		t.Fatalf("%+v", list)
	}
	for i, want := range []int64{2, 1, 3} {
		if n := c.Count(&list[i][0]); n != want || c.First(&list[i][0]).IsZero() {
			t.Errorf("%d of place %d, want %d", n, i, want)
		}
	}
}

// A mutant stops the growth if it is no longer too fast, and little is left of the cost.
func TestStops(t *testing.T) {
	was := curve(4, func(n float64) float64 { return n * n }, func(n float64) float64 { return n * n * 64 }, func(float64) time.Duration { return 0 })
	for _, c := range []struct {
		name        string
		grows       string
		fuel, bytes func(n float64) float64
		want        bool
	}{
		{"in proportion to the length", Work, func(n float64) float64 { return n }, func(float64) float64 { return 0 }, true},
		{"a tenth, and as fast", Work, func(n float64) float64 { return n * n / 10 }, func(float64) float64 { return 0 }, false},
		{"as much, and no faster", Work, func(n float64) float64 { return 8192 * 8192 }, func(float64) float64 { return 0 }, false},
		{"of bytes, work does not matter", Bytes, func(n float64) float64 { return n * n }, func(n float64) float64 { return n * 64 }, true},
		{"bytes grow as fast", Bytes, func(n float64) float64 { return n }, func(n float64) float64 { return n * n * 60 }, false},
	} {
		v := Verdict{Grows: c.grows}
		if got := v.stops(was, curve(4, c.fuel, c.bytes, func(float64) time.Duration { return 0 }), 1.5); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	slow := func(power, nanos float64) []wire.Size {
		return curve(4, func(n float64) float64 { return n }, func(float64) float64 { return 0 }, func(n float64) time.Duration { return time.Duration(nanos * math.Pow(n, power)) })
	}
	for _, c := range []struct {
		name string
		now  []wire.Size
		want bool
	}{
		{"the time is in proportion to the length", slow(1, 300), true},
		{"it is nearly as long", slow(1.98, 1), false},
		{"it is a part, and grows as fast", slow(1.8, 1), false},
		{"it is too little to be measured", slow(2, 0.001), true},
	} {
		if got := (&Verdict{Grows: Time}).stops(slow(2, 1), c.now, 1.5); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if n := (&Verdict{Grows: Time}).mostStopping(was[:1]); n < timedFuel {
		t.Errorf("fuel %d where the time grows", n)
	}
	if w, b := (&Verdict{Grows: Work}).mostStopping(was), (&Verdict{Grows: Bytes}).mostStopping(was); w >= was[3].Fuel || b <= was[3].Fuel {
		t.Errorf("fuel %d and %d of %d", w, b, was[3].Fuel)
	}
}

// A mutant that may stop what grows by time is timed again, and the least counts.
func TestMutantsThatMayStopTheGrowthAreTimedAgain(t *testing.T) {
	at := func(micros ...int) *wire.Grown {
		g := new(wire.Grown)
		for i, n := range micros {
			g.Sizes = append(g.Sizes, wire.Size{Times: 512 << i, Len: 512 << i, Fuel: 1, CPU: time.Duration(n) * time.Microsecond})
		}
		return g
	}
	failed := at(1, 1, 1)
	failed.Failed = true
	was, longer := at(800, 3200, 12800).Sizes, at(800, 3200, 12800, 51200, 204800).Sizes
	for name, c := range map[string]struct {
		grows  string
		runs   []*wire.Grown // what the mutant costs, each time that it is asked
		stops  bool
		asked  int
		longer []wire.Size
	}{
		"at once":                       {Time, []*wire.Grown{at(50, 100, 200)}, true, 1, nil},
		"the end was disturbed":         {Time, []*wire.Grown{at(50, 100, 4000), at(50, 100, 200)}, true, 2, nil},
		"each time another one was":     {Time, []*wire.Grown{at(50, 300, 6000), at(250, 900, 200)}, true, 2, nil},
		"it is as slow as it was":       {Time, []*wire.Grown{at(800, 3200, 12800), at(1, 1, 1)}, false, 1, nil},
		"it grows, but is faster":       {Time, []*wire.Grown{at(300, 1200, 4800), at(300, 1200, 4800), at(300, 1200, 4800)}, false, stopsLooks, nil},
		"it fails":                      {Time, []*wire.Grown{failed, at(1, 1, 1)}, false, 1, nil},
		"it ends before all lengths":    {Time, []*wire.Grown{at(1, 1), at(1, 1, 1)}, false, 1, nil},
		"work is the same each time":    {Work, []*wire.Grown{at(1, 1, 1), at(1, 1, 1)}, false, 1, nil},
		"then it fails, undisturbed":    {Time, []*wire.Grown{at(50, 100, 4000), failed}, false, 2, nil},
		"two short times seem to grow":  {Time, []*wire.Grown{at(50, 400, 1600), at(50, 400, 1600, 2400, 4800)}, true, 2, longer},
		"it grows, but is faster there": {Time, []*wire.Grown{at(50, 400, 1600), at(50, 400, 1600, 6400, 25600), at(50, 400, 1600, 6400, 25600)}, false, stopsLooks, longer},
	} {
		asked := 0
		stops, err := (&Verdict{Grows: c.grows}).stopsWith(was, c.longer, 1.5, func(at []wire.Size) (*wire.Grown, error) {
			if asked++; asked > 1 && c.longer != nil && len(at) != len(c.longer) {
				t.Errorf("%s: run at %d lengths", name, len(at))
			}
			return c.runs[asked-1], nil
		})
		if err != nil || stops != c.stops || asked != c.asked {
			t.Errorf("%s: %t, %v, asked %d times", name, stops, err, asked)
		}
	}
	if _, err := (&Verdict{Grows: Time}).stopsWith(was, nil, 1.5, func([]wire.Size) (*wire.Grown, error) { return nil, io.EOF }); err != io.EOF {
		t.Errorf("got %v", err)
	}
}

// Mutants are timed at the longest lengths that take no more than they may, and at some in any case.
func TestLengthsThatAreTimed(t *testing.T) {
	list := curve(6, func(n float64) float64 { return n }, func(float64) float64 { return 0 }, func(n float64) time.Duration { return time.Duration(n) * time.Microsecond })
	for _, c := range []struct {
		most        time.Duration
		first, last int
	}{
		{time.Hour, 2, 5},
		{list[4].CPU, 1, 4},
		{0, 0, 2},
	} {
		got := Timed(list, c.most)
		if got[0] != list[c.first] || got[len(got)-1] != list[c.last] {
			t.Errorf("%v: %+v", c.most, got)
		}
	}
	if got := Timed(list[:2], time.Hour); len(got) != 2 {
		t.Errorf("of two %+v", got)
	}
}

// The guard of a loop shows at lengths at which the pump is repeated many times more than the
// guard allows, and what the original costs there is extrapolated.
func TestLongerLengths(t *testing.T) {
	square := curve(5, func(n float64) float64 { return n * n }, func(n float64) float64 { return n * 80 }, func(float64) time.Duration { return 0 })
	for _, c := range []struct {
		first string
		times []int
	}{
		{"ab", []int{2000, 4000, 8000, 16000}},
		{strings.Repeat("a", 100), []int{1179, 2359, 4718, 9437}},
		{strings.Repeat("a", 200), nil},
	} {
		n := Candidate{Costly: worker.Costly{Costly: wire.Costly{Growing: wire.Growing{Pump: wire.Pump{First: []byte(c.first)}}}}}
		var times []int
		for _, s := range (&Verdict{Grows: Work}).Longer(&n, square) {
			times = append(times, s.Times)
			if want := float64(s.Len) * float64(s.Len); s.Len != s.Times*len(c.first) || math.Abs(float64(s.Fuel)/want-1) > 0.01 {
				t.Errorf("%+v, want a fuel of %g", s, want)
			}
		}
		if !slices.Equal(times, c.times) {
			t.Errorf("%d bytes are repeated %d times, want %d", len(c.first), times, c.times)
		}
	}
}

func TestTheLeastTimeOfALengthCounts(t *testing.T) {
	at := func(list ...int) (sizes []wire.Size) {
		for i := 0; i < len(list); i += 2 {
			sizes = append(sizes, wire.Size{Times: list[i], CPU: time.Duration(list[i+1])})
		}
		return sizes
	}
	got := Least(at(1, 10, 2, 90, 4, 40), at(2, 20, 4, 50, 8, 1))
	if want := at(1, 10, 2, 20, 4, 40); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
