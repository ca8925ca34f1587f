package fuzzmut_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

// shelf holds up to size values, and forgets one where it is full.
type shelf[V any] struct {
	size int
	list []V
}

func newShelf[V any](size int, _ ...func(*shelf[V])) (*shelf[V], error) {
	if size < 0 {
		return nil, errors.New("negative size")
	}
	return &shelf[V]{size: size}, nil
}

func shelfOf[V any](first V) shelf[V] { return shelf[V]{size: 3, list: []V{first}} }

func brokenShelf[V any]() (*shelf[V], bool) { return nil, false }

func (s *shelf[V]) Put(v V) {
	s.list = append(s.list, v)
	if s.size > 1 && len(s.list) > s.size {
		s.list = s.list[2:] // one too many
	}
}

func (s *shelf[V]) Take() V {
	if len(s.list) == 0 {
		panic("the shelf is empty")
	}
	v := s.list[0]
	s.list = s.list[1:]
	return v
}

func (s *shelf[V]) Len() int { return len(s.list) }

// board is what a shelf has to be like.
type board struct{ shelf[int] }

func newBoard(size int) *board { return &board{shelf[int]{size: size}} }
func boardOf(first int) *board { return &board{shelf[int]{size: 3, list: []int{first}}} }
func noBoard() *board          { return nil }
func (b *board) Put(v int) {
	b.list = append(b.list, v)
	b.list = b.list[max(0, len(b.list)-max(b.size, 0)):]
}
func (b *board) Len() int            { return b.shelf.Len() }
func boardOfText(text string) *board { return nil }

func TestHelperConstructors(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*shelf[int]]{
		Constructors: []any{newShelf[int], shelfOf[int], brokenShelf[int]},
		Models:       []any{newBoard, boardOf, noBoard},
		Most:         20,
	}.Check(t)
}

func TestConstructorsAreDrawnAndShown(t *testing.T) {
	out, passed := runHelper(t, "TestHelperConstructors", "-fuzzmut.n=3000")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "no input one step smaller fails in the same place), it is", "s.Put(", "; the model: ")
	if !strings.Contains(out, "s, _ := newShelf[int](") && !strings.Contains(out, "s := shelfOf[int](") {
		t.Errorf("no constructor is shown:\n%s", out)
	}
}

// Sizes are within Most, and a negative one discards the sequence.
func TestConstructorsThatMakeNothingDiscard(t *testing.T) {
	sizes := make(map[int]bool)
	fuzzmut.Machine[*shelf[int]]{
		Constructors: []any{newShelf[int], brokenShelf[int]}, Most: 5, N: 500, Seed: 1, Ops: []any{(*shelf[int]).Len},
		Invariant: func(_ testing.TB, s *shelf[int]) { sizes[s.size] = true },
	}.Check(t)
	for size := range sizes {
		if size < 0 || size > 5 {
			t.Errorf("a shelf has the size %d", size)
		}
	}
	if len(sizes) < 5 {
		t.Errorf("shelves have only the sizes %v", sizes)
	}
}

func strictShelf(size int) *shelf[int] {
	if size < 0 {
		panic("negative size")
	}
	return &shelf[int]{size: size}
}

func faultyShelf(size int) *shelf[int] { return &shelf[int]{size: []int{1, 2}[size]} }

// A constructor that panics with a text discards the sequence. What the runtime finds is a fault.
func TestConstructorsThatPanicDiscard(t *testing.T) {
	ran := 0
	fuzzmut.Machine[*shelf[int]]{
		Constructors: []any{strictShelf}, Most: 5, N: 500, Seed: 1, Ops: []any{(*shelf[int]).Len},
		Invariant: func(testing.TB, *shelf[int]) { ran++ },
	}.Check(t)
	if ran == 0 {
		t.Error("no sequence ran")
	}
}

func TestHelperFaultyConstructor(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*shelf[int]]{Constructors: []any{faultyShelf}, Ops: []any{(*shelf[int]).Len}}.Check(t)
}

func TestConstructorsWithAFaultFail(t *testing.T) {
	out, passed := runHelper(t, "TestHelperFaultyConstructor")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "index out of range", "faultyShelf(")
}

func wideShelf(size uint64, spare int32) *shelf[int64] {
	return &shelf[int64]{size: int(size) + int(max(spare, -spare))}
}

// Sizes are within Most whatever kind of number they are of; the elements are any.
func TestSizesOfAllKindsAreBounded(t *testing.T) {
	wide := false
	fuzzmut.Machine[*shelf[int64]]{
		Constructors: []any{wideShelf}, Most: 5, N: 500, Seed: 1, Ops: []any{(*shelf[int64]).Put},
		Invariant: func(_ testing.TB, s *shelf[int64]) {
			if s.size > 10 {
				t.Fatalf("a shelf has the size %d", s.size)
			}
			wide = wide || slices.ContainsFunc(s.list, func(n int64) bool { return n > 1000 })
		},
	}.Check(t)
	if !wide {
		t.Error("no element is beyond 1000")
	}
}

// An operation whose panic is documented is left out; the others are not.
func TestDocumentedPanicsAreLeftOut(t *testing.T) {
	m := fuzzmut.Machine[*shelf[int]]{
		Constructors: []any{shelfOf[int]}, N: 300, Seed: 1, Panics: []string{"division by 0", "is empty"},
		Ops: []any{(*shelf[int]).Take, (*shelf[int]).Len},
	}
	m.Check(t)
}

func TestHelperUndocumentedPanic(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*shelf[int]]{
		Constructors: []any{shelfOf[int]}, Panics: []string{"is full"}, Ops: []any{(*shelf[int]).Take},
	}.Check(t)
}

func TestOtherPanicsFail(t *testing.T) {
	out, passed := runHelper(t, "TestHelperUndocumentedPanic")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "panic: the shelf is empty", "s := shelfOf[int](0)\n", "s.Take() // returns 0\n", "s.Take()\n", "constructor_test.go")
}

func TestConstructorsThatCantBe(t *testing.T) {
	for _, test := range []struct {
		name string
		m    fuzzmut.Machine[*shelf[int]]
		want string
	}{
		{"both", fuzzmut.Machine[*shelf[int]]{New: func() *shelf[int] { return nil }, Constructors: []any{shelfOf[int]}}, "it has New and Constructors"},
		{"number", fuzzmut.Machine[*shelf[int]]{Constructors: []any{shelfOf[int], 1}}, "constructor 2 is no function"},
		{"literal", fuzzmut.Machine[*shelf[int]]{Constructors: []any{func() *shelf[int] { return nil }}}, "constructor 1 has no name"},
		{"result", fuzzmut.Machine[*shelf[int]]{Constructors: []any{shelfOf[string]}}, "constructor 1 is shelfOf, which has to return *fuzzmut_test.shelf[int]"},
		{"channel", fuzzmut.Machine[*shelf[int]]{Constructors: []any{shelfFrom}}, "constructor 1 is shelfFrom: no inputs of type chan int can be derived"},
		{"few models", fuzzmut.Machine[*shelf[int]]{Constructors: []any{newShelf[int]}, Models: []any{newBoard, newBoard}}, "it has 2 models for 1 constructors"},
		{"no model", fuzzmut.Machine[*shelf[int]]{Constructors: []any{newShelf[int]}, Models: []any{1}}, "model 1 is no function"},
		{"parameters", fuzzmut.Machine[*shelf[int]]{Constructors: []any{newShelf[int]}, Models: []any{boardOfText}}, "model 1 has other parameters than newShelf[int]"},
	} {
		a := &recorder{TB: t}
		a.run(func() { test.m.Fuzz(a) })
		if !strings.Contains(a.text, test.want) {
			t.Errorf("%s: %q lacks %q", test.name, a.text, test.want)
		}
	}
}

func shelfFrom(chan int) *shelf[int] { return nil }

// keeper is an F that keeps the fuzz target.
type keeper struct {
	testing.TB
	target func(*testing.T, []byte)
	seeds  [][]byte
}

func (k *keeper) Add(args ...any) { k.seeds = append(k.seeds, args[0].([]byte)) }
func (k *keeper) Fuzz(target any) { k.target = target.(func(*testing.T, []byte)) }

// States are those of constructors and operations, and those that panic are left out.
func TestFuzzAfterCallsOperations(t *testing.T) {
	lengths := make(map[int]bool)
	k := &keeper{TB: t}
	fuzzmut.FuzzAfter(k, fuzzmut.Machine[*shelf[int]]{
		Constructors: []any{newShelf[int], shelfOf[int]}, Ops: []any{(*shelf[int]).Put, (*shelf[int]).Take}, Most: 9,
	}, func(t *testing.T, s *shelf[int], in struct{ N uint8 }) {
		if s == nil || s.size < 0 || s.size > 9 {
			t.Errorf("the state is %v", s)
		}
		lengths[len(s.list)] = true
	})
	for i := range 300 {
		seed := slices.Clone(k.seeds[i%len(k.seeds)])
		for j := range seed {
			seed[j] += byte(i * (j + 1))
		}
		t.Run("", func(t *testing.T) { k.target(t, seed) })
	}
	if len(lengths) < 3 {
		t.Errorf("shelves have only the lengths %v", lengths)
	}
}

func TestHelperZero(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*shelf[int]]{}.Check(t)
}

// Without a constructor a state begins as the zero value of its type.
func TestStatesBeginAsZero(t *testing.T) {
	out, passed := runHelper(t, "TestHelperZero")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "s := new(shelf[int])\n", "panic: the shelf is empty")
}

func FuzzHelperAfter(f *testing.F) {
	helper(f)
	fuzzmut.FuzzAfter(f, fuzzmut.Machine[*shelf[int]]{Constructors: []any{shelfOf[int]}, Ops: []any{(*shelf[int]).Put, (*shelf[int]).Take}, Most: 9},
		func(t *testing.T, s *shelf[int], in struct{ N uint8 }) {
			if s.Len() == 2 {
				t.Error("two values")
			}
		})
}

func TestFailuresAfterOperationsAreShown(t *testing.T) {
	out, passed := runHelper(t, "FuzzHelperAfter")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "the input is\n", "s := shelfOf[int](", "s.Put(", "in := struct{ N uint8 }{")
}

// Without operations and arguments, there is a state nevertheless.
func TestFuzzAfterNothing(t *testing.T) {
	for _, c := range [][]any{{newBoard}, {one}} {
		k, called := &keeper{TB: t}, false
		fuzzmut.FuzzAfter(k, fuzzmut.Machine[*board]{Constructors: c, Ops: []any{}}, func(_ *testing.T, b *board, _ struct{}) { called = b.size == 0 })
		if k.target(t, nil); !called {
			t.Errorf("the function was not called")
		}
	}
}

func one() *board { return &board{} }
