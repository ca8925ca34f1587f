package repair

import (
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestFailingInputsGetTheFuelTheyNeed(t *testing.T) {
	for _, c := range []struct {
		name string
		f    Failing
		fuel int64
		why  string // that it is not tried; "" if it is
	}{
		{"a panic", Failing{Outcome: wire.Outcome{Kind: wire.Panic}, Cost: 7}, 70 + repairFuel, ""},
		{"where what passes takes long", Failing{Outcome: wire.Outcome{Kind: wire.Fail}, Cost: 7, Passing: 5 * repairFuel}, 70 + 5*repairFuel, ""},
		{"a hang", Failing{Outcome: wire.Outcome{Kind: wire.Fuel, Message: "does not end: out of fuel"}, Cost: 400_000_000}, hangRepairFuel, ""},
		{"a stack overflow", Failing{Outcome: wire.Outcome{Kind: wire.Death, Message: "fatal error: stack overflow"}}, deathRepairFuel, ""},
		{"a stack overflow that was foreseen", Failing{Outcome: wire.Outcome{Kind: wire.Death, Message: failure.ForeseenOverflow}}, hangRepairFuel, ""},
		{"a death", Failing{Outcome: wire.Outcome{Kind: wire.Death, Message: "fatal error: concurrent map writes"}}, deathRepairFuel, "concurrent map writes"},
		{"what the clock has ended", Failing{Outcome: wire.Outcome{Kind: wire.Fuel, Message: "not finished within 10s"}}, hangRepairFuel, ""},
	} {
		if got := c.f.Fuel(); got != c.fuel {
			t.Errorf("%s: fuel %d, want %d", c.name, got, c.fuel)
		}
		if why := c.f.Unfit(); (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s: %q, want %q", c.name, why, c.why)
		}
	}
}

// What workers tell of an input is put together, whatever the order, and what the
// mutant's own function no longer counts is no change of the path.
func TestRepairsArePutTogether(t *testing.T) {
	procs := processes.New(processes.Config{Program: &instrument.Program{
		Blocks:  []instrument.Block{{Func: 0}, {Func: 1}, {Func: 1}},
		Mutants: []instrument.Mutant{{Index: 1}, {Index: 2, FuncIndex: 1}, {Index: 3}},
		Funcs:   make([]instrument.Func, 2),
	}})
	r := New(procs, nil)
	var res Result
	for _, m := range []wire.Effect{
		{Mutant: 3, Repaired: true, Moved: wire.IDs{0, 1}}, {Mutant: 1}, {Mutant: 2, Repaired: true, Moved: wire.IDs{0, 1, 2, 99}}, {Mutant: 1},
	} {
		r.effect(&m, &res)
	}
	res.diagnosed(&wire.Diagnosis{Outcome: wire.Outcome{Kind: wire.Panic, Message: "boom"}, Counters: wire.IDs{0}, Tried: wire.IDs{1, 2, 3}})
	res.sort()
	if !res.Done || !slices.Equal(res.Repaired, []uint32{2, 3}) || !slices.Equal(res.Changed, []uint32{1}) {
		t.Errorf("%+v", res)
	}
	if !slices.Equal(res.Moved[3], []uint32{1}) || !slices.Equal(res.Moved[2], []uint32{0}) {
		t.Errorf("moved %v", res.Moved)
	}
	for _, d := range []wire.Diagnosis{
		{Outcome: wire.Outcome{Kind: wire.Pass}},
		{Outcome: wire.Outcome{Kind: wire.Panic}, Unsteady: "moody"},
	} {
		var res Result
		if res.diagnosed(&d); res.Done || !res.Unsteady || res.Reason == "" {
			t.Errorf("%+v is taken as %+v", d, res)
		}
	}
}
