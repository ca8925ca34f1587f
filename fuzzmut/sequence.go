package fuzzmut

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// attempt runs a sequence with calls at once as one value of a check, until it fails or is discarded,
// and at most that often. It returns the last run.
func (r *runner[S]) attempt(t *testing.T, x *term.Term, most int) (a *attempt, runs int) {
	for runs < most {
		a, n := r.attempts(t, x, min(batch, most-runs))
		if runs += n; a.Failed() || a.Skipped() || runs >= most {
			return a, runs
		}
	}
	return a, runs
}

// sequence is a run of a check that begins.
func (r *runner[S]) sequence(t *testing.T) *sequence[S] {
	s := &sequence[S]{runner: r, a: quietly(t)}
	s.a.shown = s.String
	return s
}

// attempts are some runs of a sequence with calls at once.
func (r *runner[S]) attempts(t *testing.T, x *term.Term, n int) (a *attempt, runs int) {
	list, tests := make([]*sequence[S], n), make([]*attempt, n)
	explained := new([]history)
	for i := range list {
		list[i] = r.sequence(t)
		list[i].explained = explained
		tests[i] = list[i].a
	}
	last := runEach(tests, func(i int) { list[i].run(tests[i], x) })
	if a = tests[last]; !a.Failed() && !a.Skipped() {
		runAtOnce(list, x)
		last = runEach(tests, func(i int) { list[i].afterwards(tests[i], x) })
		a = tests[last]
	}
	finishAll(tests)
	return a, last + 1
}

// runInput runs an input of a fuzz test. Where there are calls at once, those before them are observed, and only in the
// first run: what comes after is not the same each time, and neither is what looks for an order of it.
func (r *runner[S]) runInput(t *testing.T, x *term.Term, f F, shown *func() string) {
	n := 1
	if r.Goroutines > 1 {
		n = batch
	}
	list := make([]*sequence[S], n)
	explained := new([]history)
	for i := range list {
		list[i] = &sequence[S]{runner: r, explained: explained}
		if i == 0 {
			list[i].observed, _ = any(f).(observing)
		}
		*shown = list[i].String
		if list[i].run(t, x); t.Failed() {
			return
		}
		if off, ok := any(f).(unobserving); ok && r.Goroutines > 1 {
			off.FuzzmutUnobserve()
		}
	}
	if r.Goroutines < 2 {
		return
	}
	runAtOnce(list, x)
	for _, s := range list {
		*shown = s.String
		if s.afterwards(t, x); t.Failed() {
			return
		}
	}
}

// sequence is one that is run, and what it has done so far.
type sequence[S any] struct {
	*runner[S]
	a     *attempt
	tb    testing.TB
	state S
	model reflect.Value
	start func() string // Go source that makes the state; nil before that
	done  []*step
	// together is how many calls come one after the other, before those at once; -1: all.
	together int
	// explained are histories of runs of the same sequence for which there is an order.
	explained *[]history

	observed observing // receives results; nil: nobody wants them
}

// step is a call of an operation.
type step struct {
	testing.TB // that operations get
	op         *operation
	call       *term.Term
	left       bool            // out, since what it assumes does not hold
	results    []reflect.Value // nil before it has returned
	modeled    []reflect.Value

	// Of a call at once, or after those:
	goroutine int // 0: that of the test
	on        reflect.Value
	args      []reflect.Value // not nil
	start     atomic.Int64    // 0: it has not begun
	end       atomic.Int64
	gaveUp    bool // and changed nothing
	panicked  any
	site      string // of that panic
	stack     []byte
}

// leftOut is the panic that ends an operation whose precondition does not hold.
type leftOut struct{}

func (s *step) leave() {
	s.left = true
	panic(leftOut{})
}

func (s *step) SkipNow()             { s.leave() }
func (s *step) Skip(...any)          { s.leave() }
func (s *step) Skipf(string, ...any) { s.leave() }

// run runs the operations of x until one fails, but for those at once and after these.
func (s *sequence[S]) run(t testing.TB, x *term.Term) {
	s.tb, s.together = t, -1
	s.state, s.model = s.begin(t, x)
	if s.Invariant != nil {
		s.Invariant(t, s.state)
	}
	on := reflect.ValueOf(&s.state).Elem()
	for _, call := range s.calls.List(x) {
		if t.Failed() {
			return
		}
		st := &step{TB: t, op: s.ops[call.Alt()], call: call}
		s.done = append(s.done, st)
		if st.op.model != "" && st.op.tb < 0 && !s.allowed(st, s.model) {
			continue
		}
		if s.step(st, on); st.left {
			continue
		}
		s.show(st)
		if st.op.model != "" && !t.Failed() {
			s.compare(t, st, s.model)
		}
		if s.Invariant != nil && !t.Failed() {
			s.Invariant(t, s.state)
		}
	}
}

// step calls an operation. Nothing but the end of one that is left out is recovered:
// other panics keep their stacks, but for what Panics asks to look at.
func (s *sequence[S]) step(st *step, state reflect.Value) {
	s.at.Store(st.op)
	defer func() {
		s.at.Store(nil)
		s.steps.Add(1)
		if st.left {
			recover() //nolint:errcheck // it is leftOut
			return
		}
		if len(s.Panics) == 0 || st.op.model != "" || st.results != nil {
			return
		}
		if v := recover(); v != nil {
			if !s.documented(v) {
				panic(v)
			}
			st.left = true
		}
	}()
	_, args := s.calls.Args(st.call)
	if st.results = iterated(st.op.invoke(st, state, args)); st.results == nil {
		st.results = []reflect.Value{}
	}
}

// show shows the results of an operation.
func (s *sequence[S]) show(st *step) {
	if s.observed == nil || len(st.results) == 0 {
		return
	}
	list := make([]any, len(st.results))
	for i, v := range st.results {
		list[i] = observable(v)
	}
	s.observed.FuzzmutObserve(st.op.key(), list)
}

// documented reports whether an operation panics with v where it must not be called.
func (s *sequence[S]) documented(v any) bool {
	text := fmt.Sprint(v)
	return slices.ContainsFunc(s.Panics, func(part string) bool { return strings.Contains(text, part) })
}

// allowed calls the model, and reports whether it lets the operation be called: else it
// panics with a value of the test's.
func (s *sequence[S]) allowed(st *step, model reflect.Value) bool {
	defer func() {
		if !st.left {
			return
		}
		if err, ok := recover().(runtime.Error); ok && !s.documented(err) {
			st.left = false
			panic(err)
		}
	}()
	st.left = true // until it has returned
	_, args := s.calls.Args(st.call)
	st.modeled = iterated(called(model.Method(st.op.modelMethod), args))
	st.left = false
	return true
}

// compare fails the test if the model does not return what the operation has returned.
func (s *sequence[S]) compare(t testing.TB, st *step, model reflect.Value) {
	t.Helper()
	if st.op.tb >= 0 {
		_, args := s.calls.Args(st.call) // others: the operation may keep or change its own
		st.modeled = iterated(called(model.Method(st.op.modelMethod), args))
	}
	for i, v := range st.results {
		if judged(v, st.modeled[i], reflect.TypeFor[S]()) && !same(v, st.modeled[i]) {
			st.differs(t)
			return
		}
	}
}

// differs fails the test. The message begins with the place of the operation: that of this call
// tells nothing.
func (s *step) differs(t testing.TB) {
	if a, ok := t.(*attempt); ok {
		a.fail("result of " + s.op.name)
	}
	text := fmt.Sprintf("%s returned %s, and the model %s", s.op.name, results(s.results), results(s.modeled))
	if place := s.op.place(); place != "" {
		text = place + ": " + text
	}
	fmt.Fprintln(t.Output(), text)
	t.Fail()
}
