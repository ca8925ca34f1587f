package engine

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestAFailureIsSureOnceItWasSeenTwice(t *testing.T) {
	for _, test := range []struct {
		seen, failed int64
		want         bool
	}{{1, 0, false}, {7, 0, false}, {0, 1, false}, {1, 1, true}, {0, 2, true}} {
		f := Flaky{Seen: test.seen, Failed: test.failed}
		if f.Sure() != test.want {
			t.Errorf("seen %d times, and %d times without mutants: sure %v", test.seen, test.failed, f.Sure())
		}
	}
}

func TestFailuresOfOneBucketAreOne(t *testing.T) {
	e := newTestEngine(1)
	note := func(input, key, message string) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.noteFlaky(wire.Flaky{Input: []byte(input), Key: key, Outcome: wire.Outcome{Kind: wire.Panic, Message: message}, Failed: 1, Runs: 10}, "").Seen++
	}
	note("a", "here", "")
	note("b", "there", "second")
	note("b", "here", "first")
	note("a", "here", "first again")
	list := e.Flaky()
	if len(list) != 2 || list[0].Seen != 3 || list[0].Outcome.Message != "first" || string(list[0].Input) != "a" {
		t.Fatalf("%+v", list)
	}
	// Only runs of the input that is shown count as its own.
	if list[0].Again != 20 || list[0].Passed != 18 {
		t.Errorf("passed %d of %d times", list[0].Passed, list[0].Again)
	}
	if !e.comesAndGoes("there") || e.comesAndGoes("elsewhere") {
		t.Error("comesAndGoes")
	}
}

func TestWhatWasPutOffIsNotRun(t *testing.T) {
	e := newTestEngine(1)
	s := newShare(e, &Query{Inputs: [][]byte{nil, nil}}, 0, 1)
	list := make(map[uint32]bool)
	if s.notRun(list); len(list) != 0 {
		t.Errorf("nothing was put off, and not run are %v", list)
	}
	s.putOff(1, []uint32{1, 3})
	s.kill(0, wire.Kill{Mutant: 3})
	if s.notRun(list); len(list) != 1 || !list[1] {
		t.Errorf("not run are %v, want 1: another input has killed 3", list)
	}
	s.putOff(0, nil)
	if s.notRun(list); len(list) != 2 || !list[2] {
		t.Errorf("not run are %v, want all that live", list)
	}
}

func TestAlwaysIsEveryRun(t *testing.T) {
	for _, a := range []struct {
		alone
		want bool
	}{{alone{}, false}, {alone{runs: 5}, false}, {alone{failed: 4, runs: 5}, false}, {alone{failed: 5, runs: 5}, true}} {
		if a.always() != a.want {
			t.Errorf("%d of %d: %v", a.failed, a.runs, a.always())
		}
	}
}
