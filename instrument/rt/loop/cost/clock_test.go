package cost

import (
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

var number = regexp.MustCompile(`[0-9]+%`)

// outside are fuzz targets whose work is done in packages that are not rewritten: as much fuel is burned as the text is
// long, and little is allocated.
var outside = map[string]func(t *testing.T, s string){
	"search": func(_ *testing.T, s string) {
		for i := range s {
			turns(1)
			if s[i] == '<' && strings.Contains(s[i:], "/>") {
				turns(1)
			}
		}
	},
	"sort": func(_ *testing.T, s string) {
		var list []string
		for word := range strings.SplitSeq(s, " ") {
			turns(1)
			list = append(list, word)
			sort.Strings(list)
		}
	},
	"map": func(_ *testing.T, s string) {
		seen := make(map[string]bool)
		for word := range strings.SplitSeq(s, ",") {
			turns(1)
			seen[word] = true
			if !maps.Equal(seen, seen) {
				panic("a map differs from itself")
			}
		}
	},
	"regexp": func(_ *testing.T, s string) {
		for i := range s {
			turns(1)
			if '0' <= s[i] && s[i] <= '9' {
				number.FindStringIndex(s[i:])
			}
		}
	},
	"passes": func(_ *testing.T, s string) {
		turns(len(s) / 16)
		for range 100 {
			strings.Count(s, ";")
		}
	},
	"words": func(_ *testing.T, s string) {
		turns(len(s))
		seen := make(map[string]int)
		for _, w := range strings.Fields(s) {
			seen[w]++
		}
		slices.Sort(slices.Collect(maps.Keys(seen)))
	},
	"litter": func(_ *testing.T, s string) {
		turns(len(s))
		for range len(s) {
			sink = make([]byte, 100)
		}
	},
	"refused": func(_ *testing.T, s string) { // it is too long: more than twice as long as one that takes some time
		begin := cpu()
		for i := range s {
			if refusedMost > 0 && len(s) > refusedMost {
				break
			}
			turns(1)
			for range 4 {
				strings.Contains(s[i:], "/>")
			}
		}
		if refusedMost == 0 && cpu()-begin >= enoughTime/2 {
			refusedMost = len(s) * 5 / 2
		}
	},
	"known": func(_ *testing.T, s string) { // what is seen once takes nothing more
		turns(len(s))
		if !seenOnce[s] {
			seenOnce[s] = true
			for i := range s {
				strings.Contains(s[i:], "\x00no")
			}
		}
	},
}

var seenOnce = make(map[string]bool)

// enoughTime is the processor time of a length that ends a measurement here, and refusedMost the length above which
// a target refuses an input: a fixed one would be reached before it on a fast machine.
const enoughTime = 30 * time.Millisecond

var refusedMost int

// Work that burns no fuel is found by the clock, where the clock ends the run, and what is in proportion to the length
// is not, whatever it takes. Runs that executions end do not look at the clock.
func TestWorkElsewhereIsFound(t *testing.T) {
	for _, c := range []struct {
		target, text string
		timed, found bool
	}{
		{"search", "a <b/> c", true, true},
		{"search", "a <b/> c", false, false},
		{"sort", "a b c", true, true},
		{"map", "a,b,c", true, true},
		{"regexp", "a 1% b", true, true},
		{"passes", "a;b", true, false},
		{"words", "a b c", true, false},
		{"litter", "a;b", true, false},
		{"known", "a;b", true, false},
	} {
		var got *wire.Costly
		for range clockTries { // other work may look like the target's for a moment
			if got = hunted(t, c.target, c.text, c.timed, c.found); (got != nil) == c.found {
				break
			}
		}
		if (got != nil) != c.found {
			t.Errorf("%s, timed %v: %+v", c.target, c.timed, got)
		}
		if got == nil {
			continue
		}
		if !got.Rough || len(got.Sizes) != 3 {
			t.Errorf("%s: %+v", c.target, got)
		}
	}
}

// clockTries is how often what the clock has to show is looked at again: other processes take part in it.
const clockTries = 6

// hunted looks for what grows by the clock in a target.
func hunted(t *testing.T, target, text string, timed, there bool) (got *wire.Costly) {
	t.Helper()
	w := looptest.New(t, initial(), outside[target], make([]uint8, 1), make([]bool, 1))
	h := &Hunter{Conn: w.Conn, Target: w.Target, Exec: w.Exec, MaxLen: 1 << 20, Share: 10}
	h.Begin(1, timed, time.Hour)
	h.Add([]any{text})
	most := 3 * time.Second
	if there {
		most = 20 * time.Second // other work may hide it again and again
	}
	hunts := 0
	for begin := cpu(); cpu()-begin < most && got == nil && (there || hunts < 2000); hunts++ {
		h.Due()
		if err := h.Hunt(func(exec.Execution) error { t.Error("failed"); return nil }); err != nil {
			t.Fatal(err)
		}
		for _, r := range w.Replies() {
			if r.Costly.ByTime { // allocated bytes have a test elsewhere
				got = r.Costly
			}
		}
	}
	return got
}

// A measurement by time goes up to lengths that take it, says which line takes most of it and what that calls, and sees
// where it stops.
func TestMeasuredByTime(t *testing.T) {
	for _, c := range []struct {
		target, pump, calls string
		above, stops        bool
	}{
		{"search", "<", "strings.Contains", true, false},
		{"sort", " ", "sort.Strings", true, false},
		{"refused", "<", "strings.Contains", true, true},
		{"passes", ";", "strings.Count", false, false},
	} {
		wrong := ""
		for range clockTries {
			refusedMost, wrong = 0, ""
			w := looptest.New(t, initial(), outside[c.target], make([]uint8, 1), make([]bool, 1))
			got := served(t, w, c.pump, wire.Grow{Growing: wire.Growing{ByTime: true}, CPU: enoughTime})
			e, _ := pump.Exponent(Clocked(got.Sizes)) // other processes add to the time of some lengths
			// What is in proportion may take too little at all lengths.
			if above := e > 1.35; above != c.above || above && timedWell(got.Sizes) < timedSizes || (got.Stops != nil) != c.stops {
				wrong = fmt.Sprintf("%+v, stops %+v", got.Sizes, got.Stops)
			}
			// What is in proportion may be over before it was sampled.
			sampled := c.above || len(got.Frames) > 0
			if sampled && (len(got.Frames) == 0 || !strings.Contains(got.Frames[0], "clock_test.go:") || got.Outside != c.calls) {
				wrong += fmt.Sprintf("%q calls %q", got.Frames, got.Outside)
			}
			if wrong == "" {
				break
			}
		}
		if wrong != "" {
			t.Errorf("%s: %s", c.target, wrong)
		}
	}
}

// Lengths that are asked for are timed if the input grows by time, and then it is said where.
func TestTimedAtLengths(t *testing.T) {
	for _, byTime := range []bool{false, true} {
		w := looptest.New(t, initial(), outside["search"], make([]uint8, 1), make([]bool, 1))
		got := served(t, w, "<", wire.Grow{Growing: wire.Growing{ByTime: byTime}, Times: []int{4096, 16384}, Fuel: 1 << 20, Where: true})
		if len(got.Sizes) != 2 || got.Outside != "" != byTime {
			t.Errorf("by time: %v: %+v", byTime, got)
		}
	}
}

// What was timed at three lengths costs too much if it grows too fast at the last, and a megabyte would take a second.
func TestTooSlow(t *testing.T) {
	at := func(micros ...int) (list []wire.Size) {
		for i, n := range micros {
			list = append(list, wire.Size{Len: 2048 << (2 * i), CPU: time.Duration(n) * time.Microsecond})
		}
		return list
	}
	for _, c := range []struct {
		sizes []wire.Size
		want  bool
	}{
		{at(100, 1600, 25_600), true},
		{at(100, 600, 9000), true},
		{at(100, 400, 1600), false},
		{at(100, 450, 9000), false}, // by chance
		{at(100, 1600, 7000), false},
		{at(1, 16, 256), false}, // a megabyte takes little
		{at(100, 1600), false},
		{at(0, 0, 25_600), false},
	} {
		if got := TooSlow(c.sizes); got != c.want {
			t.Errorf("%v: %v", c.sizes, got)
		}
	}
}

// Of runs of a length the least counts: of what takes little, that of more runs. A look has only a few.
func TestTimedEnough(t *testing.T) {
	const short, long = 300 * time.Microsecond, 5 * time.Millisecond
	for _, c := range []struct {
		runs        int
		bytes       int64
		least, took time.Duration
		want        bool
	}{
		{1, 0, long, long, false},
		{2, 0, long, 2 * long, true},
		{2, clockGarbage, long, 2 * long, false},
		{clockGarbageRuns, clockGarbage, long, 4 * long, true},
		{2, 0, short, 2 * long, false},
		{3, 0, short, 2 * short, false},
		{3, 0, short, 2 * long, true},
		{14, 0, short, 14 * short, true},
	} {
		if got := timedEnough(c.runs, wire.Size{CPU: c.least, Bytes: c.bytes}, c.took); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// What a length takes in its first few runs does not count if it is short.
func TestTimedAfterTheFirstRuns(t *testing.T) {
	runs := make(map[int]int)
	w := looptest.New(t, initial(), func(_ *testing.T, s string) {
		times := 100
		if runs[len(s)]++; len(s) == 1024 && runs[len(s)] <= 5 {
			times *= 8
		}
		for range times {
			strings.Count(s, ";")
		}
	}, make([]uint8, 1), make([]bool, 1))
	got := served(t, w, ";", wire.Grow{Growing: wire.Growing{ByTime: true}, Times: []int{1024, 2048}, Fuel: 1 << 20})
	if e := between(got.Sizes[0], got.Sizes[1]); e < 0 {
		t.Errorf("%+v: a longer one takes less", got.Sizes)
	}
}

// What the text takes that grows is not the target's time: new memory may take longer than a target that hardly reads it.
func TestTheTextTakesNoTime(t *testing.T) {
	w := looptest.New(t, initial(), func(_ *testing.T, _ string) {}, make([]uint8, 1), make([]bool, 1))
	got := served(t, w, ";", wire.Grow{Growing: wire.Growing{ByTime: true}, Times: []int{1 << 10, 1 << 19}, Fuel: 1 << 20})
	const step = time.Microsecond // of the clock
	if a, b := got.Sizes[0].CPU, got.Sizes[1].CPU; b > 100*max(a, step) {
		t.Errorf("a text that is 512 times as long, which nobody reads, takes %v, and the shorter one %v", b, a)
	}
}

// Memory that is new to the process takes longer than what it has used before, which short lengths find and long ones do
// not: that is not the target's time.
func TestNewMemoryTakesNoTime(t *testing.T) {
	const used = 16 << 20 // bytes, enough for the shorter two
	w := looptest.New(t, initial(), outside["litter"], make([]uint8, 1), make([]bool, 1))
	outside["litter"](t, strings.Repeat(";", used/112)) // 112 bytes hold 100
	runtime.GC()
	got := served(t, w, ";", wire.Grow{Growing: wire.Growing{ByTime: true}, Times: []int{1 << 11, 1 << 13, 1 << 17}, Fuel: 1 << 20})
	if e := between(got.Sizes[0], got.Sizes[2]); e > 1.3 {
		t.Errorf("%+v: what is in proportion to the length has the exponent %.2f", got.Sizes, e)
	}
}
