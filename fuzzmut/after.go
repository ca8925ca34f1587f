package fuzzmut

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/internal/literal"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// mostCalls bounds the operations before the function of FuzzAfter.
const mostCalls = 16

// FuzzAfter makes f a fuzz test of fn for states that a few operations of m lead to, and for
// inputs of type T. It is for functions whose states have invariants, so that [Fuzz] must
// not choose their fields. Of m, it takes the constructors, the operations, which may be
// none, if Ops is an empty list, and Most.
//
// An operation that panics must not be called where it was: it is left out. If a
// constructor panics or makes nothing, the input is discarded. A panic of fn fails.
func FuzzAfter[S, T any](f F, m Machine[S], fn func(t *testing.T, s S, in T)) {
	f.Helper()
	m.Model, m.Models, m.Panics, m.Invariant, m.Goroutines = nil, nil, nil, nil, 0
	r := m.prepared(f, &runner[S]{Machine: m, pkg: callerPackage(1), input: reflect.TypeFor[T](), most: mostCalls})
	r.seeds(f)
	planned := func(x *term.Term) string { return withInput[T](r, x, r.planned(x)) }
	fuzzTerms(f, r.calls.Type, r.name(), planned, func(t *testing.T, x *term.Term, shown *func() string) {
		run := &sequence[S]{runner: r}
		*shown = func() string { return shownAfter[T](run, x) }
		state := run.reach(t, x)
		var in T
		r.calls.Input(x, unsafe.Pointer(&in))
		fn(t, state, in)
	})
}

// shownAfter is Go source for a state and an input.
func shownAfter[T any, S any](s *sequence[S], x *term.Term) string {
	return withInput[T](s.runner, x, s.String())
}

// withInput is source with the input after it.
func withInput[T any, S any](r *runner[S], x *term.Term, text string) string {
	if t := reflect.TypeFor[T](); t.Kind() == reflect.Struct && t.NumField() == 0 {
		return text
	}
	var in T
	r.calls.Input(x, unsafe.Pointer(&in))
	expr, _ := literal.Source(reflect.ValueOf(&in).Elem(), r.pkg)
	return text + "\nin := " + expr
}

// reach makes a state with the operations of a sequence. Each time that one panics, it
// begins again without that one.
func (s *sequence[S]) reach(t testing.TB, x *term.Term) S {
	calls := s.calls.List(x)
	for {
		s.done = nil
		var state S
		if panics(func() { state, _ = s.begin(t, x) }) {
			at, _ := s.calls.Begin(x)
			discard(t, s.runner.begin[at].call)
		}
		at := s.lastOf(t, calls, reflect.ValueOf(&state).Elem())
		if at < 0 {
			return state
		}
		calls = slices.Delete(slices.Clone(calls), at, at+1)
	}
}

// lastOf calls operations until one panics, and returns which; -1: none has.
func (s *sequence[S]) lastOf(t testing.TB, calls []*term.Term, state reflect.Value) int {
	for i, call := range calls {
		st := &step{TB: t, op: s.ops[call.Alt()], call: call}
		if panics(func() { s.step(st, state) }) {
			return i
		}
		s.done = append(s.done, st)
	}
	return -1
}

// panics reports whether fn does. That a test ends its goroutine is no panic.
func panics(fn func()) (did bool) {
	returned := false
	defer func() {
		if !returned {
			did = recover() != nil
		}
	}()
	fn()
	returned = true
	return false
}
