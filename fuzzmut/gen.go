package fuzzmut

import (
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// Gen draws values of type T. The same Gen always draws the same ones.
type Gen[T any] struct {
	Seed uint64 // of the random numbers
	N    int    // values of a Check; 0 means 1,000
	Size int    // numbers and lengths go up to about this, which Check reaches step by step; 0 means 20
}

// Values yields values without end, all of them of the size of g. It panics if values
// of T can't be derived.
func (g Gen[T]) Values() iter.Seq[T] {
	c, err := codecOf[T]()
	must(err)
	return func(yield func(T) bool) {
		r := g.rand()
		for yield(valueOf[T](c, c.Type().DrawWide(r, g.size()))) {
		}
	}
}

func (g Gen[T]) rand() *rand.Rand { return rand.New(rand.NewPCG(g.Seed, 0)) }

func (g Gen[T]) size() int {
	if g.Size == 0 {
		return 20
	}
	return g.Size
}

// Bounds of a Check.
const (
	discardsPerValue = 20    // before it gives up
	shrinkRuns       = 50000 // of fn, for a smaller value
)

// Check tests a property of values of T. When fn fails for one, it is minimized:
// down to a value that fails in the same place while none of the values that are one
// step smaller does, and the test fails with that, as Go source.
//
// fn gets the test t as far as files, names and contexts go; what it reports is about
// one value. It runs on its own goroutine, one at a time.
func (g Gen[T]) Check(t *testing.T, fn func(t testing.TB, in T)) {
	t.Helper()
	c, err := codecOf[T]()
	if err != nil {
		t.Fatalf("fuzzmut: %v", err)
	}
	if g.N == 0 {
		g.N = 1000
	}
	pkg := callerPackage(1)
	r := g.rand()
	var tally tally
	for tested := 0; tested < g.N; {
		size := 1 + tested*g.size()/g.N
		x := draw(t, c, r, size)
		a := try(t, c, x, fn)
		tally.count(a)
		if a.Failed() {
			t.Fatal(g.counterexample(t, c, x, a, fn, pkg, tally.inputs))
		}
		if !a.Skipped() {
			tested++
		} else if tally.inputs > discardsPerValue*g.N {
			t.Fatalf("fuzzmut: too few inputs satisfy Assume: %s. To fix this: generate better ones with fuzzmut.Generate or fuzzmut.Represent", &tally)
		}
	}
}

// draw draws an input. What is wrong with a function that was registered fails the test.
func draw(t *testing.T, c *derive.Codec, r *rand.Rand, size int) *term.Term {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *derive.UserError:
			t.Fatal(v)
		default:
			panic(v)
		}
	}()
	return c.Type().DrawWide(r, size)
}

// try runs fn on a value.
func try[T any](t *testing.T, c *derive.Codec, x *term.Term, fn func(testing.TB, T)) *attempt {
	a := &attempt{TB: t}
	a.run(func() { fn(a, valueOf[T](c, x)) })
	return a
}

// counterexample makes a failing input smaller and says what fails.
func (g Gen[T]) counterexample(t *testing.T, c *derive.Codec, x *term.Term, first *attempt, fn func(testing.TB, T), pkg string, inputs int) string {
	last := first
	least, minimal := term.Shrink(x, shrinkRuns, func(y *term.Term) bool {
		a := try(t, c, y, fn)
		takeDiscard(a)
		if !a.Failed() || a.site != first.site {
			return false
		}
		last = a
		return true
	})
	return message(source[T](c, least, pkg), last, minimal, inputs, g.Seed)
}
