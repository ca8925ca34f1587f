package engine

import (
	"fmt"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A budget in inputs is given out exactly, and what was not run is given out again.
func TestAllowanceOfInputs(t *testing.T) {
	a := allowance{budget: Budget{Inputs: 100}, filter: "random", k: 7}
	grant := func(want int64) string {
		req := &wire.Fuzz{Execs: want}
		if !a.grant(req) {
			return "none"
		}
		return fmt.Sprintf("%d %s %d", req.Execs, req.Filter, req.K)
	}
	for i, c := range []struct {
		want int64
		back int64
		got  string
	}{
		{64, 0, "64 random 7"},
		{64, 6, "36 random 7"},
		{64, 0, "6 random 7"},
		{64, 0, "none"},
	} {
		if got := grant(c.want); got != c.got {
			t.Errorf("grant %d: %s, want %s", i, got, c.got)
		}
		a.giveBack(c.back)
	}
}

// With the filter split, mutants wait until half of the budget is given out.
func TestAllowanceSplits(t *testing.T) {
	inputs := allowance{budget: Budget{Inputs: 100}, filter: "split", k: 7}
	var filters []string
	for range 4 {
		req := &wire.Fuzz{Execs: 25}
		inputs.grant(req)
		filters = append(filters, req.Filter)
	}
	if got := fmt.Sprint(filters); got != "[none none all all]" {
		t.Errorf("filters %s", got)
	}
	for begun, want := range map[time.Duration]string{0: "none", 40 * time.Minute: "all"} {
		a := allowance{budget: Budget{Time: time.Hour}, start: time.Now().Add(-begun), filter: "split"}
		req := &wire.Fuzz{Execs: 25}
		if a.grant(req); req.Filter != want {
			t.Errorf("after %v the filter is %s", begun, req.Filter)
		}
	}
}

func TestAPlainBudgetRunsNoMutants(t *testing.T) {
	for _, filter := range []string{"adaptive", "split"} {
		a := allowance{budget: Budget{Inputs: 100, Plain: true}, filter: filter, k: 7}
		req := &wire.Fuzz{Execs: 75}
		if a.grant(req); req.Filter != "none" {
			t.Errorf("%s: the filter is %s", filter, req.Filter)
		}
	}
}

func TestACarefulRoundRunsOneInput(t *testing.T) {
	e := newTestEngine(Config{Seed: 1})
	r := &rounds{e: e, schedule: e.Pool.NewSchedule(1), allowance: allowance{budget: Budget{Inputs: 10}}}
	if req, ok := r.plan(true); !ok || !req.Careful || req.Execs != 1 {
		t.Errorf("%+v", req)
	}
	if req, ok := r.plan(false); !ok || req.Careful || req.Execs != 9 {
		t.Errorf("%+v", req)
	}
}

// Accepted mutants do not keep a run from ending.
func TestARunDoesNotWaitForAcceptedMutants(t *testing.T) {
	e := newTestEngine(Config{Seed: 1, Accepted: func(m uint32) bool { return m == 3 }})
	if e.AllKilled() {
		t.Fatal("it ends while mutant 1 lives")
	}
	e.kill(dead(1)...)
	if !e.AllKilled() || e.Living() != 1 {
		t.Errorf("it goes on, and %d accepted mutants live", e.Living())
	}
	e.kill(dead(3)...)
	if !e.AllKilled() || e.Living() != 0 {
		t.Errorf("%d accepted mutants live", e.Living())
	}
}

// A run that may end early does so once the last mutant that it is to kill is dead, and
// no other run.
func TestARunEndsOnceAllIsKilled(t *testing.T) {
	e := newTestEngine(Config{Seed: 1, Aim: func(m uint32) bool { return m != 2 }})
	n := len(e.cfg.Processes.Program.Mutants)
	plan := func(until bool) bool {
		r := &rounds{e: e, schedule: e.Pool.NewSchedule(1), allowance: allowance{budget: Budget{Inputs: 10, UntilKilled: until}}}
		_, ok := r.plan(false)
		return ok
	}
	for m := 1; m <= n; m++ {
		if !plan(true) || e.AllKilled() {
			t.Fatalf("it ends before mutant %d of %d is killed", m, n)
		}
		if m != 2 {
			e.kill(dead(uint32(m))...)
		}
	}
	if plan(true) || !e.AllKilled() {
		t.Error("it goes on")
	}
	if e.Living() != 0 {
		t.Error("no mutant is accepted")
	}
	if !plan(false) {
		t.Error("a run that is to use up its budget ends")
	}
	if e.cfg.Filter = "none"; e.AllKilled() {
		t.Error("without mutants all are killed")
	}
}
