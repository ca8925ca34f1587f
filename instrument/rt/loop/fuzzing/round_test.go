package fuzzing

import (
	"slices"
	"strings"
	"testing"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/values"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// newTestFuzzer returns the fuzzer of a worker with a target and a number of mutants.
func newTestFuzzer(tb testing.TB, mutants int, target any, counters []uint8, slow []bool) (*Fuzzer, *looptest.Worker) {
	tb.Helper()
	return newFuzzer(looptest.New(tb, &wire.Init{MutantFunc: make([]int32, mutants)}, target, counters, slow), nil)
}

func newFuzzer(w *looptest.Worker, v *values.Values) (*Fuzzer, *looptest.Worker) {
	return New(Config{
		Conn: w.Conn, Target: w.Target, Exec: w.Exec, Muts: w.Muts, Cov: w.Cov, Values: v,
		Funcs: len(fuzzmutrt.Packages[0].Slow), MaxLen: 200,
	}), w
}

// ask has a fuzzer serve a round.
func ask(f *Fuzzer, req wire.Request) error {
	return f.Conn.Answer(&req, func(req *wire.Request) error { return f.Serve(req.Fuzz) })
}

// Inputs from elsewhere are run between those that are bred, and looked at closer.
func TestInputsFromElsewhereAreRunInBetween(t *testing.T) {
	var counters [8]uint8
	var slow [1]bool
	var ran []string
	f, out := newTestFuzzer(t, 1, func(_ *testing.T, s string) {
		if !slow[0] {
			ran = append(ran, s)
		} else if fuzzmutrt.Tracing {
			fuzzmutrt.Reached[0], fuzzmutrt.Infected[0] = 2, 2
		} else if fuzzmutrt.Active == 1 && s == "two" {
			panic("a kill")
		}
	}, counters[:], slow[:])
	req := &wire.Fuzz{Seed: 1, Execs: 5, Filter: "all", Slow: 1000, Limit: 10_000}
	for _, s := range []string{"one", "two", "three"} {
		req.Try = append(req.Try, wire.Encode([]any{s}))
	}
	if err := ask(f, wire.Request{Fuzz: req}); err != nil {
		t.Fatal(err)
	}
	all := out.Replies()
	if end := all[len(all)-1].Fuzzed; end == nil || end.Tried != 2 {
		t.Errorf("the round ends with %+v", end)
	}
	if !slices.Contains(ran, "one") || !slices.Contains(ran, "two") || slices.Contains(ran, "three") {
		t.Errorf("%q were run", ran)
	}
	kills := 0
	for _, r := range all {
		if r.Found != nil {
			kills += len(r.Found.Kills)
		}
	}
	if kills != 1 {
		t.Errorf("%d kills: no new block leads to it", kills)
	}
}

// A parent answers for its children, each of them once.
func TestYieldsAreBookedByParent(t *testing.T) {
	var counters [8]uint8
	l, out := newTestFuzzer(t, 0, func(_ *testing.T, s string) {
		counters[0]++
		fuzzmutrt.Fuel -= int64(len(s))
		for i := range 6 {
			if strings.Count(s, "a") > 10*(i+1) {
				counters[1+i]++
			}
		}
	}, counters[:], nil)
	req := &wire.Fuzz{Seed: 1, Execs: 20_000, Filter: "none", Slow: 1000, Limit: 10_000}
	for id, s := range []string{strings.Repeat("a", 9), "", "b"} {
		req.Add = append(req.Add, wire.Entry{ID: id, Input: wire.Encode([]any{s})})
	}
	req.Parents = []wire.Parent{{ID: 0, Weight: 3}, {ID: 2, Weight: 1}}
	if err := ask(l, wire.Request{Fuzz: req}); err != nil {
		t.Fatal(err)
	}
	all := out.Replies()
	end := all[len(all)-1].Fuzzed
	if end == nil || len(end.Yields) != 2 || end.Yields[0].ID != 0 || end.Yields[1].ID != 2 {
		t.Fatalf("the round ends with %+v", all[len(all)-1])
	}
	features := 0
	for _, r := range all {
		if r.Found != nil {
			features++
		}
	}
	rich, poor := end.Yields[0], end.Yields[1]
	if rich.Brought == 0 || rich.Brought+poor.Brought > int64(features*yieldMost) {
		t.Errorf("%d finds, brought %d and %d", features, rich.Brought, poor.Brought)
	}
	if rich.Fuel+poor.Fuel > l.Exec.Spent {
		t.Errorf("the parents burned %d and %d of %d", rich.Fuel, poor.Fuel, l.Exec.Spent)
	}
	if rich.Fuel < 2*poor.Fuel {
		t.Errorf("three times the weight, fuel %d against %d", rich.Fuel, poor.Fuel)
	}
}

// What waited is run with mutants once there is fuel, and reported once more.
func TestInputsThatWaitAreRunWithMutants(t *testing.T) {
	l, out := newFuzzer(new(looptest.Program).Worker(t), nil)
	req := &wire.Fuzz{Seed: 1, Execs: 500, Filter: "adaptive", Slow: 1 << 30, Limit: exec.SuspectFuel}
	if err := ask(l, wire.Request{Fuzz: req}); err != nil && err != conn.ErrDamaged {
		t.Fatal(err)
	}
	found, judged := make(map[string]bool), 0
	for _, r := range out.Replies() {
		switch f := r.Found; {
		case f == nil || f.Early:
		case !f.Update:
			found[string(f.Input)] = true
		case !found[string(f.Input)]:
			t.Errorf("%q is judged, and was not found", f.Input)
		default:
			judged += len(f.Kills)
		}
	}
	if judged == 0 {
		t.Error("nothing is killed by inputs that waited")
	}
}

// While mutants rest, inputs are run without any, as many as at other times, and wait for them. Filters that set no
// bound have no rest.
func TestNoMutantIsRunWhileTheyRest(t *testing.T) {
	for _, c := range []struct {
		filter string
		rest   time.Duration
		runs   bool
	}{{"adaptive", 0, true}, {"adaptive", time.Hour, false}, {"adaptive", 1, true}, {"all", time.Hour, true}} {
		l, out := newFuzzer(new(looptest.Program).Worker(t), nil)
		req := &wire.Fuzz{Seed: 1, Execs: 500, Filter: c.filter, Slow: 1 << 30, Limit: exec.SuspectFuel, Timed: true, Rest: c.rest}
		for _, s := range []string{"one", "two"} {
			req.Try = append(req.Try, wire.Encode([]any{[]byte(s)}))
		}
		if err := ask(l, wire.Request{Fuzz: req}); err != nil && err != conn.ErrDamaged {
			t.Fatal(err)
		}
		var stats wire.Stats
		tried := 0
		for _, r := range out.Replies() {
			switch {
			case r.Fuzzed != nil:
				stats, tried = r.Fuzzed.Stats, r.Fuzzed.Tried
			case r.Damaged != nil:
				stats, tried = r.Damaged.Stats, len(req.Try)
			}
		}
		if (stats.MutantExecs > 0) != c.runs || !c.runs && (stats.Execs < 500 || tried > 0) || c.runs && tried == 0 {
			t.Errorf("%s, rest %v: %d runs with a mutant, %d without, %d inputs from elsewhere", c.filter, c.rest, stats.MutantExecs, stats.Execs, tried)
		}
	}
}

// A round that is asked for it lists the inputs that it has run, as far as there is room.
func TestInputsOfARound(t *testing.T) {
	var counters [1]uint8
	ran := 0
	l, out := newTestFuzzer(t, 0, func(*testing.T, string) { ran++ }, counters[:], nil)
	for _, room := range []int{0, 200, 1 << 20} {
		ran = 0
		if err := ask(l, wire.Request{Fuzz: &wire.Fuzz{Seed: 1, Execs: 100, Filter: "none", Slow: 1000, Limit: 10_000, Log: room}}); err != nil {
			t.Fatal(err)
		}
		all := out.Replies()
		end := all[len(all)-1].Fuzzed
		size := 0
		for _, in := range end.Bred {
			size += len(in)
		}
		switch {
		case room == 0 && len(end.Bred)+end.Unlogged > 0:
			t.Errorf("nobody has asked for %d inputs", len(end.Bred))
		case room > 0 && (len(end.Bred)+end.Unlogged != 100 || size > room):
			t.Errorf("%d of %d bytes, %d inputs, %d without room", size, room, len(end.Bred), end.Unlogged)
		case room == 1<<20 && end.Unlogged > 0:
			t.Errorf("there was room for %d more", end.Unlogged)
		}
	}
}
