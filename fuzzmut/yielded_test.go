package fuzzmut_test

import (
	"iter"
	"maps"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

// bag counts values. If it is short, its iterators leave out the last of three.
type bag struct {
	list  []uint8
	short bool
}

func newBag() *bag      { return &bag{} }
func newShortBag() *bag { return &bag{short: true} }

func (b *bag) Add(n uint8) { b.list = append(b.list, n) }

func (b *bag) All() iter.Seq[uint8] {
	if b.short && len(b.list) > 2 {
		return slices.Values(b.list[:len(b.list)-1])
	}
	return slices.Values(b.list)
}

func (b *bag) Counts() iter.Seq2[uint8, int] {
	counts := make(map[uint8]int)
	for n := range b.All() {
		counts[n]++
	}
	return maps.All(counts) // in any order
}

// Ever yields without end, and panics at a large value.
func (b *bag) Ever() iter.Seq[uint8] {
	return func(yield func(uint8) bool) {
		for i := 0; ; i++ {
			n := uint8(0)
			if len(b.list) > 0 {
				n = b.list[i%len(b.list)]
			}
			if b.short && n > 90 {
				panic("too large")
			}
			if !yield(n) {
				return
			}
		}
	}
}

// backward is a model whose iterator has the other direction.
type backward struct{ bag }

func (b *backward) All() iter.Seq[uint8] {
	list := slices.Clone(b.list)
	slices.Reverse(list)
	return slices.Values(list)
}

func TestHelperIterators(t *testing.T) {
	helper(t)
	t.Run("Differs", func(t *testing.T) {
		fuzzmut.Machine[*bag]{New: newShortBag, Model: func() any { return &backward{} }, Ops: []any{(*bag).Add, (*bag).All}}.Check(t)
	})
	t.Run("Panics", func(t *testing.T) {
		fuzzmut.Machine[*bag]{New: newShortBag, Ops: []any{(*bag).Add, (*bag).Ever}}.Check(t)
	})
}

func TestIteratorsOfOperationsAreRun(t *testing.T) {
	out, passed := runHelper(t, "TestHelperIterators", "-fuzzmut.seed=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "for range s.All() {} // returns [0 0]; the model: [0 0 0]", "All returned [0 0], and the model [0 0 0]",
		"s.Add(91)", "for range s.Ever() {}", "panic: too large")
	fuzzmut.Machine[*bag]{New: newBag, Model: func() any { return &backward{} }, N: 300}.Check(t)
}

// Others may change what they yield meanwhile.
func TestIteratorsOfCallsAtOnceAreNotRun(t *testing.T) {
	fuzzmut.Machine[*bag]{New: newBag, Ops: []any{(*bag).All, (*bag).Ever}, Goroutines: 2, N: 5}.Check(t)
}

func TestWhatIteratorsYieldIsObserved(t *testing.T) {
	a := &observed{recorder: recorder{TB: t}, t: t}
	fuzzmut.Machine[*bag]{New: newBag, Ops: []any{(*bag).Add, (*bag).All, (*bag).Counts}}.Fuzz(a)
	values, pairs := 0, 0
	for _, v := range a.seen {
		switch list := v.(type) {
		case []any:
			values += len(list)
		case [][2]any:
			pairs += len(list)
		default:
			t.Errorf("%T was observed", v)
		}
	}
	if values == 0 || pairs == 0 {
		t.Errorf("%d values and %d pairs were observed", values, pairs)
	}
}

// observed stands for what the command fuzzmut has in place of a testing.F.
type observed struct {
	recorder
	t     *testing.T
	seeds []any
	seen  []any
	off   bool // for the rest of the input
}

func (o *observed) Add(args ...any) { o.seeds = append(o.seeds, args...) }

func (o *observed) Fuzz(target any) {
	for _, seed := range o.seeds {
		o.off = false
		target.(func(*testing.T, []byte))(o.t, seed.([]byte))
	}
}

func (o *observed) FuzzmutObserve(_ string, results []any) { o.seen = append(o.seen, results...) }

func (o *observed) FuzzmutUnobserve() { o.off = true }
