package unittest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// measured runs the tests without mutants.
func measured(t *testing.T, o Options) *suite {
	t.Helper()
	o.setDefaults()
	l, err := newLauncher(context.Background(), &o, newLedger(&o))
	if err != nil {
		t.Fatal(err)
	}
	s, err := measure(l)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A test is steady if it does the same, in fuel and in mutants, each time that it is run.
func TestSameWork(t *testing.T) {
	first := wire.TestRan{Fuel: 10, Reached: []byte{6}, Infected: []byte{2}}
	plain := wire.TestRan{Fuel: 10}
	change := func(f func(r *wire.TestRan)) *wire.TestRan {
		r := first
		f(&r)
		return &r
	}
	for _, c := range []struct {
		about         string
		second, third *wire.TestRan
		want          bool
	}{
		{"the same", &first, &plain, true},
		{"a cache", change(func(r *wire.TestRan) { r.Fuel = 2 }), &plain, false},
		{"other branches", change(func(r *wire.TestRan) { r.Reached = []byte{4} }), &plain, false},
		{"other values", change(func(r *wire.TestRan) { r.Infected = []byte{4} }), &plain, false},
		{"more the third time", &first, &wire.TestRan{Fuel: 11}, false},
		{"traced once", &plain, &plain, false},
		{"run twice", &first, nil, false},
	} {
		if got := sameWork([]outcomes{{&first}, {c.second}, {c.third}}, 0); got != c.want {
			t.Errorf("%s: %v", c.about, got)
		}
	}
}

// Short tests share a process, long ones have their own, and what leaves others at work
// comes last.
func TestStages(t *testing.T) {
	s := newTestSuite(&Options{}, instrument.Mutant{Status: instrument.StatusLive})
	a, b, c := s.tests[0], s.tests[1], s.tests[2]
	d := &test{Test: Test{Name: "D", Time: time.Millisecond}, index: 3}
	a.Time, b.works, c.Time = time.Minute, true, time.Second
	b.infected = bitset.Of(1)
	all := []*test{a, b, c, d}
	for _, x := range []struct {
		about string
		it    item
		want  string
	}{
		{"all", item{infected: all}, "D,B,C,A"},
		{"trusted", item{infected: all, shared: []*test{d}, trusted: true}, "B,C,A"},
		{"trusted for all", item{infected: []*test{d}, shared: []*test{d}, trusted: true}, ""},
		{"in doubt", item{infected: all, doubtful: a}, "A,A C D B"},
		{"in doubt, isolated", item{infected: all, doubtful: a, isolated: true}, "A C D B"},
		{"before the first test", item{infected: all, early: true}, "D,B"},
		{"the rest of these", item{infected: all, early: true, far: true}, "C,A"},
	} {
		x.it.verdict.Mutant = 1
		var got []string
		for _, stage := range x.it.stages() {
			got = append(got, names(stage))
		}
		if strings.Join(got, ",") != x.want {
			t.Errorf("%s: %q, want %q", x.about, got, x.want)
		}
	}
}

// Mutants whose tests do the same in any process are believed where they survive; a cache
// hides others, and what one of them leaves behind hides the next.
func TestSurvivorsOfSharedProcesses(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

func Weak(a, b int) int { return (a+b)*(a-b)*(a+2*b)*(a-2*b) + a*b*a + a/b/a }

var memo = make(map[int]int)

func Square(n int) int {
	if v, ok := memo[n]; ok {
		return v
	}
	memo[n] = n * n
	return memo[n]
}
-- p_test.go --
package p

import "testing"

func TestWeak(t *testing.T) { Weak(7, 3) }

func TestSquare(t *testing.T) {
	if Square(3) != 9 {
		t.Error("wrong")
	}
}
`), "math")
	b.Parallel = 1
	res := b.run(t)
	if got := b.verdict(t, res, "Square", "math", "").show(); got != "killed assertion TestSquare" {
		t.Errorf("Square: %s", got)
	}
	list := b.mutants("Weak", "math", "")
	fresh := 0
	for _, v := range res.Verdicts {
		if !slices.Contains(list, v.Mutant) {
			continue
		}
		if v.Status != StatusSurvived {
			t.Errorf("%s", v.show())
		}
		if v.Fresh {
			fresh++
		}
	}
	if fresh != 1 || len(list) < 10 {
		t.Errorf("%d of %d survivors had processes of their own, want one", fresh, len(list))
	}
	b.Isolated = true
	for i, v := range b.run(t).Verdicts {
		if !v.Fresh || v.Status != res.Verdicts[i].Status {
			t.Errorf("isolated: %s, in a new process: %v; want %s", v.show(), v.Fresh, res.Verdicts[i].Status)
		}
	}
}

// A long test that finds only what a mutant has done before the first test is run with one
// survivor of each function, and with all of them if it kills that one.
func TestTestsThatAreFarFromAMutant(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

var table = fill(5, 3)

func fill(a, b int) int { return (a+b)*(a-b) + a*b }

var idle = count(5, 3)

func count(a, b int) int { return (a+b)*(a-b) + a*b }
-- p_test.go --
package p

import (
	"testing"
	"time"
)

func TestShort(t *testing.T) {
	fill(4, 1)
	count(4, 1)
}

func TestLong(t *testing.T) {
	time.Sleep(150 * time.Millisecond)
	if table != 31 {
		t.Error("wrong")
	}
	_ = idle
}
`), "math")
	sampled := make(map[string]int)
	for _, v := range b.run(t).Verdicts {
		sampled[b.Program.Mutants[v.Mutant-1].Func+": "+v.show()]++
	}
	b.Isolated = true
	isolated := make(map[string]int)
	for _, v := range b.run(t).Verdicts {
		isolated[b.Program.Mutants[v.Mutant-1].Func+": "+v.show()]++
	}
	killed, survived, left := "fill: killed assertion TestLong", "count: survived", "count: survived "+LongTestsLeftOut
	n := isolated[survived]
	if n < 2 || !maps.Equal(isolated, map[string]int{killed: isolated[killed], survived: n}) {
		t.Errorf("isolated: %v", isolated)
	}
	if !maps.Equal(sampled, map[string]int{killed: isolated[killed], survived: 1, left: n - 1}) {
		t.Errorf("sampled: %v", sampled)
	}
}

// What a test leaves at work slows down what runs after it in the process.
func TestATestThatLeavesWorkBehindHasItsOwnProcess(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

func Sum(a, b int) int { return a + b }

var memo = make(map[int]int)

func Square(n int) int {
	if v, ok := memo[n]; ok {
		return v
	}
	memo[n] = n * n
	return memo[n]
}
-- p_test.go --
package p

import "testing"

var stop bool

func TestSpin(t *testing.T) {
	go func() {
		for n := 0; !stop; n++ {
		}
	}()
	Sum(1, 2)
}

func TestSum(t *testing.T) {
	if Sum(1, 2) != 3 {
		t.Error("sum")
	}
}

func TestSquare(t *testing.T) { Square(3) }

func TestSquareAgain(t *testing.T) { Square(3) }
`), "math")
	s := measured(t, b.Options)
	if spin, sum := s.tests[0], s.tests[1]; !spin.works || sum.works || spin.steady || !sum.steady || spin.infected.Len() == 0 {
		t.Errorf("%+v\n%+v", spin, sum)
	}
	for _, cached := range s.tests[2:] {
		if cached.steady || cached.infected.Len() == 0 {
			t.Errorf("%+v", cached)
		}
	}
	if v := b.verdict(t, b.run(t), "Sum", "math", ""); v.show() != "killed assertion TestSum" {
		t.Errorf("%s", v.show())
	}
}

// The work that a test leaves behind burns fuel for ever. It counts for no other test, and it is
// no failure: go test lets it go on as well.
func TestWorkThatIsLeftBehindCountsForNoOtherTest(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

import "math/big"

func Sum(a, b int) int { return a + b }

func Spin(n int) (sum int) {
	for i := 0; i != n; i++ {
		sum += i
	}
	return sum
}

// Power burns more fuel at once than an input of a fuzz test has.
func Power(n int64) int {
	x := new(big.Int)
	return x.Exp(big.NewInt(n+1), big.NewInt(1<<24), nil).BitLen()
}
-- p_test.go --
package p

import (
	"runtime"
	"testing"
)

var ready bool

func TestReady(t *testing.T) { ready = true }

func TestSpin(t *testing.T) {
	go Spin(-1)
	Sum(1, 2)
}

func TestSum(t *testing.T) {
	runtime.Gosched()
	if Sum(1, 2) != 3 {
		t.Error("sum")
	}
}

func TestNeedsTheFirst(t *testing.T) {
	if !ready {
		t.Error("TestReady has not run")
	}
}

func TestPower(t *testing.T) { Power(2) }
`), "math")
	s := measured(t, b.Options)
	if aside := s.aside(); len(aside) > 0 {
		t.Errorf("set aside: %+v", aside[0])
	}
	spin, sum, power := s.tests[1], s.tests[2], s.tests[4]
	if !spin.works || sum.works || !sum.steady || sum.Fuel > 100 {
		t.Errorf("%+v\n%+v", spin, sum)
	}
	if power.Fuel < 410_000_000 {
		t.Errorf("%+v", power)
	}
	for _, m := range b.mutants("Spin", "math", "") {
		if sum.reached.Has(int(m)) {
			t.Errorf("TestSum reaches %d", m)
		}
	}
}
