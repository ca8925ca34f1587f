package growth

import (
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
