package loop

import (
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// newTestLoop returns a worker of a target with a number of mutants, after Init.
func newTestLoop(t *testing.T, mutants int, target any, counters []uint8, slow []bool) (*Loop, *looptest.Worker) {
	t.Helper()
	return loopOf(looptest.New(t, &wire.Init{MutantFunc: make([]int32, mutants)}, target, counters, slow))
}

func loopOf(w *looptest.Worker) (*Loop, *looptest.Worker) {
	return &Loop{conn: w.Conn, target: w.Target, x: w.Exec, muts: w.Muts, cov: w.Cov}, w
}

// ask has a loop answer a request.
func ask(l *Loop, req wire.Request) error { return l.conn.Answer(&req, l.serveOne) }

// A worker that is asked to stop does so between two mutants. What was not finished has no
// result, and its kills count.
func TestARunStopsBetweenMutants(t *testing.T) {
	var counters [8]uint8
	var slow [1]bool
	var l *Loop
	var out *looptest.Worker
	ran := 0
	target := func(_ *testing.T, _ string) {
		if slow[0] && fuzzmutrt.Tracing {
			fuzzmutrt.Reached[0], fuzzmutrt.Infected[0] = 0b1110, 0b1110
		}
		if slow[0] && fuzzmutrt.Active > 0 {
			if ran++; ran == 2 {
				l.conn.Shared.RequestStop(true)
			}
			panic("a kill")
		}
	}
	l, out = newTestLoop(t, 3, target, counters[:], slow[:])
	item := wire.Item{Input: wire.Encode([]any{""}), Select: wire.SelectAlive}
	if err := ask(l, wire.Request{Run: &wire.Run{Items: []wire.Item{item, item}}}); err != nil {
		t.Fatal(err)
	}
	kills, results := 0, 0
	for _, r := range out.Replies() {
		switch {
		case r.Kill != nil:
			kills++
		case r.Result != nil:
			results++
		}
	}
	if ran != 2 || kills != 2 || results != 0 {
		t.Errorf("%d mutants run, %d kills, %d results", ran, kills, results)
	}
}

// Once the mutants have burned what they may, the inputs that are left are run
// without.
func TestMutantsOfARunHaveABudget(t *testing.T) {
	var counters [8]uint8
	var slow [1]bool
	target := func(_ *testing.T, _ string) {
		counters[0]++
		if slow[0] && fuzzmutrt.Tracing {
			fuzzmutrt.Reached[0], fuzzmutrt.Infected[0] = 2, 2
		}
		fuzzmutrt.Fuel -= 100
	}
	items := func() (list []wire.Item) {
		for range 10 {
			list = append(list, wire.Item{Input: wire.Encode([]any{""}), Select: wire.SelectAlive})
		}
		return list
	}
	for _, c := range []struct {
		fuel, want int64
	}{{0, 10}, {1, 1}, {100, 1}, {101, 2}, {350, 4}, {100_000, 10}} {
		l, out := newTestLoop(t, 1, target, counters[:], slow[:])
		if err := ask(l, wire.Request{Run: &wire.Run{Items: items(), Fuel: c.fuel}}); err != nil {
			t.Fatal(err)
		}
		with := int64(0)
		all := out.Replies()
		for _, r := range all {
			if r.Result != nil && r.Result.Select == wire.SelectAlive {
				with++
			}
		}
		ran := all[len(all)-1].Ran
		if with != c.want || ran == nil || ran.Fuel != 100*with || ran.Stats.MutantExecs != with || len(all) != 11 {
			t.Errorf("fuel %d: %d inputs run with mutants, want %d; at the end %+v", c.fuel, with, c.want, ran)
		}
	}
}

// What a selection leaves out is not run: the wider ones are for measurements.
func TestSelectionsOfARun(t *testing.T) {
	var counters [8]uint8
	var slow [1]bool
	target := func(_ *testing.T, _ string) {
		if fuzzmutrt.Tracing {
			fuzzmutrt.Reached[0], fuzzmutrt.Infected[0] = 1<<1|1<<2, 1<<2
		}
	}
	for _, c := range []struct {
		sel  wire.Select
		skip []uint32
		want int64
	}{
		{wire.SelectNone, nil, 0},
		{wire.SelectAlive, nil, 1},
		{wire.SelectInfected, nil, 1},
		{wire.SelectReached, nil, 2},
		{wire.SelectEvery, nil, 4},
		{wire.SelectReached, []uint32{1}, 1},
		{wire.SelectEvery, []uint32{1, 4}, 2},
	} {
		l, out := newTestLoop(t, 4, target, counters[:], slow[:])
		item := wire.Item{Input: wire.Encode([]any{""}), Select: c.sel, Skip: c.skip}
		if err := ask(l, wire.Request{Run: &wire.Run{Items: []wire.Item{item}}}); err != nil {
			t.Fatal(err)
		}
		all := out.Replies()
		if ran := all[len(all)-1].Ran; ran == nil || ran.Stats.MutantExecs != c.want {
			t.Errorf("selection %d without %v: %+v, want %d runs of mutants", c.sel, c.skip, ran, c.want)
		}
	}
}
