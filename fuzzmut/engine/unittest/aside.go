package unittest

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// record is what runs of a test without a mutant came to.
type record struct {
	mu             sync.Mutex
	passed, failed int
	output, death  string // of the first failing run
	alone          bool   // it has passed alone in a process
	endless        bool   // it did not end once
	place          string // of a test that did not end
	aside          bool
	counts         bool // it counts allocations; known of one that is set aside
	left           bool // there was no time for it: see room
}

// saw notes a run of the test without a mutant.
func (t *test) saw(o wire.Outcome) {
	t.record.mu.Lock()
	defer t.record.mu.Unlock()
	if !o.Kind.Failed() {
		t.record.passed++
		return
	}
	t.record.failed++
	if t.record.output == "" {
		t.record.output = o.Message
		if o.Kind == wire.Death {
			t.record.death = o.Message
		}
	}
}

// hung notes that the test, which is at that place, did not end.
func (t *test) hung(place string) {
	t.record.mu.Lock()
	defer t.record.mu.Unlock()
	t.record.endless, t.record.place = true, place
}

// hangs reports whether the test did not end once.
func (t *test) hangs() bool {
	t.record.mu.Lock()
	defer t.record.mu.Unlock()
	return t.record.endless
}

// passedAlone notes that the test passes alone in a process.
func (t *test) passedAlone() {
	t.record.mu.Lock()
	defer t.record.mu.Unlock()
	t.record.alone = true
}

// alone reports whether the test has passed alone in a process.
func (t *test) alone() bool {
	t.record.mu.Lock()
	defer t.record.mu.Unlock()
	return t.record.alone
}

// judges reports whether the test has neither been set aside nor left out.
func (t *test) judges() bool {
	t.record.mu.Lock()
	defer t.record.mu.Unlock()
	return !t.record.aside && !t.record.left
}

// setAside describes the test.
func (t *test) setAside() SetAside {
	t.record.mu.Lock()
	defer t.record.mu.Unlock()
	return SetAside{
		Test: t.Name, Passed: t.record.passed, Failed: t.record.failed,
		Death: t.record.death, Output: t.record.output,
		Endless: t.record.endless && t.record.passed == 0, Place: t.record.place,
		Counts: t.record.counts,
	}
}

// judging returns the tests of the list that are neither set aside nor left out.
func judging(list []*test) []*test {
	return slices.DeleteFunc(slices.Clone(list), func(t *test) bool { return !t.judges() })
}

// aside lists the tests that are set aside.
func (s *suite) aside() []*test {
	return slices.DeleteFunc(slices.Clone(s.tests), func(t *test) bool { return t.judges() || t.isLeft() })
}

// setAside sets tests aside. It is an error if no test is left, or if every test has to
// pass.
func (s *suite) setAside(list ...*test) error {
	var found []SetAside
	for _, t := range list {
		counts := s.launch.o.Counts(t.Name)
		t.record.mu.Lock()
		known := t.record.aside
		t.record.aside, t.record.counts = true, counts
		t.record.mu.Unlock()
		if !known {
			found = append(found, t.setAside())
		}
	}
	if len(found) == 0 {
		return nil
	}
	if s.launch.o.Strict || len(judging(s.tests)) == 0 {
		e := &BaselineError{}
		for _, t := range s.aside() {
			e.Tests = append(e.Tests, t.setAside())
		}
		return e
	}
	s.launch.o.SetAside(found)
	return nil
}

// weed sets aside the tests that have failed in a pass, and reports whether there are
// any. Each is run once more before, alone in a process, to tell whether it always fails. One that may
// have needed the tests before it, which had run in another process, is left for the next pass.
func (s *suite) weed(pass outcomes) (found bool, err error) {
	var failed []*test
	for _, t := range s.tests {
		if pass.failed(t) && !t.resumed {
			failed = append(failed, t)
		}
	}
	again := slices.DeleteFunc(slices.Clone(failed), (*test).hangs)
	for _, t := range again {
		if _, err := s.runAlone(t, false); err != nil {
			return false, err
		}
	}
	return len(failed) > 0, s.setAside(failed...)
}

// Runs of the original of a test that kills, alone in a process: some for the first kills,
// more each time that the test fails with a mutant only sometimes, up to a bound.
const (
	auditsForKills = 2
	auditsForDoubt = 3
	auditsMost     = 8
)

// audit is what runs of a test alone in a process have shown. Its lock is held during
// such a run: who waits for it has the same test to ask about.
type audit struct {
	mu    sync.Mutex
	kills int // that it was run for
	runs  int
	needy atomic.Bool // it can't do without the tests before it: nothing is to be learnt
}

// look runs the original of a test that has killed a mutant, or has failed with one only
// sometimes, a few times more, and sets the test aside if it is seen to pass and to fail.
func (s *suite) look(t *test, sometimes bool) error {
	a := &t.audit
	a.mu.Lock()
	defer a.mu.Unlock()
	n := 1
	if sometimes {
		n = auditsForDoubt
	} else if a.kills++; a.kills > auditsForKills {
		return nil
	}
	for ; n > 0 && a.runs < auditsMost && !a.needy.Load() && t.judges(); n-- {
		a.runs++
		passed := t.alone()
		passes, err := s.runAlone(t, false)
		if err == nil && !passes && !passed {
			passed, err = s.runAlone(t, false)
			a.needy.Store(!passed)
		}
		switch {
		case err != nil:
			return err
		case !passes && passed:
			return s.setAside(t)
		}
	}
	return nil
}
