package fuzzmut

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/internal/literal"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// A Machine tests sequences of operations on a state of type S: a data structure, a
// connection, or a struct of the test that holds such a thing and a model of it. Which
// operations there are, in which order, and with which arguments is drawn.
//
// A sequence fails when an operation or the invariant fails the test or panics, or when
// an operation returns what the model does not. It is minimized by leaving out
// operations and making their arguments smaller, and shown as Go source.
type Machine[S any] struct {
	// New makes the state that a sequence begins with, the same each time.
	New func() S
	// Ops are the operations: declared functions with a parameter of type S, such as
	// method expressions. They may have one of type testing.TB; values of all others are
	// drawn, and a pointer is never nil. No Ops means the exported methods of S, but for
	// those for whose arguments there are no values: the log of the test names them.
	//
	// An operation with a precondition begins with Assume: where that does not hold, it
	// is left out of the sequence.
	Ops []any
	// Model makes a reference implementation of S, which may be simple and slow: each
	// operation is called on both, and has to return the same. Errors are the same if
	// both are nil or neither is; functions and other states are not compared. What the
	// model has no method for is no operation.
	//
	// The model may panic where an operation must not be called, as Pop on what is empty,
	// before it changes anything: the operation is left out of the sequence then. A
	// runtime.Error is a fault of the model, and fails. Operations with a parameter of type
	// testing.TB are called before the model, since they may begin with Assume.
	Model func() any
	// Invariant tests the state at the beginning and after each operation.
	Invariant func(t testing.TB, s S)

	Seed uint64 // see Gen
	N    int    // sequences: see Gen
	Size int    // of a sequence, in operations, and of their arguments: see Gen
}

// Check tests sequences, as [Gen.Check] tests values.
func (m Machine[S]) Check(t *testing.T) {
	t.Helper()
	r := m.runner(t, callerPackage(1))
	p := &property{
		t: t, name: r.name(), typ: r.calls.Type, pkg: r.pkg,
		try:      func(x *term.Term) *attempt { return r.attempt(t, x).a },
		source:   func(x *term.Term) string { return r.attempt(t, x).String() },
		settings: settingsOf(m.Seed, m.N, m.Size),
	}
	p.check()
}

// Fuzz makes f a fuzz test of sequences, in place of f.Fuzz: see [Fuzz].
func (m Machine[S]) Fuzz(f F) {
	f.Helper()
	r := m.runner(f, callerPackage(1))
	r.seeds(f)
	fuzzTerms(f, r.calls.Type, r.name(), func(t *testing.T, x *term.Term, shown *func() string) {
		run := &sequence[S]{runner: r}
		*shown = run.String
		run.run(t, x)
	})
}

// fuzzSeeds is how many drawn sequences a fuzz test begins with.
const fuzzSeeds = 10

// seeds adds drawn sequences, the same each time. go test -fuzz changes bytes, and takes
// long to have the first operations; the command fuzzmut draws sequences by itself.
func (r *runner[S]) seeds(f F) {
	f.Helper()
	if _, ok := any(f).(driven); ok {
		return
	}
	rnd := rand.New(rand.NewPCG(1, 0))
	for i := range fuzzSeeds {
		data, err := term.Encode(r.calls.Type.DrawVaried(rnd, 4*(i+1)))
		if err != nil {
			f.Fatalf("fuzzmut: %s: %v", r.name(), err)
		}
		f.Add(data)
	}
}

// runner runs sequences of a Machine.
type runner[S any] struct {
	Machine[S]
	pkg   string // of the test
	ops   []*operation
	calls *derive.Calls
}

// runner fails the test if the machine can't be one.
func (m Machine[S]) runner(t testing.TB, pkg string) *runner[S] {
	t.Helper()
	r := &runner[S]{Machine: m, pkg: pkg}
	if err := r.prepare(t); err != nil {
		t.Fatalf("fuzzmut: %s: %v", r.name(), err)
	}
	return r
}

// name tells the sequences of a state from other values.
func (r *runner[S]) name() string { return "Machine[" + reflect.TypeFor[S]().String() + "]" }

func (r *runner[S]) prepare(t testing.TB) (err error) {
	t.Helper()
	if r.New == nil {
		return errors.New("no state to begin with: New is nil")
	}
	state := reflect.TypeFor[S]()
	var left []string
	if r.ops, left = methods(state); len(r.Ops) > 0 {
		left = nil
		if r.ops, err = functions(r.Ops, state, r.pkg); err != nil {
			return err
		}
	}
	if r.Model != nil {
		if r.ops, left, err = modeled(r.ops, left, reflect.TypeOf(r.Model())); err != nil {
			return err
		}
	}
	if len(r.ops) == 0 {
		return fmt.Errorf("there is no operation\n%s", strings.Join(left, "\n"))
	}
	if len(left) > 0 {
		t.Logf("fuzzmut: %s: these methods are no operations:\n%s", r.name(), strings.Join(left, "\n"))
	}
	var calls []derive.Call
	for _, op := range r.ops {
		calls = append(calls, op.signature())
	}
	r.calls, err = registry.Calls(r.name(), calls)
	return err
}

// modeled are the operations that a model has, too.
func modeled(all []*operation, left []string, model reflect.Type) (ops []*operation, missing []string, err error) {
	if model == nil {
		return nil, nil, errors.New("no model: Model returns nil")
	}
	for _, op := range all {
		switch ok, err := op.against(model); {
		case err != nil:
			return nil, nil, err
		case ok:
			ops = append(ops, op)
		default:
			left = append(left, op.name+": the model has no such method")
		}
	}
	return ops, left, nil
}

// attempt runs a sequence as one value of a check.
func (r *runner[S]) attempt(t *testing.T, x *term.Term) *sequence[S] {
	s := &sequence[S]{runner: r, a: &attempt{TB: t}}
	s.a.run(func() { s.run(s.a, x) })
	return s
}

// sequence is one that is run, and what it has done so far.
type sequence[S any] struct {
	*runner[S]
	a    *attempt
	done []*step
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
	state := s.New()
	var model reflect.Value
	if s.Model != nil {
		model = reflect.ValueOf(s.Model())
	}
	if s.Invariant != nil {
		s.Invariant(t, state)
	}
	for _, call := range x.Kids {
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
		if st.op.model != "" && !t.Failed() {
			s.compare(t, st, model)
		}
		if s.Invariant != nil && !t.Failed() {
			s.Invariant(t, state)
		}
	}
}

// step calls an operation. Nothing but the end of one that is left out is recovered:
// panics keep their stacks.
func (s *sequence[S]) step(st *step, state reflect.Value) {
	defer func() {
		if st.left {
			recover() //nolint:errcheck // it is leftOut
		}
	}()
	_, args := s.calls.Args(st.call)
	st.results = st.op.invoke(st, state, args)
}

// allowed calls the model, and reports whether it lets the operation be called: else it
// panics with a value of the test's.
func (s *sequence[S]) allowed(st *step, model reflect.Value) bool {
	defer func() {
		if !st.left {
			return
		}
		if err, ok := recover().(runtime.Error); ok {
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
			if a, ok := t.(*attempt); ok {
				a.fail("result of " + st.op.name)
			}
			t.Errorf("%s returned %s, and the model %s", st.op.name, results(st.results), results(st.modeled))
			return
		}
	}
}

// String is Go source that does what the sequence has done.
func (s *sequence[S]) String() string {
	lines := []string{"s := " + s.beginning()}
	for _, st := range s.done {
		if !st.left {
			lines = append(lines, s.line(st))
		}
	}
	return strings.Join(lines, "\n")
}

// beginning is the call of New.
func (s *sequence[S]) beginning() string {
	qualifier, receiver, name, ok := functionName(reflect.ValueOf(s.New), s.pkg)
	if !ok || receiver != "" {
		return "New() // of the Machine"
	}
	return qualifier + name + "()"
}

// line is a call, and what it returned.
func (s *sequence[S]) line(st *step) string {
	_, drawn := s.calls.Args(st.call)
	args := make([]string, st.op.fn.Type().NumIn())
	args[st.op.state] = "s"
	if st.op.tb >= 0 {
		args[st.op.tb] = "t"
	}
	for i, k := range st.op.drawn {
		args[k], _ = literal.Source(drawn[i], s.pkg)
		if st.op.fn.Type().IsVariadic() && k == len(args)-1 {
			args[k] += "..."
		}
	}
	if strings.HasPrefix(st.op.call, "s.") {
		args = append(args[:st.op.state], args[st.op.state+1:]...)
	}
	text := st.op.call + "(" + strings.Join(args, ", ") + ")"
	if len(st.results) > 0 {
		text += " // " + results(st.results)
	}
	if st.results != nil && st.modeled != nil && results(st.modeled) != results(st.results) {
		text += "; the model: " + results(st.modeled)
	}
	return text
}
