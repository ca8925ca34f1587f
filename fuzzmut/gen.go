package fuzzmut

import (
	"iter"
	"reflect"
	"testing"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// Gen draws values of type T.
type Gen[T any] struct {
	// Seed decides on the values. 0 means that of the flag -fuzzmut.seed, and without
	// it another one in each run. A Check that fails tells which it was.
	Seed uint64
	// N is how many values a Check tests. The flag -fuzzmut.n comes first; if neither
	// is given, it tests 10,000 of them, or less if that takes more than a second.
	N int
	// Size is about the largest number and length. A Check begins with small values;
	// after the first few hundred they vary, up to this. 0 means 100.
	Size int
}

// Values yields values without end, of sizes up to that of g. It panics if values of T
// can't be derived.
func (g Gen[T]) Values() iter.Seq[T] {
	c, err := codecOf[T]()
	must(err)
	return func(yield func(T) bool) {
		s, draw := settingsOf(g.Seed, g.N, g.Size), drawing[T](c)
		r, sizes := term.Random(s.seed), sizesOf(s.n, s.size)
		for i := 0; ; i++ {
			number := r.Uint64()
			if !yield(draw(number, sizes.of(number, i))) {
				return
			}
		}
	}
}

// drawing returns what draws values, one at a time.
func drawing[T any](c *derive.Codec) func(seed uint64, size int) T {
	l := c.Layout()
	if l == nil {
		return func(seed uint64, size int) T { return valueOf[T](c, c.Type().Drawn(seed, size)) }
	}
	w := l.Writer()
	return func(seed uint64, size int) T {
		var v T
		w.Draw(unsafe.Pointer(&v), seed, size)
		return v
	}
}

// Check tests a property of values of T. When fn fails for one, it is minimized:
// down to a value that fails in the same place while none of the values that are one
// step smaller does, and the test fails with that, as Go source. The next run tests the
// last values that failed before all others; go clean -fuzzcache forgets them.
//
// fn gets the test t as far as files, names and contexts go; what it reports is about
// one value. It runs on another goroutine than the test, for one value at a time.
func (g Gen[T]) Check(t *testing.T, fn func(t testing.TB, in T)) {
	t.Helper()
	c, err := codecOf[T]()
	if err != nil {
		t.Fatalf("fuzzmut: %v", err)
	}
	pkg := callerPackage(1)
	in := new(T) // of the value that is tested: to make one for each takes longer than many a test
	clear := func() {
		var none T
		*in = none
	}
	p := &property{
		t: t, name: reflect.TypeFor[T]().String(), typ: c.Type(), pkg: pkg,
		test: func(a *attempt, x *term.Term) {
			if x != nil {
				clear()
				c.Set(unsafe.Pointer(in), x)
			}
			fn(a, *in)
		},
		some:     attempts{of: t},
		source:   func(x *term.Term) string { return source[T](c, x, pkg) },
		settings: settingsOf(g.Seed, g.N, g.Size),
	}
	if l := c.Layout(); l != nil {
		p.place, p.in = l.Writer(), unsafe.Pointer(in)
		if !l.Flat() {
			p.clear = clear
		}
	}
	p.try = p.once
	p.check()
}
