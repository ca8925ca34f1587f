package unittest

import (
	"sync"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A test that takes long is traced once. Its second run, which is not traced and tells what the test
// costs, is alone in a process. It begins while the first pass goes on with other tests, if there may be
// two processes at a time. A long test shares no process with others, so nothing depends on
// whether it passes again in a used one. If it fails alone, it may need the tests before it: then it
// has its second run after them.

// seconds are the second runs of tests that take long.
type seconds struct {
	run    func(t *test) (secondRun, error)
	ready  chan *test
	beside *panics.Group
	over   chan struct{} // closed when nobody is to wait for a slot
	left   []*test       // that had none

	mu   sync.Mutex
	done map[*test]secondRun
}

// secondRun is such a run, and what its process had done before and after it.
type secondRun struct {
	ran           *wire.TestRan
	before, after work
}

// newSeconds begins with the tests that it gets until end is called.
func (s *suite) newSeconds(run func(t *test) (secondRun, error)) *seconds {
	r := &seconds{run: run, ready: make(chan *test, len(s.tests)), over: make(chan struct{}), done: make(map[*test]secondRun)}
	o := s.launch.o
	r.beside, _ = panics.NewGroup(s.launch.ctx)
	if o.Parallel == 1 {
		return r
	}
	working := o.working() // it may become less
	r.beside.Go(func() error {
		for t := range r.ready {
			free := working.take(o, r.over)
			if free == nil {
				r.left = append(r.left, t)
				continue
			}
			err := r.one(t)
			free()
			if err != nil {
				return err
			}
		}
		return nil
	})
	return r
}

// offer has a test run again if it has taken long, is over, and neither waited most of the time nor
// failed.
func (r *seconds) offer(t *test, ran *wire.TestRan) {
	waits := t.busy >= 0 && t.busy < ran.Time/waitsShare
	if ran.Time >= longTrace && !waits && !ran.Working && !ran.Outcome.Kind.Failed() {
		r.ready <- t
	}
}

// end runs what is left, in the slot of the caller, and waits for the rest.
func (r *seconds) end() error {
	close(r.ready)
	err := r.all(func() *test { return <-r.ready })
	close(r.over)
	if gone := r.beside.Wait(); gone != nil {
		return gone
	}
	if err != nil {
		return err
	}
	return r.all(func() (t *test) {
		if len(r.left) > 0 {
			t, r.left = r.left[0], r.left[1:]
		}
		return t
	})
}

// all runs the tests that next returns, until that is nil.
func (r *seconds) all(next func() *test) error {
	for t := next(); t != nil; t = next() {
		if err := r.one(t); err != nil {
			return err
		}
	}
	return nil
}

func (r *seconds) one(t *test) error {
	second, err := r.run(t)
	if err == nil && !second.ran.Outcome.Kind.Failed() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.done[t] = second
	}
	return err
}

// has says that the test has passed in its second run.
func (r *seconds) has(t *test) bool {
	_, ok := r.done[t]
	return ok
}

// enter enters the runs into a pass.
func (r *seconds) enter(pass outcomes) {
	for t, second := range r.done {
		t.took(second.before, second.after)
		pass[t.index] = second.ran
	}
}
