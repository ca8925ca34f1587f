package unittest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Mutants that have been together are in no group again, nor are those of one line.
func TestGroupsMeetOnce(t *testing.T) {
	var list []instrument.Mutant
	for i := range 90 {
		list = append(list, instrument.Mutant{Status: instrument.StatusLive, File: "p.go", Line: i / 3, FuncIndex: i / 9})
	}
	c := &confirmer{suite: newTestSuite(&Options{}, list...)}
	var open []*member
	for i := range list {
		m := &member{item: &item{infected: c.suite.tests[:1]}, met: make(map[*member]bool)}
		m.verdict.Mutant = uint32(i + 1)
		open = append(open, m)
	}
	for round := range 2 {
		groups, lonely := c.grouped(open, groupMost)
		if len(groups) > 30 || len(lonely) > 5 {
			t.Errorf("round %d: %d groups, and %d of %d in none", round, len(groups), len(lonely), len(open))
		}
		for _, g := range groups {
			var fired bitset.Set
			for i, a := range g.members {
				fired.Add(int(a.verdict.Mutant))
				for _, b := range g.members[:i] {
					one := list[a.verdict.Mutant-1].FuncIndex == list[b.verdict.Mutant-1].FuncIndex
					if a.met[b] || c.sameLine(a, b) || round > 0 && one {
						t.Errorf("round %d: mutants %d and %d are together", round, a.verdict.Mutant, b.verdict.Mutant)
					}
				}
			}
			g.passes, g.fired = true, map[*test]bitset.Set{c.suite.tests[0]: fired}
			g.count(c.sameFunction)
		}
	}
	if n := len(slices.DeleteFunc(open, (*member).believed)); n > 5 {
		t.Errorf("%d mutants have not passed twice", n)
	}
}

// weak is the source of a function whose result nobody looks at, and of those that it calls.
func weak(name string, functions, lines int) string {
	var calls, all strings.Builder
	for i := range functions {
		fmt.Fprintf(&calls, "\tn += %s%d(a, b)\n", name, i)
		fmt.Fprintf(&all, "func %s%d(a, b int) (n int) {\n%s\treturn n\n}\n\n", name, i, strings.Repeat("\tn += a - b\n", lines))
	}
	return all.String() + "func " + name + "(a, b int) (n int) {\n" + calls.String() + "\treturn n\n}\n"
}

// A long test says of mutants in groups what it says of each alone, also of two that undo
// each other's change, and takes fewer processes.
func TestMutantsTogether(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

func Up(n int) int {
	return n + 1
}

func Down(n int) int {
	return n - 1
}

`+weak("Weak", 10, 4)+`
-- p_test.go --
package p

import (
	"testing"
	"time"
)

func TestShort(t *testing.T) {
	Up(1)
	Down(1)
	Weak(7, 3)
}

func TestLong(t *testing.T) {
	time.Sleep(150 * time.Millisecond)
	if Down(Up(5)) != 5 {
		t.Error("wrong")
	}
	Weak(7, 3)
}
`), "math")
	res := b.run(t)
	b.Isolated = true
	isolated := b.run(t)
	count := make(map[string]int)
	for i, v := range isolated.Verdicts {
		if got := res.Verdicts[i]; got.show() != v.show() {
			t.Errorf("%s: %s, isolated %s", b.Program.Mutants[v.Mutant-1].Description, got.show(), v.show())
		}
		count[v.show()]++
		if !res.Verdicts[i].Fresh {
			count["together"]++
		}
	}
	if n := count["survived"]; count["killed assertion TestLong"] != 2 || n < 40 || count["together"]*10 < n*9 {
		t.Errorf("%v", count)
	}
	if res.Processes*3 > isolated.Processes*2 {
		t.Errorf("%d processes, isolated %d", res.Processes, isolated.Processes)
	}
	b.Isolated = false
	testAnInterrupt(t, b, isolated)
	testALongBudget(t, b, isolated)
}

// A run that is interrupted while a long test runs with mutants keeps what the short ones have said: the next goes on there.
func testAnInterrupt(t *testing.T, b *built, isolated *Result) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b.Progress = func(p Progress) {
		if p.Phase == "confirmation" && p.Test == "TestLong" {
			cancel()
		}
	}
	res, err := Run(ctx, b.Options)
	b.Progress = nil
	if err != nil || !res.Interrupted || len(res.Verdicts) != len(isolated.Verdicts) {
		t.Fatalf("%v: %+v", err, res)
	}
	left := 0
	for i, v := range res.Verdicts {
		switch want := isolated.Verdicts[i].show(); {
		case v.show() == "not-run "+LongInterrupted && slices.Equal(v.Left, []string{"TestLong"}):
			left++
		case v.show() != want:
			t.Errorf("%s, isolated %s", v.show(), want)
		}
	}
	if left == 0 {
		t.Error("no mutant is left")
	}
}

// Where there is no budget for long tests, mutants that have survived the others have no verdict.
// The others have the right one.
func testALongBudget(t *testing.T, b *built, isolated *Result) {
	t.Helper()
	b.LongCPU = 1
	left := 0
	first := b.run(t)
	for i, v := range first.Verdicts {
		late := slices.Contains(isolated.Verdicts[i].Infected, "TestLong")
		switch got := v.show(); {
		case late && got != "not-run "+LongOverBudget, !late && got != isolated.Verdicts[i].show():
			t.Errorf("%s, isolated %s", got, isolated.Verdicts[i].show())
		case late != slices.Equal(v.Left, []string{"TestLong"}):
			t.Errorf("%s: left are %q", got, v.Left)
		case late:
			left++
		}
	}
	if left == 0 {
		t.Error("no mutant is left")
	}
	testGoingOn(t, b, first, isolated)
}

// The next run goes on with the tests that are left, and with no others.
func testGoingOn(t *testing.T, b *built, first, isolated *Result) {
	t.Helper()
	b.Known = func(m *instrument.Mutant, _ []string) (Verdict, bool) {
		i := slices.IndexFunc(first.Verdicts, func(v Verdict) bool { return v.Mutant == uint32(m.Index) })
		return first.Verdicts[i], true
	}
	b.LongCPU = -1
	second := b.run(t)
	for i, v := range second.Verdicts {
		if got, want := v.show(), isolated.Verdicts[i].show(); got != want {
			t.Errorf("after what the first run has left: %s, isolated %s", got, want)
		}
		if was := first.Verdicts[i].Status; v.Reused == (was == StatusNotRun) {
			t.Errorf("%s, and reused is %v", was, v.Reused)
		}
	}
	if second.MutantRuns*2 > first.MutantRuns {
		t.Errorf("%d runs with a mutant, %d the first time", second.MutantRuns, first.MutantRuns)
	}
}

// Mutants are begun only if there is likely to be enough for all of their long tests.
func TestABudgetIsReservedForEachMutant(t *testing.T) {
	short := &test{}
	a := &test{Test: Test{Time: time.Second}, cpu: 900 * time.Millisecond}
	b := &test{Test: Test{Time: 4 * time.Second}, cpu: 4 * time.Second}
	for _, x := range []struct {
		about  string
		budget time.Duration
		late   [][]*test
		want   int
	}{
		{"no limit", -1, slices.Repeat([][]*test{{a, b}}, 9), 9},
		{"enough for all", time.Hour, slices.Repeat([][]*test{{a, b}}, 9), 9},
		{"short tests take nothing", time.Second, slices.Repeat([][]*test{{short}}, 9), 9},
		{"each of few runs alone", 17 * time.Second, slices.Repeat([][]*test{{a, b}}, 9), 3},
		{"groups", 29 * time.Second, slices.Repeat([][]*test{{b}}, 9), 6},
		{"larger groups", 33 * time.Second, slices.Repeat([][]*test{{b}}, 12), 12},
		{"not one", time.Second, slices.Repeat([][]*test{{a, b}}, 9), 9},
	} {
		c := &confirmer{suite: &suite{launch: &launcher{o: &Options{LongCPU: x.budget}}}}
		var list []*item
		for _, late := range x.late {
			list = append(list, &item{late: late})
		}
		if got := c.affords(list, []*test{short, a, b}); got != x.want {
			t.Errorf("%s: %d of %d, want %d", x.about, got, len(list), x.want)
		}
	}
}

// The budget goes to the first that want it, and what a run costs is the same in most runs.
func TestTheBudgetOfLongTests(t *testing.T) {
	long := &test{Test: Test{Time: time.Second}, cpu: 900 * time.Millisecond}
	again := &test{Test: Test{Time: 3 * time.Second}, cpu: 1000 * time.Millisecond}
	fuelled := &test{Test: Test{Time: time.Second, Fuel: 1_000_000_000}}
	for _, c := range []*test{long, again, fuelled} {
		if p := c.price(); p != 1<<30 {
			t.Errorf("%v, %d units: a price of %v", c.cpu, c.Fuel, p)
		}
	}
	if p := (&test{cpu: 700 * time.Millisecond}).price(); p != 3<<28 {
		t.Errorf("700ms: a price of %v", p)
	}
	o := &Options{LongCPU: 5 * time.Second}
	c := &confirmer{suite: &suite{launch: &launcher{o: o}, tests: []*test{long, again, fuelled}}}
	items := []*item{{}, {}, {}}
	if paid := c.pay(items, long); len(paid) != 3 {
		t.Errorf("%d of 3 are run", len(paid))
	}
	groups := []*group{{members: []*member{{item: items[0]}}}, {members: []*member{{item: items[1]}, {item: items[2]}}}}
	if paid := c.payGroups(groups, c.suite.tests); len(paid) != 2 {
		t.Errorf("short tests cost something")
	}
	if paid := c.payGroups(groups, []*test{again}); len(paid) != 1 || items[0].unpaid || !items[1].unpaid || !items[2].unpaid {
		t.Errorf("%d groups are run, %+v", len(paid), items)
	}
	if k := c.pays(7, fuelled); k != 0 {
		t.Errorf("%d runs for nothing", k)
	}
	o.LongCPU = -1
	if k := c.pays(7, long); k != 7 {
		t.Errorf("%d of 7 without a limit", k)
	}
	o.LongCPU = 0
	if got := c.suite.longBudget(); got != 2*time.Minute {
		t.Errorf("a budget of %v", got)
	}
	long.cpu = time.Minute
	if got, want := c.suite.longBudget(), longShare*(long.price()+2<<30); got != want {
		t.Errorf("a budget of %v, want %v", got, want)
	}
}

// So it is with mutants that show before the first test: they are on from the start.
func TestMutantsTogetherFromTheStart(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

var (
	Five  = down(up(5))
	Total = weak(7, 3)
	Twice = double(3)
	Limit = len(text) - 3
	Spare = len(text) - 3
	text  = "any text"
)

func up(n int) int { return n + 1 }

func down(n int) int { return n - 1 }

func double(n int) int { return n + n }

`+weak("weak", 10, 4)+`
-- p_test.go --
package p

import (
	"testing"
	"time"
)

func TestShort(t *testing.T) {
	if Twice == 0 {
		t.Error("wrong")
	}
}

func TestLong(t *testing.T) {
	time.Sleep(150 * time.Millisecond)
	if Five != 5 || Twice != 6 || Limit != 5 {
		t.Error("wrong")
	}
}
`), "math")
	res := b.run(t)
	b.Isolated = true
	isolated := b.run(t)
	count := make(map[string]int)
	for i, v := range isolated.Verdicts {
		if b.Program.Mutants[v.Mutant-1].Status == instrument.StatusStatic {
			count["static "+v.show()]++
		}
		got := res.Verdicts[i]
		if got.Reason = ""; got.show() != v.show() {
			t.Errorf("%s: %s, isolated %s", b.Program.Mutants[v.Mutant-1].Description, got.show(), v.show())
		}
		count[v.show()]++
	}
	if count["static killed assertion TestLong"] == 0 || count["static survived"] == 0 || count["killed assertion TestShort"] == 0 || count["killed assertion TestLong"] < 3 || count["survived"] < 40 {
		t.Errorf("%v", count)
	}
	if res.Processes*3 > isolated.Processes*2 {
		t.Errorf("%d processes, isolated %d", res.Processes, isolated.Processes)
	}
}

// A mutant that another has kept from one of its tests, or from acting before the first, has
// not passed.
func TestTookEffect(t *testing.T) {
	a, b, c := &test{infected: bitset.Of(1)}, &test{infected: bitset.Of(1)}, &test{infected: bitset.Of(2)}
	m := &member{item: &item{infected: []*test{a, b}}}
	m.verdict.Mutant = 1
	for _, x := range []struct {
		about string
		fired map[*test]bitset.Set
		want  bool
	}{
		{"in its tests", map[*test]bitset.Set{a: bitset.Of(1), b: bitset.Of(1, 2), c: bitset.Of(2)}, true},
		{"not in one of them", map[*test]bitset.Set{a: bitset.Of(1), b: bitset.Of(2)}, false},
		{"no test has run", nil, false},
	} {
		if got := (&group{fired: x.fired}).tookEffect(m); got != x.want {
			t.Errorf("%s: %v", x.about, got)
		}
	}
	m.early = true
	g := &group{fired: map[*test]bitset.Set{c: nil}}
	if g.tookEffect(m) {
		t.Error("took effect without acting before the first test")
	}
	if g.started = bitset.Of(1); !g.tookEffect(m) {
		t.Error("took no effect, though it has acted before the first test, and infects none that has run")
	}
}

// Survivors whose tests find less to do in a used process share new ones. What shows in a new
// process alone is killed there.
func TestSurvivorsShareNewProcesses(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

import "sync"

var pool = sync.Pool{New: func() any { return fresh(6, 3) }}

func fresh(a, b int) *int {
	n := a * b
	return &n
}

func Take() int {
	p := pool.Get().(*int)
	defer pool.Put(p)
	return *p
}

func Weak(a, b int) (n int) {
`+strings.Repeat("\tn += a - b\n", 40)+`
	return n
}
-- p_test.go --
package p

import "testing"

func TestTake(t *testing.T) {
	if Take() != 18 {
		t.Error("wrong")
	}
}

func TestWeak(t *testing.T) { Weak(Take(), 3) }
`), "math")
	b.Parallel = 1
	res := b.run(t)
	if got := b.verdict(t, res, "fresh", "math", "").show(); got != "killed assertion TestTake" {
		t.Errorf("fresh: %s", got)
	}
	survivors := 0
	for _, v := range res.Verdicts {
		if v.Status == StatusSurvived {
			survivors++
		}
	}
	if survivors < 40 || res.Processes > survivors*2/3 {
		t.Errorf("%d processes for %d survivors", res.Processes, survivors)
	}
	b.Isolated = true
	for i, v := range b.run(t).Verdicts {
		if v.Status != res.Verdicts[i].Status {
			t.Errorf("isolated: %s; want %s", v.show(), res.Verdicts[i].Status)
		}
	}
}

// A far mutant passes once, so all of them make a group. When that fails, its halves are in
// different groups, until few are left.
func TestGroupsOfFarMutantsAreHalved(t *testing.T) {
	var list []instrument.Mutant
	for i := range 20 {
		list = append(list, instrument.Mutant{Status: instrument.StatusLive, File: "p.go", Line: i})
	}
	c := &confirmer{suite: newTestSuite(&Options{}, list...)}
	var open []*member
	for i := range list {
		m := &member{item: &item{far: true}, met: make(map[*member]bool)}
		m.verdict.Mutant = uint32(i + 1)
		open = append(open, m)
	}
	for _, want := range []int{20, 10, 5, 3} {
		groups, _ := c.grouped(open, groupMost)
		if got := len(groups[0].members); got != want {
			t.Fatalf("%d in the first group, want %d", got, want)
		}
		for _, g := range groups {
			g.count(c.sameFunction)
		}
		if hopeless := open[0].hopeless(); hopeless != (want == 3) {
			t.Errorf("after a group of %d: hopeless is %v", want, hopeless)
		}
	}
}

// Groups of mutants that pass once begin large, and a single one that fails says little of the
// others. Else groups do not pay where most of them fail.
func TestMostGroupsFail(t *testing.T) {
	for _, c := range []struct {
		failed, passed int
		want           bool
	}{{0, 0, true}, {1, 0, true}, {1, 1, false}, {2, 1, true}, {3, 2, false}, {0, 4, false}} {
		var groups []*group
		for i := range c.failed + c.passed {
			groups = append(groups, &group{passes: i >= c.failed})
		}
		if got := mostFail(groups); got != c.want {
			t.Errorf("%d fail and %d pass: %v, want %v", c.failed, c.passed, got, c.want)
		}
	}
	far, near := &member{item: &item{far: true}}, &member{item: &item{}}
	if long := []*test{{}}; groupsLeast([]*member{far, far}, long) != 3 || groupsLeast([]*member{far, near}, long) != 5 {
		t.Error("how many mutants make groups")
	}
}

// If a long test has killed a third of the mutants of a function, the others come into no group.
func TestSuspectsComeIntoNoGroup(t *testing.T) {
	p := &instrument.Program{}
	for _, fn := range []int{0, 0, 0, 1, 1, 1, 2, -1, -1} {
		p.Mutants = append(p.Mutants, instrument.Mutant{FuncIndex: fn})
	}
	c := &confirmer{suite: &suite{launch: &launcher{o: &Options{Program: p}}}}
	var items []*item
	for i := range p.Mutants {
		items = append(items, &item{verdict: Verdict{Mutant: uint32(i + 1)}})
	}
	if suspects, others := c.suspects(items); len(suspects) != 0 || len(others) != len(items) {
		t.Errorf("%d suspects before a long test has run", len(suspects))
	}
	items[0].verdict.Status, items[7].verdict.Status = StatusKilled, StatusKilled
	items[4].verdict.Status, items[4].unpaid = StatusKilled, true // as one that is not judged
	c.count(items)
	items[2].far = true
	suspects, others := c.suspects(items)
	if len(suspects) != 2 || suspects[0] != items[0] || suspects[1] != items[1] || len(others) != 7 {
		t.Errorf("%d suspects, %d others, want two of the first function", len(suspects), len(others))
	}
	c.count(items[1:])
	if suspects, _ := c.suspects(items); len(suspects) != 0 {
		t.Errorf("%d suspects, and the last test has killed no mutant of their functions", len(suspects))
	}
}
