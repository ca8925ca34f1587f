package unittest

import (
	"errors"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// secondsFor are second runs for tests that did not wait in the first pass.
func secondsFor(t *testing.T, o Options, run func(t *test) (secondRun, error)) (*seconds, *suite) {
	t.Helper()
	s := newTestSuite(&o)
	s.launch.ctx = t.Context()
	for _, x := range s.tests {
		x.busy = -1
	}
	return s.newSeconds(run), s
}

var longRun = &wire.TestRan{Time: longTrace}

// With two processes at a time, a test has its second run while the first pass goes on. With one it
// has it in the end.
func TestASecondRunBeginsBesideTheFirstPass(t *testing.T) {
	for _, processes := range []int{1, 2} {
		began := make(chan *test, 3)
		r, s := secondsFor(t, Options{Parallel: processes}, func(x *test) (secondRun, error) {
			began <- x
			return secondRun{ran: &wire.TestRan{Test: x.index, Fuel: 7}}, nil
		})
		r.offer(s.tests[1], longRun)
		if processes > 1 {
			if got := <-began; got != s.tests[1] {
				t.Fatalf("%s runs", got.Name)
			}
		} else if len(began) != 0 {
			t.Error("a second process at a time")
		}
		r.offer(s.tests[2], longRun)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		pass := make(outcomes, len(s.tests))
		r.enter(pass)
		if pass[0] != nil || pass[1] == nil || pass[2] == nil || pass[2].Fuel != 7 || !r.has(s.tests[1]) {
			t.Errorf("%d processes: %+v", processes, pass)
		}
	}
}

// A test that waits for a slot that others have is run by the one that waits for it.
func TestASecondRunNeedsNoSlot(t *testing.T) {
	r, s := secondsFor(t, Options{Parallel: 2, Slots: NewSlots(0)}, func(*test) (secondRun, error) {
		return secondRun{ran: &wire.TestRan{}}, nil
	})
	r.offer(s.tests[0], longRun)
	if err := r.end(); err != nil || !r.has(s.tests[0]) {
		t.Errorf("%v, %v", err, r.done)
	}
}

func TestTestsWithoutASecondRun(t *testing.T) {
	fails := wire.Outcome{Kind: wire.Fail}
	r, s := secondsFor(t, Options{Parallel: 2}, func(x *test) (secondRun, error) {
		return secondRun{ran: &wire.TestRan{Outcome: fails}}, nil
	})
	r.offer(s.tests[0], &wire.TestRan{Time: longTrace - time.Millisecond})
	r.offer(s.tests[0], &wire.TestRan{Time: longTrace, Working: true})
	r.offer(s.tests[0], &wire.TestRan{Time: longTrace, Outcome: fails})
	s.tests[1].busy = longTrace / 10
	r.offer(s.tests[1], longRun) // it waits
	if len(r.ready) != 0 {
		t.Error("one of them is to run again")
	}
	s.tests[2].busy = longTrace
	r.offer(s.tests[2], longRun)
	if err := r.end(); err != nil || len(r.done) != 0 {
		t.Errorf("one that fails alone has its second run after the others: %v, %v", err, r.done)
	}
}

func TestAnErrorEndsSecondRuns(t *testing.T) {
	for _, processes := range []int{1, 2} {
		r, s := secondsFor(t, Options{Parallel: processes}, func(*test) (secondRun, error) { return secondRun{}, errors.New("no process") })
		r.offer(s.tests[0], longRun)
		if err := r.end(); err == nil {
			t.Errorf("%d processes: no error", processes)
		}
	}
}
