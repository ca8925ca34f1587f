package unittest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Where the tests have a time for their runs without a mutant, the first pass, which is traced, begins as it does
// elsewhere. If it is not over soon, the other tests run once without the trace, which takes a tenth of the time. Then
// they are traced in the order of what they took, as many as there is time for. The rest is left out, as if
// -skip named it, and a mutant that no other test reaches is not judged. A test that is not long is traced a second
// time, and counts twice.
//
// This goes by the clock: another run may leave out other tests.

const (
	soonPart  = 12 // the first pass is soon over in one of these parts of the time
	plainPart = 4  // the plain run has one of these parts for all tests
	leastPart = 60 // and one of these for each at least; once no more is left, no test is traced
)

// room is the time that is left for the first pass.
type room struct {
	all   time.Duration
	until time.Time
}

// newRoom is the room of a baseline that began then; nil if it has no bound.
func newRoom(all time.Duration, began time.Time) *room {
	if all <= 0 {
		return nil
	}
	return &room{all, began.Add(all)}
}

// took notes how long a traced run took that a second one will follow, unless it is long.
func (r *room) took(t time.Duration) {
	if t < longTrace {
		r.until = r.until.Add(-t)
	}
}

// evenly has some time divided evenly among tests: what one does not need is for those after it. Each has so much at
// least, as long as the time is not over.
func evenly(all, least time.Duration) func(tests int) time.Duration {
	end := time.Now().Add(all)
	return func(tests int) time.Duration {
		left := time.Until(end)
		return max(min(left, max(least, left/time.Duration(tests))), 0)
	}
}

// rest is the share of the next of some tests: half of what is left, or all for the last one.
func (r *room) rest(tests int) time.Duration {
	left := time.Until(r.until)
	if left <= r.all/leastPart {
		return 0
	}
	part := left / time.Duration(min(2, tests))
	if part < longTrace {
		part /= 2 // it counts twice
	}
	return part
}

// fit is the first pass where there is a time for it.
func (s *suite) fit(p *process, tests []*test) (*process, outcomes, error) {
	traced := func(*test) bool { return true }
	defer func() { s.share = nil }()
	s.share = evenly(s.room.all/soonPart, s.room.all)
	p, all, err := s.pass(p, tests, traced)
	rest := slices.DeleteFunc(slices.Clone(tests), func(t *test) bool { return err != nil || all[t.index] != nil })
	if err != nil || len(rest) == 0 {
		return p, all, err
	}
	// What runs in a process may leave what keeps a test from reaching a mutant.
	if p, err = s.another(p); err != nil {
		return p, nil, err
	}
	s.telling, s.share = false, evenly(s.room.all/plainPart, s.room.all/leastPart)
	p, plain, err := s.pass(p, rest, func(*test) bool { return false })
	s.telling = true
	if err != nil {
		return p, nil, err
	}
	took := func(t *test) time.Duration {
		if ran := plain[t.index]; ran != nil {
			return ran.Time
		}
		return math.MaxInt64
	}
	slices.SortStableFunc(rest, func(a, b *test) int { return cmp.Compare(took(a), took(b)) })
	if p, err = s.another(p); err != nil {
		return p, nil, err
	}
	s.share = s.room.rest
	p, later, err := s.pass(p, rest, traced)
	if err != nil {
		return p, nil, err
	}
	for _, t := range rest {
		if all[t.index] = later[t.index]; all[t.index] == nil {
			all[t.index] = s.leaveOut(t)
		}
	}
	return p, all, nil
}

// shareOf is how long the next of some tests may take by the clock, 0 if none begins, and negative if nothing bounds it.
func (s *suite) shareOf(tests int) time.Duration {
	if s.share == nil {
		return -1
	}
	return s.share(tests)
}

// abortAfter ends the process after a time, if that is not negative, and then sets cut, which may be read once
// the function that it returns was called.
func (p *process) abortAfter(most time.Duration, cut *bool) (over func()) {
	if most < 0 {
		return func() {}
	}
	done := make(chan struct{})
	timer := time.AfterFunc(most, func() {
		defer close(done)
		*cut = true
		p.Abort()
	})
	return func() {
		if !timer.Stop() {
			<-done
		}
	}
}

// leaveOut leaves a test out, and returns what stands for its run.
func (s *suite) leaveOut(t *test) *wire.TestRan {
	t.record.mu.Lock()
	t.record.left = true
	t.record.mu.Unlock()
	fmt.Fprintf(s.launch.o.Log, "--- LEFT OUT: %s\n", t.Name)
	return &wire.TestRan{Test: t.index, Outcome: wire.Outcome{Kind: wire.Skip}}
}

// isLeft reports whether the test was left out.
func (t *test) isLeft() bool {
	t.record.mu.Lock()
	defer t.record.mu.Unlock()
	return t.record.left
}

// leftOut names the tests that are left out.
func (s *suite) leftOut() (names []string) {
	for _, t := range s.tests {
		if t.isLeft() {
			names = append(names, t.Name)
		}
	}
	return names
}

// measureFitting runs the tests without a mutant, as many as fit into the time for that. If these reach no mutant,
// all run, whatever time that takes: otherwise nothing would be judged.
func measureFitting(l *launcher) (*suite, error) {
	s, err := measure(l)
	if s == nil || len(s.leftOut()) == 0 || l.ctx.Err() != nil {
		return s, err
	}
	var red *BaselineError
	if errors.As(err, &red) || err == nil && !s.reachesAny() {
		fmt.Fprintf(l.o.Log, "no test that is over in %v reaches a mutant: all of them run\n", l.o.Baseline)
		l.o.Baseline = 0
		return measure(l)
	}
	if err == nil {
		l.o.LeftOut(s.leftOut(), len(s.tests))
	}
	return s, err
}

// reachesAny reports whether a test that judges reaches one of the mutants to judge.
func (s *suite) reachesAny() bool {
	tests := judging(s.tests)
	return slices.ContainsFunc(s.launch.o.mutants(), func(id uint32) bool {
		return len(tests) > 0 && s.startReached.Has(int(id)) || slices.ContainsFunc(tests, func(t *test) bool { return t.reached.Has(int(id)) })
	})
}
