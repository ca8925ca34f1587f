package fuzzmut

import (
	"testing"

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
	// New makes the state that a sequence begins with, the same each time. Without New and
	// Constructors it is a pointer to a zero value, if S is a pointer.
	New func() S
	// Constructors make it in place of New: declared functions that return an S, or what S
	// points to, and perhaps an error or a bool. Which of them is called is drawn, and so are
	// its arguments; options, ...func(*T), are left out. If there is an error or false, the
	// sequence is discarded.
	Constructors []any
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
	// both are nil or neither is; functions and other states are not compared. Of an iterator, as
	// iter.Seq, the first 100 elements are, in any order, unless there are Goroutines. What the model
	// has no method for is no operation.
	//
	// The model may panic where an operation must not be called, as Pop on what is empty,
	// before it changes anything: the operation is left out of the sequence then. A
	// runtime.Error is a fault of the model, and fails. Operations with a parameter of type
	// testing.TB are called before the model, since they may begin with Assume.
	Model func() any
	// Models are for each of Constructors a function that makes the model, in place of Model. It
	// has the same parameters as the constructor, or none.
	Models []any
	// Panics are parts of the texts of panics with which operations say that they must not be
	// called, as "empty queue". Such an operation is left out of the sequence, and so has to
	// panic before it changes anything. With a model it is the model that panics so.
	Panics []string
	// Invariant tests the state at the beginning and after each operation, but for those
	// that are called at once: after all of them.
	Invariant func(t testing.TB, s S)

	// Goroutines is how many call operations at once, up to 8; 0 or 1: none do. A sequence
	// begins with up to 8 operations one after the other. Then each goroutine calls up to 6, and at
	// last up to 4 come one after the other. It fails if no order of these calls explains what they
	// return (Herlihy and Wing, Linearizability, 1990): an order in which the model returns the
	// same, one call after the other, or without a model another state that begins in the same way.
	// A call that has ended before another begins comes before it. Where a call panics, so has the
	// model. Of what a result points to nothing is compared.
	//
	// Goroutines do not meet in each run, so a sequence is run 100 times, and more often when
	// it is minimized; a run of a test may find nothing where another one does. On a busy machine calls
	// are seldom made at the same time: a check goes on until they were in 1000 runs, but no more than
	// five seconds, unless -fuzzmut.time is given. Operations must not wait for each other: a sequence
	// fails if no call ends for ten seconds, and is not minimized then. With go test -race, the
	// sequence in which there is a race is shown.
	Goroutines int
	// GivesUp are names of operations that may give up while other goroutines are at work, as a TryPop
	// may that meets another one: what it returns last is false or an error then, and it has changed
	// nothing. Such a call is explained wherever it comes in the order, if another goroutine had a call
	// at the same time.
	GivesUp []string
	// History judges a sequence of more than one goroutine in place of the model, by all that
	// was called, and when. It is the way to other checkers, such as
	// github.com/anishathalye/porcupine: see the example.
	History func(t testing.TB, calls []Call)

	// Most bounds arguments of types of the kinds int and uint, which are often sizes, to those
	// between -Most and Most, and those of Constructors of 32 and 64 bits as well. 0: they can be any number.
	Most int

	Seed uint64 // see Gen
	N    int    // sequences: see Gen
	Size int    // of a sequence, in operations, and of their arguments: see Gen
}

// Check tests sequences, as [Gen.Check] tests values. It fails where an operation has not returned for
// ten seconds.
func (m Machine[S]) Check(t *testing.T) {
	t.Helper()
	r := m.runner(t, callerPackage(1))
	defer r.manyProcessors()()
	p := r.property(t)
	if r.Goroutines > 1 {
		defer r.reportRuns(t)
	}
	p.check()
}

// property is what a check tests: a sequence.
func (r *runner[S]) property(t *testing.T) *property {
	p := &property{
		t: t, name: r.name(), typ: r.calls.Type, pkg: r.pkg,
		settings: settingsOf(r.Seed, r.N, r.Size),
	}
	if r.Goroutines > 1 {
		p.reps = batch
		p.enough = func() bool { return r.overlaps >= leastOverlaps }
		p.try = func(x *term.Term, most int) (*attempt, int) { return r.attempt(t, x, most) }
		return p
	}
	p.one = func() (*attempt, func(*attempt, *term.Term)) {
		s := r.sequence(t)
		return s.a, func(a *attempt, x *term.Term) { s.run(a, x) }
	}
	p.try, p.blocked = p.once, r.blocked
	return p
}

// Fuzz makes f a fuzz test of sequences, in place of f.Fuzz: see [Fuzz].
func (m Machine[S]) Fuzz(f F) {
	f.Helper()
	r := m.runner(f, callerPackage(1))
	r.seeds(f)
	f.Cleanup(r.manyProcessors())
	fuzzTerms(f, r.calls.Type, r.name(), r.planned, func(t *testing.T, x *term.Term, shown *func() string) { r.runInput(t, x, f, shown) })
}
