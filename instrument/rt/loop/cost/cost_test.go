package cost

import (
	"slices"
	"strings"
	"testing"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// targets are fuzz targets, rewritten by hand: each loop burns.
var targets = map[string]func(t *testing.T, s string){
	"line":   func(_ *testing.T, s string) { turns(len(s)) },
	"square": func(_ *testing.T, s string) { turns(count(s, ";") * count(s, ";")) },
	"cube":   func(_ *testing.T, s string) { turns(count(s, ";") * count(s, ";") * count(s, ";")) },
	"nested": func(_ *testing.T, s string) {
		if i := strings.Index(s, ")"); i > 0 && strings.Trim(s[:i], "(") == "" && strings.Trim(s[i:], ")") == "" && len(s) == 2*i {
			turns(i * i)
		}
	},
	"distinct": func(_ *testing.T, s string) {
		seen := make(map[string]bool)
		for _, w := range strings.Split(s, ",") {
			turns(len(seen))
			seen[w] = true
		}
	},
	"slow":    func(_ *testing.T, s string) { turns(50 * count(s, ";") * count(s, ";")) },
	"limited": func(_ *testing.T, s string) { turns(min(len(s), 100) * min(len(s), 100)) },
	"power": func(_ *testing.T, s string) {
		n := len(s) / 2
		turns(n * n * n * n * n)
	},
	"exponential": func(_ *testing.T, s string) { turns(1 << min(len(s)/2, 50)) },
	"costly":      func(_ *testing.T, s string) { turns(300 * count(s, ";") * count(s, ";")) },
	"dear":        func(_ *testing.T, s string) { turns(8 * count(s, ";") * count(s, ";")) },
	"refused": func(_ *testing.T, s string) { // it is too deep
		if n := count(s, ";"); n <= 20_000 {
			turns(n * n)
		}
	},
	"littered": func(_ *testing.T, s string) {
		for range count(s, ";") {
			turns(1000)
			sink = make([]byte, 1<<20)
		}
	},
	"copied": func(_ *testing.T, s string) {
		all := ""
		for range count(s, ";") {
			turns(1)
			all = concat(all, ";;;;")
		}
	},
}

var sink []byte

//go:noinline
func concat(a, b string) string { return a + b }

func count(s, sub string) int { return strings.Count(s, sub) }

//go:noinline
func turns(n int) {
	for range n {
		if fuzzmutrt.Fuel--; fuzzmutrt.Fuel < 0 {
			fuzzmutrt.Out()
		}
	}
}

// initial has frames of this package told from the machinery, which lies above it.
func initial() *wire.Init {
	return &wire.Init{UserPackages: []string{"github.com/fuzzmut/fuzzmut/instrument/rt/loop/cost"}}
}

// hunter returns a hunter of a target, which has one text to cut.
func hunter(t *testing.T, name, text string) (*Hunter, *looptest.Worker) {
	t.Helper()
	w := looptest.New(t, initial(), targets[name], make([]uint8, 1), make([]bool, 1))
	h := &Hunter{Conn: w.Conn, Target: w.Target, Exec: w.Exec, MaxLen: 1 << 20, Share: 10}
	h.Begin(1, false, 0)
	h.Add([]any{text})
	return h, w
}

// found hunts n times, or until a pump is reported, and returns what was.
func found(t *testing.T, h *Hunter, w *looptest.Worker, n int, pump string) (list []*wire.Costly) {
	t.Helper()
	for range n {
		if err := h.Hunt(func(exec.Execution) error { t.Error("failed"); return nil }); err != nil {
			t.Fatal(err)
		}
		for _, r := range w.Replies() {
			if list = append(list, r.Costly); pump != "" && string(r.Costly.Pump.First) == pump {
				return list
			}
		}
	}
	return list
}

func TestCostlyInputsAreFound(t *testing.T) {
	for _, c := range []struct {
		target, text string
		first        string // the pump, minimized; "" if none is to be found
	}{
		{"line", "a;b", ""},
		{"square", "a;b", ";"},
		{"cube", "a;b", ";"},
		{"exponential", "a;b", ";"},
		{"nested", "(())", "("},
		{"distinct", "a,b,c", ","},
		{"limited", "a;b", ""},
		{"copied", "a;b", ";"},
	} {
		h, w := hunter(t, c.target, c.text)
		list := found(t, h, w, 200, c.first)
		if c.first == "" {
			if len(list) > 0 {
				t.Errorf("%s: %q found", c.target, list[0].Pump.First)
			}
			continue
		}
		if len(list) == 0 || string(list[len(list)-1].Pump.First) != c.first {
			t.Errorf("%s: %d found, the last is not %q", c.target, len(list), c.first)
			continue
		}
		place := ".turns"
		if c.target == "copied" {
			place = ".concat" // that allocates; the work that is counted is elsewhere
		}
		if p := list[0]; p.Arg != 0 || len(p.Sizes) < 3 || len(p.Frames) == 0 || !strings.Contains(p.Frames[0], place) {
			t.Errorf("%s: %+v", c.target, p)
		}
	}
}

// A length that ran out of fuel burns more than was seen: it takes nothing away from what grows
// too fast before it.
func TestEndedLengths(t *testing.T) {
	sizes := func(fuel ...int64) (list []wire.Size) {
		for i, f := range fuel {
			list = append(list, wire.Size{Times: 1 << i, Len: 512 << i, Fuel: f})
		}
		return list
	}
	g := &growing{Hunter: &Hunter{}}
	for _, c := range []struct {
		before []wire.Size
		last   int64
		points int
		want   bool
	}{
		{sizes(100, 400, 1600), 1601, 3, true},
		{sizes(100, 400, 1600), 6400, 4, true},
		{sizes(100, 200, 400), 500, 3, false},
		{sizes(100, 400), 1600, 3, true},
		{sizes(100, 400), 500, 2, false}, // too few
		{sizes(100), 1000, 1, false},
		{nil, 1000, 0, false},
	} {
		last := wire.Size{Times: 1 << len(c.before), Len: 512 << len(c.before), Fuel: c.last}
		if points, tooMuch := g.ended(c.before, last); len(points) != c.points || tooMuch != c.want {
			t.Errorf("%v, ended at %d: %v of %v", c.before, c.last, tooMuch, points)
		}
	}
}

// What burns much at once is found at short lengths.
func TestDearPumpsAreFoundAtShortLengths(t *testing.T) {
	h, w := hunter(t, "dear", "a;b")
	list := found(t, h, w, 200, ";")
	if len(list) == 0 || list[0].Sizes[0].Len > firstLen/2 || h.spent > 100<<20 {
		t.Errorf("%d found, %d burned", len(list), h.spent)
	}
}

// Two hunters with the same seed report the same, and burn the same.
func TestHuntsAreAFunctionOfTheSeed(t *testing.T) {
	hunt := func() (inputs []string, spent int64) {
		h, w := hunter(t, "square", "a;b, c")
		for _, g := range found(t, h, w, 60, "") {
			inputs = append(inputs, string(g.Pump.Prefix)+"|"+string(g.Pump.First)+"|"+string(g.Pump.Suffix))
		}
		return inputs, h.spent
	}
	a, spentA := hunt()
	b, spentB := hunt()
	if !slices.Equal(a, b) || spentA != spentB || spentA == 0 {
		t.Errorf("%q with %d, %q with %d", a, spentA, b, spentB)
	}
}

// What a hunter spends is a share of all fuel, and counts as nobody else's.
func TestHuntersKeepToTheirShare(t *testing.T) {
	h, w := hunter(t, "square", "a;b")
	due := 0
	for range 2000 {
		w.Exec.Original([]any{strings.Repeat(";", 100)}, exec.HangFuel)
		before := w.Exec.Spent
		if h.Due() {
			due++
			found(t, h, w, 1, "")
		}
		if w.Exec.Spent != before {
			t.Fatal("it counts as spent for something else")
		}
	}
	if most := firstFuel + w.Exec.Spent/10 + 200<<20; due == 0 || h.spent > most {
		t.Errorf("%d hunts, %d spent of %d", due, h.spent, most)
	}
	if h.Share = 0; h.on {
		h.drawer.Rand = nil
		if h.Begin(1, false, 0); h.Due() {
			t.Error("without a share there is something to do")
		}
	}
}

// A target of numbers has nothing that grows.
func TestNumbersDoNotGrow(t *testing.T) {
	w := looptest.New(t, initial(), func(*testing.T, int, bool) {}, make([]uint8, 1), make([]bool, 1))
	h := &Hunter{Conn: w.Conn, Target: w.Target, Exec: w.Exec, MaxLen: 1 << 20, Share: 10}
	h.Begin(1, false, 0)
	h.Add([]any{1, true})
	if h.Due() || len(h.bases) > 0 {
		t.Error("there is something to do")
	}
}

// An input on which the target fails is reported as any other is.
func TestFailuresAreHandedOn(t *testing.T) {
	fails := func(t *testing.T, s string) {
		if len(s) > 400 {
			t.Error("too long")
		}
	}
	w := looptest.New(t, initial(), fails, make([]uint8, 1), make([]bool, 1))
	h := &Hunter{Conn: w.Conn, Target: w.Target, Exec: w.Exec, MaxLen: 1 << 20, Share: 10}
	h.Begin(1, false, 0)
	h.Add([]any{"a;b"})
	failed := 0
	if err := h.Hunt(func(ex exec.Execution) error { failed++; return nil }); err != nil || failed != 1 {
		t.Errorf("%d failures (%v)", failed, err)
	}
}

// An input that is dear for its length is kept, once it is much dearer than those before.
func TestDearInputs(t *testing.T) {
	h, _ := hunter(t, "line", "")
	for i, c := range []struct {
		len    int
		burned int64
		want   bool
	}{{10, 100, true}, {11, 100, false}, {12, 140, false}, {12, 300, true}, {100, 100, true}, {0, 100, false}, {1 << 20, 1 << 40, false}} {
		class, dear := h.Price(c.len, c.burned)
		if dear != c.want {
			t.Errorf("%d: %d bytes, %d burned: %v", i, c.len, c.burned, dear)
		}
		if dear {
			h.Dear(class, []any{"x"})
		}
	}
}

// served measures a text that is only a pump, and returns the reply.
func served(t *testing.T, w *looptest.Worker, pump string, req wire.Grow) *wire.Grown {
	t.Helper()
	if err := w.Conn.Begin(&wire.Request{Grow: &wire.Grow{}}); err != nil {
		t.Fatal(err)
	}
	g := Grower{Conn: w.Conn, Target: w.Target, Exec: w.Exec, MaxLen: 1 << 20}
	req.Growing = wire.Growing{Input: wire.Encode([]any{""}), Pump: wire.Pump{First: []byte(pump)}, ByTime: req.ByTime}
	if err := g.Serve(&req); err != nil {
		t.Fatal(err)
	}
	return w.Replies()[0].Grown
}

// A measurement goes up to lengths that take time, and says where the work is done.
func TestMeasured(t *testing.T) {
	w := looptest.New(t, initial(), targets["square"], make([]uint8, 1), make([]bool, 1))
	got := served(t, w, ";", wire.Grow{Most: 4096, CPU: 1 << 40})
	if len(got.Sizes) != 3 || got.Failed || len(got.Frames) == 0 || !strings.Contains(got.Frames[0], ".turns") {
		t.Fatalf("%+v", got)
	}
	for i, s := range got.Sizes {
		if s.Len != 1024<<i || s.Fuel != int64(s.Len)*int64(s.Len) || s.CPU <= 0 {
			t.Errorf("size %d: %+v", i, s)
		}
	}
}

// What grows too fast for lengths that double is measured at shorter ones that are closer together.
// Work that stops growing is seen as such.
func TestMeasuredWhereItGrows(t *testing.T) {
	for _, c := range []struct {
		target string
		pump   string
		sizes  int // with a time that says something, at least
		stops  bool
	}{
		{"power", "ab", 3, false},
		{"exponential", "ab", 4, false},
		{"costly", ";", 4, false},
		{"refused", ";", 4, true},
	} {
		w := looptest.New(t, initial(), targets[c.target], make([]uint8, 1), make([]bool, 1))
		got := served(t, w, c.pump, wire.Grow{CPU: time.Hour}) // fuel ends it, on any machine
		_, above := pump.Above(Work(got.Sizes), Bound)
		if timedWell(got.Sizes) < c.sizes || !above || (got.Stops != nil) != c.stops {
			t.Errorf("%s: %+v, stops %+v", c.target, got.Sizes, got.Stops)
		}
		for i := range got.Sizes[1:] {
			if got.Sizes[i].Len >= got.Sizes[i+1].Len {
				t.Errorf("%s: %d bytes before %d", c.target, got.Sizes[i].Len, got.Sizes[i+1].Len)
			}
		}
	}
}

// A length that would be too much is not run where enough others pass, nor does one allocate
// more than it may. What does not grow too fast is not timed.
func TestMeasuredAsFarAsNeeded(t *testing.T) {
	for _, c := range []struct {
		target, pump string
		req          wire.Grow
		passed       int
		failed       bool
		spent        int64 // fuel, at most
	}{
		{"exponential", "ab", wire.Grow{Times: []int{1, 2, 4, 8, 16, 32, 64}, Fuel: 12 << 20}, 5, true, 1 << 17},
		{"littered", ";", wire.Grow{Times: []int{1, 160}, Fuel: 1 << 30}, 1, true, 1 << 31},
		{"littered", ";", wire.Grow{Times: []int{1, 40}, Fuel: 1 << 30}, 2, false, 100_000},
		{"line", "a", wire.Grow{CPU: time.Hour}, 11, false, 5 << 20},
	} {
		w := looptest.New(t, initial(), targets[c.target], make([]uint8, 1), make([]bool, 1))
		got := served(t, w, c.pump, c.req)
		if len(got.Sizes) != c.passed || got.Failed != c.failed || w.Exec.Spent > c.spent {
			t.Errorf("%s: %+v, %d burned", c.target, got, w.Exec.Spent)
		}
	}
}

// What takes long only the first time does not end a measurement.
func TestMeasuredAfterTheFirstTime(t *testing.T) {
	first := true
	target := func(_ *testing.T, s string) {
		if first {
			first = false
			for begin := cpu(); cpu()-begin < 20*time.Millisecond; {
			}
		}
		turns(count(s, ";") * count(s, ";"))
	}
	w := looptest.New(t, initial(), target, make([]uint8, 1), make([]bool, 1))
	if got := served(t, w, ";", wire.Grow{CPU: 20 * time.Millisecond}); len(got.Sizes) < timedSizes {
		t.Errorf("%+v", got)
	}
}

// With a mutant the input is run at the lengths that are asked for, and no further than its
// fuel goes. The mutant is active in the slow body of its function.
func TestMeasuredWithAMutant(t *testing.T) {
	slow := make([]bool, 1)
	target := func(_ *testing.T, s string) {
		if slow[0] && fuzzmutrt.Active == 1 {
			turns(len(s))
		} else {
			turns(len(s) * len(s))
		}
	}
	init := initial()
	init.MutantFunc = []int32{0, 0}
	w := looptest.New(t, init, target, make([]uint8, 1), slow)
	g := Grower{Conn: w.Conn, Target: w.Target, Exec: w.Exec, MaxLen: 1 << 20}
	for _, c := range []struct {
		mutant uint32
		fuel   int64
		want   []int64 // burned at least
	}{
		{1, 1 << 20, []int64{100, 200, 400}},
		{2, 1 << 20, []int64{10_000, 40_000, 160_000}},
		{2, 150_000, []int64{10_000, 40_000}},
	} {
		if err := w.Conn.Begin(&wire.Request{Grow: &wire.Grow{}}); err != nil {
			t.Fatal(err)
		}
		req := &wire.Grow{
			Growing: wire.Growing{Input: wire.Encode([]any{""}), Pump: wire.Pump{First: []byte(";")}},
			Mutant:  c.mutant, Times: []int{100, 200, 400}, Fuel: c.fuel,
		}
		if err := g.Serve(req); err != nil {
			t.Fatal(err)
		}
		got := w.Replies()[0].Grown
		if len(got.Sizes) != len(c.want) || got.Failed != (len(c.want) < 3) || got.Frames != nil || slow[0] {
			t.Fatalf("%+v: %+v", c, got)
		}
		for i, s := range got.Sizes {
			if s.Fuel < c.want[i] || s.Fuel > c.want[i]+100 {
				t.Errorf("%+v: %+v", c, s)
			}
		}
	}
}

// To ask for the processor time takes a small part of it, whether inputs are fast or slow.
func TestProcessorTimeIsAskedForAfterTheInputsThatTakeIt(t *testing.T) {
	for _, c := range []struct {
		wanted, took time.Duration
		inputs       int64
		want         int64
	}{
		{time.Millisecond, 2 * time.Second, 1_000_000, 500},
		{time.Millisecond, time.Second, 10, 1},
		{50 * time.Millisecond, time.Second, 1000, 50},
		{time.Millisecond, time.Millisecond, 1_000_000, askMost},
		{0, 0, 0, 1},
		{-time.Second, time.Second, 1000, 1},
	} {
		if got := asksAfter(c.wanted, c.took, c.inputs); got != c.want {
			t.Errorf("%v, where %d inputs take %v: again after %d, want %d", c.wanted, c.inputs, c.took, got, c.want)
		}
	}
}

// Hunts keep to their share of the processor time up to one step, whatever pumps they find: what makes one smaller is
// divided. A process that has nothing ahead begins with none. What is ahead is part of the share.
func TestHuntersOweNoMoreThanAStep(t *testing.T) {
	for _, ahead := range []time.Duration{0, 20 * time.Millisecond} {
		h, w := hunter(t, "slow", "a;b;c;d;e;f;g;h;")
		h.Begin(1, true, ahead)
		longest, steps := time.Duration(0), 0
		for range 1500 {
			w.Exec.Original([]any{strings.Repeat(";", 80)}, exec.HangFuel)
			if !h.Due() {
				continue
			}
			if left := max(ahead, (cpu()-h.start)/time.Duration(h.Share)) - h.took; left < 0 {
				t.Fatalf("due, %v after the share", -left)
			}
			before := h.took
			found(t, h, w, 1, "")
			longest = max(longest, h.took-before)
			if steps++; h.pursued != nil {
				steps += 1 << 20
			}
		}
		all := cpu() - h.start
		if steps < 1<<20 {
			t.Errorf("%d hunts, none pursued a pump", steps)
		}
		if most := max(ahead, all/time.Duration(h.Share)) + longest; h.took > most {
			t.Errorf("%v of %v, the longest step took %v", h.took, all, longest)
		}
	}
}

// A pump that costs too much is reported at the end of a round, which may be the last, though it is not yet as small as
// it will be: once, and only if its place has none.
func TestPumpsAreReportedBeforeTheyAreSmall(t *testing.T) {
	h, w := hunter(t, "square", "prefix a;b suffix")
	for range 200 {
		if found(t, h, w, 1, ""); h.pursued != nil {
			break
		}
	}
	var reports []*wire.Costly
	take := func() {
		for _, r := range w.Replies() {
			reports = append(reports, r.Costly)
		}
	}
	for range 3 {
		if err := h.Flush(); err != nil {
			t.Fatal(err)
		}
		take()
	}
	if len(reports) != 1 || !reports[0].Rough || reports[0].Count != 1 || len(reports[0].Sizes) < 3 {
		t.Fatalf("%d reports: %+v", len(reports), reports)
	}
	for range 200 {
		if h.pursued == nil {
			break
		}
		if err := h.Hunt(nil); err != nil {
			t.Fatal(err)
		}
		take()
	}
	if len(reports) != 2 || reports[1].Rough || reports[1].Count != 0 || len(reports[1].Pump.First) >= len(reports[0].Pump.First) {
		t.Errorf("%d reports: %+v, %+v", len(reports), reports[0], reports[len(reports)-1])
	}
}
