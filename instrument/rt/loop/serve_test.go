package loop

import (
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A worker says what its fuzz test takes and begins with, once it knows the program.
// Before that it serves nothing, and what is not for fuzz tests never.
func TestAWorkerIntroducesItself(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	var counters [3]uint8
	var slow [2]bool
	target := func(_ *testing.T, _ string, _ int8) {}
	w := looptest.New(t, &wire.Init{}, target, counters[:], slow[:])
	l := &Loop{
		conn: w.Conn, target: w.Target, seeds: [][]any{{"a", int8(1)}, {"b"}, {"c", int8(3)}},
		start: fuzzmutrt.Started{Burned: 9, Reached: []uint64{0b1010}, Infected: []uint64{0b1000}},
	}
	if err := ask(l, wire.Request{Run: &wire.Run{}}); err == nil || !strings.Contains(err.Error(), "before Init") {
		t.Errorf("a Run before Init: %v", err)
	}
	w.Reset()
	for _, bad := range []wire.Init{{Counters: 2, Funcs: 2}, {Counters: 3, Funcs: 1}} {
		if err := ask(l, wire.Request{Init: &bad}); err == nil || !strings.Contains(err.Error(), "was replaced") {
			t.Errorf("another binary: %v", err)
		}
	}
	if err := ask(l, wire.Request{Init: &wire.Init{Counters: 3, Funcs: 2, MutantFunc: make([]int32, 3), Seeds: true}}); err != nil {
		t.Fatal(err)
	}
	all := w.Replies()
	if len(all) != 1 || all[0].Hello == nil {
		t.Fatalf("%+v", all)
	}
	h := all[0].Hello
	if strings.Join(h.Types, " ") != "string int8" || h.StartFuel != 9 || h.Values != "" || h.NoBreeder {
		t.Errorf("%+v", h)
	}
	if len(h.InitReached) != 2 || h.InitReached[0] != 1 || h.InitReached[1] != 3 || len(h.InitInfected) != 1 || h.InitInfected[0] != 3 {
		t.Errorf("what the start reaches: %v, and infects: %v", h.InitReached, h.InitInfected)
	}
	var seeds []string
	for _, data := range h.Seeds {
		vals, err := l.target.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, vals[0].(string))
	}
	if strings.Join(seeds, " ") != "a c" || h.SeedError != "input has 1 values, the fuzz target takes 2" {
		t.Errorf("seeds %q, %s", seeds, h.SeedError)
	}
	again := &Loop{conn: w.Conn, target: w.Target, seeds: [][]any{{"a", int8(1)}}}
	w.Reset()
	if err := ask(again, wire.Request{Init: &wire.Init{Counters: 3, Funcs: 2}}); err != nil {
		t.Fatal(err)
	}
	if all := w.Replies(); len(all) != 1 || all[0].Hello == nil || len(all[0].Hello.Seeds) > 0 || again.seeds != nil {
		t.Errorf("seeds that nobody has asked for: %+v", all)
	}
	if zero, err := l.target.Decode(h.Zero); err != nil || zero[0] != "" || zero[1] != int8(0) {
		t.Errorf("zero values %v, %v", zero, err)
	}
	if err := ask(l, wire.Request{Tests: &wire.Tests{}}); err == nil || !strings.Contains(err.Error(), "that fuzz tests do not serve") {
		t.Errorf("tests: %v", err)
	}
}

// All arguments together fit into the memory that is shared.
func TestArgumentsAreBounded(t *testing.T) {
	one := &Loop{target: exec.NewTarget(func(*testing.T, []byte) {}, looptest.Hooks())}
	three := &Loop{target: exec.NewTarget(func(*testing.T, []byte, []byte, string) {}, looptest.Hooks())}
	if got := one.maxLen(0); got != defaultMaxLen {
		t.Errorf("by default %d", got)
	}
	if got := one.maxLen(77); got != 77 {
		t.Errorf("asked for 77: %d", got)
	}
	for _, l := range []*Loop{one, three} {
		n := len(l.target.Types)
		most := l.maxLen(1 << 30)
		vals := l.target.Zero()
		for i := range vals {
			b := make([]byte, most)
			if vals[i] = b; i == 2 {
				vals[i] = string(b)
			}
		}
		if size := len(wire.Encode(vals)); size > wire.InputMost {
			t.Errorf("%d arguments of %d bytes take %d of %d", n, most, size, wire.InputMost)
		}
	}
}

// results asks for a run of items, and returns what comes of it.
func results(t *testing.T, p *looptest.Program, items ...wire.Item) (list []wire.Result, unstable []wire.Unstable) {
	t.Helper()
	l, out := loopOf(p.Worker(t))
	if err := ask(l, wire.Request{Run: &wire.Run{Items: items}}); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Replies() {
		switch {
		case r.Result != nil:
			list = append(list, *r.Result)
		case r.Unstable != nil:
			unstable = append(unstable, *r.Unstable)
		}
	}
	return list, unstable
}

// A value that differs between runs of the original does not count from then on, not even for
// mutants: what differs by chance is no kill.
func TestValuesThatChangeByChanceDoNotCount(t *testing.T) {
	input := wire.Encode([]any{[]byte("abc")})
	for _, c := range []struct {
		name     string
		mood     func() int
		observed int
		unstable bool
	}{
		{"steady", nil, 1, false},
		{"moody", func() func() int {
			n := 0
			return func() int { n++; return n }
		}(), 0, true},
	} {
		p := &looptest.Program{Mood: c.mood}
		list, unstable := results(t, p, wire.Item{Input: input, Check: true, Select: wire.SelectListed, Mutants: wire.IDs{looptest.Value}})
		if len(list) != 1 || list[0].Observed != c.observed || list[0].Outcome.Kind != wire.Pass {
			t.Errorf("%s: %+v", c.name, list)
		}
		if (len(unstable) == 1) != c.unstable || c.unstable && (unstable[0].Outcome || unstable[0].Value != wire.Value{Site: 0, Value: 0}) {
			t.Errorf("%s: unstable %+v", c.name, unstable)
		}
	}
}

// What differs on one input may count again on the next, if whoever asks wants that, and few inputs are like it.
func TestNoiseOfOneInput(t *testing.T) {
	item := wire.Item{Input: wire.Encode([]any{[]byte("abc")}), Check: true, Select: wire.SelectListed, Mutants: wire.IDs{looptest.Value}}
	for _, c := range []struct {
		ofInputs bool
		before   wire.Noise
		counts   bool // on the second input
	}{
		{false, wire.Noise{Checked: 9}, false},
		{true, wire.Noise{}, false},
		{true, wire.Noise{Checked: 1}, true},
		{true, wire.Noise{Checked: 9, Noisy: 5}, false},
	} {
		n := 0
		p := &looptest.Program{Mood: func() int { n++; return min(n, 8) }} // the first input alone has a mood
		l, out := loopOf(p.Worker(t))
		l.noiseOfInputs, l.noise = c.ofInputs, c.before
		if err := ask(l, wire.Request{Run: &wire.Run{Items: []wire.Item{item, item}}}); err != nil {
			t.Fatal(err)
		}
		var observed, kills []int
		var noisy []bool
		unstable := 0
		for _, r := range out.Replies() {
			switch {
			case r.Result != nil:
				observed, noisy = append(observed, r.Result.Observed), append(noisy, r.Result.Noisy)
			case r.Kill != nil:
				kills = append(kills, r.Kill.Item)
			case r.Unstable != nil:
				unstable++
			}
		}
		want := 0
		if c.counts {
			want = 1
		}
		if !slices.Equal(observed, []int{0, want}) || !slices.Equal(noisy, []bool{true, false}) || len(kills) != want || unstable != 1-want {
			t.Errorf("%+v: observed %v, noisy %v, kills on %v, told of %d", c, observed, noisy, kills, unstable)
		}
	}
}

// An outcome that changes by chance is reported, and nothing else is done with the input.
func TestOutcomesThatChangeByChance(t *testing.T) {
	var counters [1]uint8
	var slow [1]bool
	runs := 0
	l, out := newTestLoop(t, 1, func(t *testing.T, _ string) {
		if runs++; runs == 4 {
			t.Error("by chance")
		}
	}, counters[:], slow[:])
	item := wire.Item{Input: wire.Encode([]any{"a"}), Check: true, Select: wire.SelectNone}
	if err := ask(l, wire.Request{Run: &wire.Run{Items: []wire.Item{item}}}); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, r := range out.Replies() {
		if r.Unstable != nil && r.Unstable.Outcome && strings.Contains(r.Unstable.Text, "fail") {
			found++
		}
	}
	if found != 1 {
		t.Errorf("told %d times", found)
	}
}

// An input is run again and again to see how often it fails, as long as that does not burn
// too much.
func TestInputsAreRepeated(t *testing.T) {
	var counters [1]uint8
	var slow [1]bool
	runs := 0
	target := func(t *testing.T, _ string) {
		fuzzmutrt.Fuel -= 1000
		if runs++; runs%3 == 0 {
			panic("now and then")
		}
	}
	for _, c := range []struct {
		repeat       int
		burn         int64
		runs, failed int
	}{
		{9, 1 << 40, 9, 3},
		{2, 1 << 40, 2, 0},
		{9, 1, 1, 0},
		{9, 4*1000 + 1, 4, 1},
	} {
		runs = 0
		l, out := newTestLoop(t, 1, target, counters[:], slow[:])
		item := wire.Item{Input: wire.Encode([]any{"a"}), Repeat: c.repeat, Burn: c.burn, Select: wire.SelectAlive}
		if err := ask(l, wire.Request{Run: &wire.Run{Items: []wire.Item{item}}}); err != nil {
			t.Fatal(err)
		}
		r := out.Replies()[0].Result
		if r == nil || r.Failed != c.failed || r.Runs > c.runs || r.Runs == 0 || c.burn > 1<<30 && r.Runs != c.runs || (r.Outcome.Kind == wire.Panic) != (c.failed > 0) {
			t.Errorf("%d times for %d: %+v", c.repeat, c.burn, r)
		}
		if c.failed > 0 && r.Outcome.Message != "now and then" {
			t.Errorf("%+v", r.Outcome)
		}
	}
}
