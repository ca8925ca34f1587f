package engine

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func deathOn(input string, mutant uint32, d worker.Death) *worker.Death {
	d.State.Input, d.State.Mutant = corpus.Of(input), mutant
	return &d
}

// After the first input that blocks, another counts only where that is known. Elsewhere it is to be run with all
// its time, once for each stack.
func TestOnlyTheFirstHangIsAFinding(t *testing.T) {
	e := newTestEngine(Config{})
	s := newTestSlot(e)
	s.found(newFound("a", wire.Found{Features: wire.Features{1}}))
	here := worker.Death{Cause: "not finished within 10s", TimedOut: true, Output: "goroutine 7 [running]:\n"}
	s.blocked(deathOn("a", 0, here))
	s.blocked(deathOn("b", 0, here))
	if list := e.Failures.Stacks(); len(list) != 1 || list[0].Count != 2 {
		t.Fatalf("%d stacks", len(list))
	}
	if req := s.rounds.schedule.Round(); len(req.Parents) > 0 {
		t.Errorf("an input that blocks is a parent: %+v", req.Parents)
	}
	e = newTestEngine(Config{})
	e.Processes.Hurry()
	s = newTestSlot(e)
	if unsure := s.blocked(deathOn("c", 0, here)); !unsure || s.blocked(deathOn("c", 0, here)) {
		t.Error("an input that may only be slow is not run once")
	}
	if n := e.Failures.Len(); n != 0 {
		t.Errorf("%d stacks: it may only be slow", n)
	}
}

func TestAMutantThatBlocksIsKilled(t *testing.T) {
	e := newTestEngine(Config{})
	s := newTestSlot(e)
	for range 2 {
		s.blocked(deathOn("a", 3, worker.Death{TimedOut: true}))
	}
	if list := e.Pool.Entries(); len(list) != 1 || list[0].Kills != 1 || !e.Kills.Dead(3) || e.Failures.Len() != 0 {
		t.Errorf("entries %+v, %d stacks", list, e.Failures.Len())
	}
}

// What nothing explains has its own reason, or is the doing of mutants that ran before.
func TestUnexplainedDeaths(t *testing.T) {
	for _, c := range []struct {
		name    string
		d       worker.Death
		outside int
		done    bool // the suspects are no longer run
	}{
		{"killed from outside", worker.Death{Killed: true}, 1, false},
		{"memory", worker.Death{Memory: true}, 0, false},
		{"out of the fuel of a round", worker.Death{State: worker.State{State: wire.State{Doom: 1}}}, 0, false},
		{"suspects", worker.Death{}, 0, true},
	} {
		e := newTestEngine(Config{})
		d := deathOn("a", 1, c.d)
		d.State.Last, d.State.Before = 1, 3
		if err := newTestSlot(e).unexplained(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		if n := e.Processes.Outside().Deaths; n != c.outside {
			t.Errorf("%s: %d deaths from outside", c.name, n)
		}
		if done := e.Kills.Done(); done(1) != c.done || done(3) != c.done || e.Kills.Dead(1) {
			t.Errorf("%s: done %v, %v", c.name, done(1), done(3))
		}
	}
}

// A worker that has run mutants may have its memory from one of them.
func TestTheTargetIsBlamedOnlyIfItRanAlone(t *testing.T) {
	for runs, want := range map[uint64]string{0: "the fuzz target keeps", 7: "a mutant, or the fuzz target, keeps"} {
		d := &worker.Death{Memory: true}
		d.State.MutantExecs = runs
		if got := keepers(d); got != want {
			t.Errorf("%d runs of mutants: %q, want %q", runs, got, want)
		}
	}
}

func TestWhatIsLostIsToldUnlessItIsFound(t *testing.T) {
	for _, found := range []bool{false, true} {
		e := newTestEngine(Config{})
		s := newTestSlot(e)
		s.lose(deathOn("a", 0, worker.Death{Cause: "broken", Garbled: true}))
		if found {
			e.failed(failures.Failure{Input: corpus.Of("b"), Key: s.lost.flaky.Key, Outcome: s.lost.flaky.Outcome}, 1)
		}
		s.giveUp()
		s.giveUp()
		if list := e.Failures.Flaky(); (len(list) == 0) != found || !found && list[0].Seen != 1 {
			t.Errorf("found %v: %+v", found, list)
		}
	}
}

func TestACarefulRoundHasOneInput(t *testing.T) {
	s := newTestSlot(newTestEngine(Config{}))
	s.e.tries.add([]*corpus.Input{corpus.Of("a"), corpus.Of("b")})
	s.rounds.allowance.budget.Inputs = 10
	if req, ok := s.rounds.plan(true); !ok || req.Execs != 1 || len(req.Try) != 1 {
		t.Errorf("%d inputs, %d of them from elsewhere", req.Execs, len(req.Try))
	}
}

// What runs out of a short time is run with more only while few of these inputs block.
func TestFewInputsAreRunWithAllTheirTime(t *testing.T) {
	var u unsure
	for i := range 2 * unsureMost {
		key := string(rune('a' + i))
		if got := u.first(key); got != (i < unsureMost) || u.first(key) {
			t.Errorf("stack %d: %v", i, got)
		}
	}
	u = unsure{}
	for range unsureBlock {
		if !u.first("") && !u.first("b") {
			t.Error("one that blocks ends it")
		}
		u.blocked()
	}
	if u.first("c") {
		t.Error("after so much time lost, one more is run")
	}
}
