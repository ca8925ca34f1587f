package fuzzmut

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// attempt runs a sequence as one value of a check.
func (r *runner[S]) attempt(t *testing.T, x *term.Term) *sequence[S] {
	s := &sequence[S]{runner: r, a: &attempt{TB: t}}
	s.a.run(func() { s.run(s.a, x) })
	return s
}

// sequence is one that is run, and what it has done so far.
type sequence[S any] struct {
	*runner[S]
	a     *attempt
	start string // the call of the constructor
	done  []*step

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

// run runs the operations of x until one fails.
func (s *sequence[S]) run(t testing.TB, x *term.Term) {
	state, model := s.begin(t, x)
	if s.Invariant != nil {
		s.Invariant(t, state)
	}
	for _, call := range s.calls.List(x) {
		if t.Failed() {
			return
		}
		st := &step{TB: t, op: s.ops[call.Alt()], call: call}
		s.done = append(s.done, st)
		if st.op.model != "" && st.op.tb < 0 && !s.allowed(st, model) {
			continue
		}
		if s.step(st, reflect.ValueOf(&state).Elem()); st.left {
			continue
		}
		s.show(st)
		if st.op.model != "" && !t.Failed() {
			s.compare(t, st, model)
		}
		if s.Invariant != nil && !t.Failed() {
			s.Invariant(t, state)
		}
	}
}

// step calls an operation. Nothing but the end of one that is left out is recovered:
// other panics keep their stacks, but for what Panics asks to look at.
func (s *sequence[S]) step(st *step, state reflect.Value) {
	defer func() {
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
	if st.results = st.op.invoke(st, state, args); st.results == nil {
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
		list[i] = v.Interface()
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
	st.modeled = called(model.MethodByName(st.op.model), args)
	st.left = false
	return true
}

// compare fails the test if the model does not return what the operation has returned.
func (s *sequence[S]) compare(t testing.TB, st *step, model reflect.Value) {
	t.Helper()
	if st.op.tb >= 0 {
		_, args := s.calls.Args(st.call) // others: the operation may keep or change its own
		st.modeled = called(model.MethodByName(st.op.model), args)
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
