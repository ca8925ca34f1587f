package unittest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// newTestSuite has tests A, B and C, and the mutants given.
func newTestSuite(o *Options, mutants ...instrument.Mutant) *suite {
	for i := range mutants {
		mutants[i].Index = i + 1
	}
	o.Program = &instrument.Program{Mutants: mutants}
	o.setDefaults()
	s := &suite{launch: &launcher{o: o, ledger: newLedger(o)}}
	for i, name := range []string{"A", "B", "C"} {
		s.tests = append(s.tests, &test{Test: Test{Name: name, Fuel: 10, Time: time.Millisecond}, index: i})
	}
	return s
}

func names(tests []*test) string {
	var list []string
	for _, t := range tests {
		list = append(list, t.Name)
	}
	return strings.Join(list, " ")
}

// What is known without a run is decided, and the others are given the tests in which they
// may show.
func TestClassify(t *testing.T) {
	o := &Options{Known: func(m *instrument.Mutant, reach []string) (Verdict, bool) {
		return Verdict{Status: StatusSurvived, Reason: strings.Join(reach, "+")}, m.ID == "known"
	}}
	s := newTestSuite(
		o,
		instrument.Mutant{Status: instrument.StatusLive},
		instrument.Mutant{Status: instrument.StatusLive},
		instrument.Mutant{Status: instrument.StatusLive},
		instrument.Mutant{Status: instrument.StatusSkipped, Reason: "a directive"},
		instrument.Mutant{Status: instrument.StatusStatic},
		instrument.Mutant{Status: instrument.StatusLive, ID: "known"},
		instrument.Mutant{Status: instrument.StatusLive},
	)
	s.startReached, s.startInfected = bitset.Of(5), bitset.Of(5)
	a, b, c := s.tests[0], s.tests[1], s.tests[2]
	a.reached, a.infected = bitset.Of(2, 3, 6), bitset.Of(3)
	b.reached, b.infected = bitset.Of(3, 6, 7), bitset.Of(3, 7)
	c.reached, c.infected = bitset.Of(3, 7), bitset.Of(3, 7)
	b.once = true
	c.Time = time.Second // it runs in separate processes
	cl := classifier{suite: s, tests: s.tests, known: o.Known, names: make(map[string][]string)}
	for i, want := range []string{
		"not-covered",
		"survived: no test computes a different value",
		"in A B C, shared A",
		"skipped: a directive",
		"in A B C, shared ",
		"survived: A+B",
		"in B C, shared ",
	} {
		it, final := cl.classify(uint32(i + 1))
		got := string(it.verdict.Status)
		if it.verdict.Reason != "" {
			got += ": " + it.verdict.Reason
		}
		if !final {
			got = fmt.Sprintf("in %s, shared %s", names(it.infected), names(it.shared))
		}
		if got != want {
			t.Errorf("mutant %d: %s, want %s", i+1, got, want)
		}
	}
}

// A chunk holds mutants of one function, and no more than chunkMost.
// What the budget leaves out has no verdict, whatever it would have been; what is known
// costs nothing.
func TestABudgetGoesByTheOrderOfTheMutants(t *testing.T) {
	live := instrument.Mutant{Status: instrument.StatusLive}
	known := live
	known.ID = "known"
	o := &Options{Fuel: 2*processFuel + 2*2*10, Mutants: []uint32{3, 4, 1, 2, 5}, Known: func(m *instrument.Mutant, _ []string) (Verdict, bool) {
		return Verdict{Status: StatusKilled, Test: "A"}, m.ID == "known"
	}}
	s := newTestSuite(o, live, live, live, known, live)
	a, b := s.tests[0], s.tests[1]
	a.reached, a.infected = bitset.Of(1, 2, 3, 4), bitset.Of(1, 2, 3, 4)
	b.reached = bitset.Of(3)
	p := newPlan(s, o.mutants(), false)
	var left []uint32
	for _, c := range p.chunks {
		for _, it := range c.items {
			left = append(left, it.verdict.Mutant)
		}
	}
	var got []string
	for _, v := range s.launch.ledger.finish(s).Verdicts {
		got = append(got, fmt.Sprintf("%d %s %s", v.Mutant, v.Status, v.Reason))
	}
	if want := []string{"2 not-run " + OverBudget, "4 killed ", "5 not-covered "}; !slices.Equal(got, want) || !slices.Equal(left, []uint32{3, 1}) {
		t.Errorf("decided %q, want %q; to run %v", got, want, left)
	}
	if p := newPlan(s, []uint32{1, 2, 3}, true); len(p.chunks) != 1 || len(p.chunks[0].items) != 3 {
		t.Error("what is judged again has a budget")
	}
}

func TestPlanDealsOutByFunction(t *testing.T) {
	var mutants []instrument.Mutant
	var ids []uint32
	for i := range chunkMost + 3 {
		mutants = append(mutants, instrument.Mutant{Status: instrument.StatusLive, FuncIndex: i % 2 * 7})
		ids = append(ids, uint32(i+1))
	}
	for i := range chunkMost { // more of the first function
		mutants = append(mutants, instrument.Mutant{Status: instrument.StatusLive})
		ids = append(ids, uint32(chunkMost+3+i+1))
	}
	o := &Options{}
	s := newTestSuite(o, mutants...)
	s.tests[1].reached, s.tests[1].infected = bitset.Of(ids...), bitset.Of(ids...)
	p := newPlan(s, o.mutants(), false)
	var sizes []int
	for _, c := range p.chunks {
		sizes = append(sizes, len(c.items))
		fn := mutants[c.items[0].verdict.Mutant-1].FuncIndex
		for _, it := range c.items {
			if mutants[it.verdict.Mutant-1].FuncIndex != fn {
				t.Errorf("a chunk has mutants of functions %d and %d", fn, mutants[it.verdict.Mutant-1].FuncIndex)
			}
		}
		if names(c.tests) != "B" {
			t.Errorf("the tests of a chunk are %s", names(c.tests))
		}
	}
	if got, want := fmt.Sprint(sizes), fmt.Sprint([]int{chunkMost, chunkMost/2 + 1, chunkMost/2 + 2}); got != want {
		t.Errorf("chunks of %s, want %s", got, want)
	}
	o.Isolated = true
	if p = newPlan(s, o.mutants(), false); len(p.chunks) > 0 || len(p.alone.take()) != len(mutants) || len(p.alone.take()) > 0 {
		t.Errorf("alone: %d chunks", len(p.chunks))
	}
}

// A shared process decides on kills that are beyond doubt, and on nothing else.
func TestTriedMutants(t *testing.T) {
	o := &Options{}
	s := newTestSuite(o, instrument.Mutant{}, instrument.Mutant{}, instrument.Mutant{})
	c := &chunk{}
	for id := range uint32(3) {
		c.items = append(c.items, &item{verdict: Verdict{Mutant: id + 1}, shared: s.tests[:2], infected: s.tests[:2]})
	}
	c.listTests(s.tests)
	var alone queue
	sh := &sharer{suite: s, alone: &alone}
	sh.tried(c, c.items[0], &wire.Tried{Mutant: 1, Ran: []int{1, 0}, Kill: &wire.TestKill{Test: 0, Kind: oracle.Panic, Detail: "boom"}})
	sh.tried(c, c.items[1], &wire.Tried{Mutant: 2, Ran: []int{0, 1}})
	sh.tried(c, c.items[2], &wire.Tried{Mutant: 3, Ran: []int{0}, Doubt: "it failed once"})
	if got := fmt.Sprint(c.tried, c.killed); got != "[3 2] [1 0]" {
		t.Errorf("tests tried and killing: %s", got)
	}
	res := s.launch.ledger.finish(s)
	if len(res.Verdicts) != 1 || res.Verdicts[0].show() != "killed panic A" {
		t.Errorf("verdicts %+v", res.Verdicts)
	}
	left := alone.take()
	if len(left) != 2 || !left[0].survived || left[1].survived || names(left[1].infected) != "A B C" {
		t.Errorf("%d are left for processes of their own", len(left))
	}
}

func TestBlame(t *testing.T) {
	for _, c := range []struct {
		mutant uint32 // in progress
		want   string // that are left
		alone  uint32
	}{{2, "1 3", 2}, {0, "2 3", 1}, {9, "2 3", 1}} {
		s := newTestSuite(&Options{}, instrument.Mutant{}, instrument.Mutant{}, instrument.Mutant{})
		var rest []*item
		for id := range uint32(3) {
			rest = append(rest, &item{verdict: Verdict{Mutant: id + 1}})
		}
		var alone queue
		d := deathWith(c.mutant)
		d.TimedOut = true
		rest = (&sharer{suite: s, alone: &alone}).blame(rest, d)
		var left []string
		for _, it := range rest {
			left = append(left, fmt.Sprint(it.verdict.Mutant))
		}
		put := alone.take()
		if got := strings.Join(left, " "); got != c.want || len(put) != 1 || put[0].verdict.Mutant != c.alone || !put[0].blocked {
			t.Errorf("a death with mutant %d leaves %s, and puts aside %d", c.mutant, got, len(put))
		}
	}
}

// What a test costs does not go by what its first run in a process allocates, which differs.
func TestLeastAllocs(t *testing.T) {
	traced := func(allocs int64) *wire.TestRan { return &wire.TestRan{Allocs: allocs, Reached: []byte{1}} }
	failed := &wire.TestRan{Allocs: 3, Reached: []byte{1}, Outcome: wire.Outcome{Kind: wire.Fail}}
	for _, c := range []struct {
		passes []outcomes
		want   int64
	}{
		{[]outcomes{{traced(34)}, {traced(27)}, {&wire.TestRan{}}}, 27},
		{[]outcomes{{traced(35)}, {traced(27)}, {&wire.TestRan{}}}, 27},
		{[]outcomes{{traced(35)}, {nil}}, 35},
		{[]outcomes{{traced(35)}, {failed}}, 35},
		{[]outcomes{{traced(0)}, {traced(1)}}, 0},
	} {
		s := newTestSuite(&Options{})
		s.tests = s.tests[:1]
		if s.learn(c.passes); s.tests[0].allocs != c.want {
			t.Errorf("%d allocations, want %d", s.tests[0].allocs, c.want)
		}
	}
}
