package fuzzmut

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

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
	begin []*constructor
	ops   []*operation
	calls *derive.Calls
	input reflect.Type // of what comes after the operations; nil: nothing does
	most  int          // bound of the operations; 0: none

	at    atomic.Pointer[operation] // that has begun, and has not ended
	steps atomic.Int64              // that have ended
	seen  int64                     // of these, when it was asked last

	unknown, judgements int                 // of histories
	unsteady            map[*operation]bool // those that did not do the same each time
	runs, overlaps      int                 // of calls at once
}

// runner fails the test if the machine can't be one.
func (m Machine[S]) runner(t testing.TB, pkg string) *runner[S] {
	t.Helper()
	return m.prepared(t, &runner[S]{Machine: m, pkg: pkg})
}

// prepared completes a runner.
func (m Machine[S]) prepared(t testing.TB, r *runner[S]) *runner[S] {
	t.Helper()
	if err := r.prepare(t); err != nil {
		t.Fatalf("fuzzmut: %s: %v", r.name(), err)
	}
	return r
}

// blocked names the operation that has begun, if none has ended since it was asked last. That is
// at least mostWait ago.
func (r *runner[S]) blocked() string {
	op, steps := r.at.Load(), r.steps.Load()
	if op == nil || steps != r.seen {
		r.seen = steps
		return ""
	}
	return fmt.Sprintf("%s has not returned for %v. If it is meant to block, leave it out with Ops", op.name, mostWait)
}

// name tells the sequences of a state from other values.
func (r *runner[S]) name() string { return "Machine[" + reflect.TypeFor[S]().String() + "]" }

func (r *runner[S]) prepare(t testing.TB) (err error) {
	t.Helper()
	r.unsteady = make(map[*operation]bool)
	state := reflect.TypeFor[S]()
	if r.Goroutines > mostGoroutines {
		return fmt.Errorf("it has %d goroutines. To fix this: give it %d at most", r.Goroutines, mostGoroutines)
	}
	if r.Goroutines > 1 {
		r.most = mostBefore
	}
	if r.begin, err = r.constructors(state); err != nil {
		return err
	}
	var left []unfit
	if r.ops, left = methods(state); r.Ops != nil {
		left = nil
		if r.ops, err = functions(r.Ops, state, r.pkg); err != nil {
			return err
		}
	}
	if model, err := r.modelType(); err != nil {
		return err
	} else if model != nil {
		if r.ops, left, err = modeled(r.ops, left, model); err != nil {
			return err
		}
	}
	if len(r.ops) == 0 && r.input == nil {
		return fmt.Errorf("there is no operation\n%s", listed(left))
	}
	if err := r.checkGivesUp(); err != nil {
		return err
	}
	if len(left) > 0 {
		t.Logf("fuzzmut: %s: these methods are no operations:\n%s", r.name(), listed(left))
	}
	r.calls, err = registry.Calls(r.sequences())
	return err
}

// sequences says what sequences of the runner are.
func (r *runner[S]) sequences() derive.Sequence {
	s := derive.Sequence{Name: r.name(), Input: r.input, Most: r.Most, MostOps: r.most, AtOnce: r.atOnce(), After: mostAfter}
	for _, c := range r.begin {
		s.Begin = append(s.Begin, derive.Call{Name: c.call, Args: c.drawn})
	}
	for _, op := range r.ops {
		s.Ops = append(s.Ops, op.signature())
	}
	return s
}

// modeled are the operations that a model has, too.
func modeled(all []*operation, left []unfit, model reflect.Type) (ops []*operation, missing []unfit, err error) {
	for _, op := range all {
		switch ok, err := op.against(model); {
		case err != nil:
			return nil, nil, err
		case ok:
			ops = append(ops, op)
		default:
			left = append(left, unfit{op.name, "the model has no such method"})
		}
	}
	return ops, left, nil
}
