// Package throughput measures what a check of package fuzzmut takes beside a loop that is
// written by hand: it draws values of about the same size, and calls the same property.
package throughput

import (
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/stlc"
)

var rounds = flag.Int("rounds", 0, "rounds of the measurement; in each the loop and the check test as many values")

// values is how many a round tests on either side: as many as a check does.
const values = 10_000

// workload is a type with a property that holds. It says of each value whether it was
// discarded, and parts counts what it is made of.
type workload[V any] struct {
	draw  func(r *rand.Rand) V
	holds func(V) hunt.Outcome
	parts func(V) int
}

// loop is written by hand: it draws and tests until as many values as a check tests were not
// discarded.
func (w workload[V]) loop(seed uint64, test func(V) hunt.Outcome) {
	r := rand.New(rand.NewPCG(seed, 0))
	for tested := 0; tested < values; {
		switch test(w.draw(r)) {
		case hunt.Failed:
			panic("the property holds")
		case hunt.Passed:
			tested++
		}
	}
}

// check is what a user writes in its place.
func (w workload[V]) check(t *testing.T, seed uint64, test func(V) hunt.Outcome) {
	fuzzmut.Gen[V]{Seed: seed, N: values}.Check(t, func(t testing.TB, v V) {
		o := test(v)
		fuzzmut.Assume(t, o != hunt.Discarded)
		if o == hunt.Failed {
			t.Errorf("the property holds")
		}
	})
}

// size is the mean number of parts of the values of a side.
func (w workload[V]) size(run func(seed uint64, test func(V) hunt.Outcome)) float64 {
	parts, n := 0, 0
	run(1, func(v V) hunt.Outcome {
		parts += w.parts(v)
		n++
		return w.holds(v)
	})
	return float64(parts) / float64(n)
}

// TestThroughput prints how many times the processor time of the loop a check takes for each
// value that it draws: the median of all rounds, in which both come one after the other.
func TestThroughput(t *testing.T) {
	t.Run("struct", func(t *testing.T) { measure(t, accounts) })
	t.Run("color", func(t *testing.T) { measure(t, colors) })
	t.Run("box", func(t *testing.T) { measure(t, boxes) })
	t.Run("vector", func(t *testing.T) { measure(t, vectors) })
	t.Run("reading", func(t *testing.T) { measure(t, readings) })
	t.Run("slice", func(t *testing.T) { measure(t, slicesOfInts) })
	t.Run("shapes", func(t *testing.T) { measure(t, shapes) })
	t.Run("record", func(t *testing.T) { measure(t, records) })
	t.Run("words", func(t *testing.T) { measure(t, slicesOfWords) })
	t.Run("map", func(t *testing.T) { measure(t, mapsOfInts) })
	t.Run("tree", func(t *testing.T) { measure(t, trees) })
	t.Run("stlc", func(t *testing.T) { measure(t, expressions) })
}

func measure[V any](t *testing.T, w workload[V]) {
	check := func(seed uint64, test func(V) hunt.Outcome) {
		t.Run("check", func(t *testing.T) { w.check(t, seed, test) })
	}
	byHand, drawn := w.size(w.loop), w.size(check)
	if q := byHand / drawn; q < 0.8 || q > 1.25 {
		t.Errorf("the loop draws %.1f parts a value, and the check %.1f: the times say nothing", byHand, drawn)
	}
	if *rounds == 0 {
		return
	}
	var factors, loops, checks []float64
	for seed := range uint64(*rounds) {
		hand := w.cost(w.loop, seed+1)
		own := w.cost(check, seed+1)
		factors, loops, checks = append(factors, own/hand), append(loops, hand), append(checks, own)
	}
	t.Logf("%d rounds: factor %.2f, from %.2f to %.2f; loop %.0f ns a value, check %.0f; parts %.1f and %.1f",
		*rounds, median(factors), slices.Min(factors), slices.Max(factors), median(loops), median(checks), byHand, drawn)
}

// cost is the processor time of a value that is drawn, in nanoseconds.
func (w workload[V]) cost(run func(seed uint64, test func(V) hunt.Outcome), seed uint64) float64 {
	n, start := 0, processorTime()
	run(seed, func(v V) hunt.Outcome {
		n++
		return w.holds(v)
	})
	return (processorTime() - start) / float64(n)
}

// processorTime is that of all threads of this process, in nanoseconds.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it has no reason to
	}
	return float64(u.Utime.Nano() + u.Stime.Nano())
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

func outcome(holds bool) hunt.Outcome {
	if holds {
		return hunt.Passed
	}
	return hunt.Failed
}

// account is a small struct.
type account struct {
	ID      int
	Balance int64
	Rate    float64
	Open    bool
}

func (a account) deposit(n int64) account {
	a.Balance += n
	return a
}

var accounts = workload[account]{
	draw: func(r *rand.Rand) account {
		return account{r.IntN(201) - 100, int64(r.IntN(201) - 100), float64(r.IntN(201)-100) / 4, r.IntN(2) == 0}
	},
	holds: func(a account) hunt.Outcome { return outcome(a.deposit(5).deposit(-5) == a || math.IsNaN(a.Rate)) },
	parts: func(account) int { return 4 },
}

var slicesOfInts = workload[[]int]{
	draw: func(r *rand.Rand) []int {
		list := make([]int, r.IntN(14))
		for i := range list {
			list[i] = r.IntN(201) - 100
		}
		return list
	},
	holds: func(list []int) hunt.Outcome {
		c := slices.Clone(list)
		slices.Reverse(c)
		slices.Reverse(c)
		return outcome(slices.Equal(c, list))
	},
	parts: func(list []int) int { return len(list) },
}

var slicesOfWords = workload[[]string]{
	draw: func(r *rand.Rand) []string {
		list := make([]string, r.IntN(14))
		for i := range list {
			list[i] = drawWord(r)
		}
		return list
	},
	holds: func(list []string) hunt.Outcome {
		c := slices.Clone(list)
		slices.Reverse(c)
		slices.Reverse(c)
		return outcome(slices.Equal(c, list))
	},
	parts: func(list []string) int {
		n := len(list)
		for _, s := range list {
			n += len(s)
		}
		return n
	},
}

func drawWord(r *rand.Rand) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, r.IntN(44))
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return string(b)
}

var mapsOfInts = workload[map[int]int]{
	draw: func(r *rand.Rand) map[int]int {
		m := make(map[int]int)
		for range r.IntN(10) {
			m[r.IntN(201)-100] = r.IntN(201) - 100
		}
		return m
	},
	holds: func(m map[int]int) hunt.Outcome {
		c := maps.Clone(m)
		for k := range m {
			c[k]++
			c[k]--
		}
		return outcome(maps.Equal(c, m))
	},
	parts: func(m map[int]int) int { return len(m) },
}

type tree struct {
	Left, Right *tree
	Key         int
}

func (t *tree) mirror() *tree {
	if t == nil {
		return nil
	}
	return &tree{t.Right.mirror(), t.Left.mirror(), t.Key}
}

func (t *tree) equal(u *tree) bool {
	if t == nil || u == nil {
		return t == u
	}
	return t.Key == u.Key && t.Left.equal(u.Left) && t.Right.equal(u.Right)
}

func (t *tree) nodes() int {
	if t == nil {
		return 0
	}
	return 1 + t.Left.nodes() + t.Right.nodes()
}

var trees = workload[*tree]{
	draw:  func(r *rand.Rand) *tree { return drawTree(r, 24) },
	holds: func(t *tree) hunt.Outcome { return outcome(t.mirror().mirror().equal(t)) },
	parts: (*tree).nodes,
}

func drawTree(r *rand.Rand, depth int) *tree {
	if depth == 0 || r.IntN(2) == 0 {
		return nil
	}
	return &tree{drawTree(r, depth-1), drawTree(r, depth-1), r.IntN(201) - 100}
}

var expressions = workload[*stlc.Expr]{
	draw:  func(r *rand.Rand) *stlc.Expr { return drawExpr(r, 40) },
	holds: stlc.Calculus{}.Check,
	parts: exprParts,
}

func drawExpr(r *rand.Rand, depth int) *stlc.Expr {
	if depth == 0 || r.IntN(2) == 0 {
		return nil
	}
	return &stlc.Expr{
		Op: uint8(r.IntN(101)), N: uint8(r.IntN(101)),
		Arg: drawType(r, 5), L: drawExpr(r, depth-1), R: drawExpr(r, depth-1),
	}
}

func drawType(r *rand.Rand, depth int) *stlc.Type {
	if depth == 0 || r.IntN(2) == 0 {
		return nil
	}
	return &stlc.Type{Arg: drawType(r, depth-1), Res: drawType(r, depth-1)}
}

func exprParts(e *stlc.Expr) int {
	if e == nil {
		return 0
	}
	return 1 + typeParts(e.Arg) + exprParts(e.L) + exprParts(e.R)
}

func typeParts(t *stlc.Type) int {
	if t == nil {
		return 0
	}
	return 1 + typeParts(t.Arg) + typeParts(t.Res)
}
