package bugs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// located makes a sorting of failing inputs, of the mutants 1 to 5: 1 and 2 on line 3 of
// inner, 3 on line 5, 4 on line 12 of outer, and 5 in an initializer. Inputs fail in inner,
// which outer calls.
func located(results ...repair.Result) *Sorting {
	p := &instrument.Program{
		Test: instrument.TestPackage{ModuleDir: "/m"},
		Funcs: []instrument.Func{
			{Name: "inner", File: "/m/p.go", Line: 2, EndLine: 8}, {Name: "outer", File: "/m/p.go", Line: 10, EndLine: 20},
		},
		Blocks: []instrument.Block{{File: "/m/p.go", Line: 2, EndLine: 4, Func: 0}, {File: "/m/p.go", Line: 10, EndLine: 12, Func: 1}},
	}
	for i, m := range []instrument.Mutant{
		{Line: 3, FuncIndex: 0, Operator: "statement-deletion"},
		{Line: 3, FuncIndex: 0, Operator: "nil-guard", Original: "a\nb"},
		{Line: 5, FuncIndex: 0, Operator: "statement-deletion"},
		{Line: 12, FuncIndex: 1, Operator: "statement-deletion"},
		{Line: 30, FuncIndex: -1, Operator: "statement-deletion"},
	} {
		m.Index, m.File, m.ID = i+1, "/m/p.go", string(rune('a'+i))
		p.Mutants = append(p.Mutants, m)
	}
	s := New(&trial.Trial{Package: &project.Package{Program: p}, Project: new(project.Project)}, Options{Time: time.Hour})
	o := wire.Outcome{Kind: wire.Panic, Message: "boom", Frames: []string{"p.inner /m/p.go:4", "p.outer /m/p.go:12"}}
	for i, r := range results {
		r.Done = true
		s.Inputs = append(s.Inputs, Input{Entry: corpus.Of(i).Found(), Result: wire.Result{Outcome: o}, Repairs: r})
		s.Cases = append(s.Cases, i)
		s.note(&r)
	}
	return s
}

func repairedBy(mutants ...uint32) repair.Result { return repair.Result{Repaired: mutants} }

// ids names repairs by their mutants.
func ids(l *Localiser, list []report.RankedRepair) string {
	var names []string
	for _, r := range list {
		names = append(names, l.Listed[r.Repair].ID)
	}
	return strings.Join(names, " ")
}

// Of repairs of a costly input, bounds come first, and one of a line is enough.
func TestBoundsComeFirst(t *testing.T) {
	s := located(repairedBy(1, 2, 3, 4, 5))
	mutants := s.trial.Package.Program.Mutants
	mutants[3].Operator, mutants[4].Operator = operator.LoopGuard, operator.DepthGuard
	s.rank()
	l := NewLocaliser(s)
	if got, want := ids(l, l.Bounds(l.Repairs([]int{0}))), "d e a c"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Guards of loops are for what costs too much: no input that fails is run with them. Those of depth
// are for what overflows the stack, too.
func TestGuardsOfLoopsAreNotForFailures(t *testing.T) {
	s := located()
	s.trial.Package.Program.Mutants[1].Operator = operator.LoopGuard
	s.trial.Package.Program.Mutants[3].Operator = operator.DepthGuard
	s.opts.exclude = func(m uint32) bool { return m == 3 }
	for m, want := range map[uint32]bool{1: false, 2: true, 3: true, 4: false} {
		if got := s.excluded(m); got != want {
			t.Errorf("mutant %d: %v", m, got)
		}
	}
}

func TestRepairsAreRanked(t *testing.T) {
	for _, c := range []struct {
		name    string
		results []repair.Result
		effects func(map[uint32]*effect)
		want    string
	}{
		{"that of all inputs before that of one", []repair.Result{repairedBy(4), repairedBy(4), repairedBy(3, 4)}, nil, "d c"},
		{"of two the one further in", []repair.Result{repairedBy(3, 4, 5)}, nil, "c d e"},
		{"what the tests were not run with comes after", []repair.Result{repairedBy(1, 4)}, func(e map[uint32]*effect) { e[1].untried = true }, "d a"},
		{"what more of the failing tests pass with comes first", []repair.Result{repairedBy(1, 3, 4), repairedBy(1, 3)}, func(e map[uint32]*effect) {
			e[1].nowPass, e[4].nowPass, e[3].stillFail = []string{"TestX"}, []string{"TestX", "TestY"}, []string{"TestX"}
		}, "d a c"},
		{"what breaks something is none", []repair.Result{repairedBy(1, 4)}, func(e map[uint32]*effect) { e[1].breaks, e[1].reason = 2, breaksInput }, "d"},
		{"nor what breaks a test", []repair.Result{repairedBy(1, 4)}, func(e map[uint32]*effect) { e[4].test, e[4].reason = "TestX", breaksTest }, "a"},
	} {
		s := located(c.results...)
		if c.effects != nil {
			c.effects(s.mutants)
		}
		s.rank()
		l := NewLocaliser(s)
		items := make([]int, len(c.results))
		for i := range items {
			items[i] = i
		}
		if got := ids(l, l.Repairs(items)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRepairsAreDescribed(t *testing.T) {
	s := located(repairedBy(1, 2), repairedBy(2))
	s.mutants[2].breaks, s.mutants[2].reason = 3, breaksInput
	s.mutants[1].untried = true
	s.rank()
	l := NewLocaliser(s)
	want := []report.Repair{
		{ID: "a", Operator: "statement-deletion", File: "p.go", Line: 3, EndLine: 3, Inputs: 1, Untried: true, Counts: true},
		{ID: "b", Operator: "nil-guard", File: "p.go", Line: 3, EndLine: 4, Inputs: 2, Breaks: 3, Reason: breaksInput},
	}
	if diff := cmp.Diff(want, l.Listed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if l.Guards[0] || !l.Guards[1] {
		t.Errorf("guards: %v", l.Guards)
	}
	if got := l.Indices([]uint32{2, 5, 1}); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("indices %v", got)
	}
}

// A repair that nothing reaches that passes has not been seen to break nothing.
func TestRepairsThatNothingThatPassesReaches(t *testing.T) {
	s := located(repairedBy(1, 3, 4, 5))
	s.mutants[4].breaks, s.mutants[4].reason = 1, breaksInput
	unreached := func() string {
		s.rank()
		var names []string
		for _, r := range NewLocaliser(s).Listed {
			if r.Unreached {
				names = append(names, r.ID)
			}
		}
		return strings.Join(names, " ")
	}
	if got := unreached(); got != "a c e" {
		t.Errorf("without what passes: %q", got)
	}
	s.mutants[3].tested = true
	if got := unreached(); got != "a e" {
		t.Errorf("a test reaches c: %q", got)
	}
	// An input that covers the function, and not the block in it. What is in no block may be reached by any.
	p := s.trial.Package.Program
	p.Blocks = append([]instrument.Block{{File: "/m/p.go", Line: 1, EndLine: 9}}, p.Blocks...)
	s.Passing = []*corpus.Input{nil}
	s.Inputs = append(s.Inputs, Input{Status: report.Passes, Result: wire.Result{Features: wire.Features{wire.FeatureOf(0, 0)}}})
	if got := unreached(); got != "a" {
		t.Errorf("an input covers the function: %q", got)
	}
	s.Inputs[1].Result.Features = wire.Features{wire.FeatureOf(1, 0)}
	if got := unreached(); got != "" {
		t.Errorf("an input covers the block: %q", got)
	}
}

func TestNoisyRepairsAreRanked(t *testing.T) {
	for _, c := range []struct {
		name    string
		results []repair.Result
		breaks  map[uint32]int
		want    string
	}{
		{"what breaks less is first", []repair.Result{repairedBy(1, 3)}, map[uint32]int{1: 2, 3: 1}, "c a"},
		{"then what is nearer by line", []repair.Result{repairedBy(1, 3)}, map[uint32]int{1: 1, 3: 1}, "c a"},
		{"a function further in is first", []repair.Result{repairedBy(1, 4)}, map[uint32]int{1: 9, 4: 1}, "a d"},
		{"most of the inputs are as good as all", []repair.Result{repairedBy(1, 4), repairedBy(1, 4), repairedBy(4)}, map[uint32]int{1: 1, 4: 1}, "a d"},
		{"a few are not", []repair.Result{repairedBy(1, 4), repairedBy(4), repairedBy(4)}, map[uint32]int{1: 1, 4: 1}, "d a"},
	} {
		s := located(c.results...)
		var items []int
		for i := range s.Inputs {
			s.Inputs[i].Result.Outcome.Frames = []string{"p.inner /m/p.go:6", "p.outer /m/p.go:12"}
			items = append(items, i)
		}
		for m, n := range c.breaks {
			s.mutants[m].breaks, s.mutants[m].reason = n, breaksInput
		}
		s.rank()
		l := NewLocaliser(s)
		if got := ids(l, l.Noisy(items)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What breaks something is a hint near the failure: the more the nearer it is, and then the
// less it breaks. What breaks little elsewhere comes after that, if it makes half of the inputs pass.
func TestNoisyRepairsOfTheStackComeFirst(t *testing.T) {
	s := located(repairedBy(1, 3, 4, 5), repairedBy(1, 3))
	for m, breaks := range map[uint32]int{1: 7, 3: 2, 4: 1, 5: 1} {
		s.mutants[m].breaks, s.mutants[m].reason = breaks, breaksInput
	}
	s.rank()
	l := NewLocaliser(s)
	for _, items := range [][]int{{0, 1}, {0}} {
		got := l.Noisy(items)
		if ids(l, got) != "c a d e" || got[2].Elsewhere || !got[3].Elsewhere {
			t.Errorf("%v: %+v", items, got)
		}
	}
	for i := range s.Inputs {
		s.Inputs[i].Result.Outcome.Frames = nil
	}
	if got := ids(l, l.Noisy([]int{0})); !strings.HasPrefix(got, "d e ") {
		t.Errorf("without a stack: %s", got)
	}
	s.mutants[4].reason, s.mutants[4].breaks = "", 0
	if got := ids(NewLocaliser(s), NewLocaliser(s).Noisy([]int{0})); got != "e c a" {
		t.Errorf("beside a repair: %s", got)
	}
}

func TestBestAreFew(t *testing.T) {
	s := located(repairedBy(1, 2, 3, 4)) // 1 and 2 are at one line
	s.rank()
	l := NewLocaliser(s)
	if got := l.best([]int{0}); len(got) != joinRepairs || got[0].ID != "a" || got[1].ID != "c" {
		t.Errorf("%+v", got)
	}
}

func TestSuspectsAreLinesOfTheSource(t *testing.T) {
	r := repairedBy(3)
	r.Counters = []uint32{0, 1}
	s := located(r, r)
	s.Passing = []*corpus.Input{nil}
	s.Inputs = append(s.Inputs, Input{Status: report.Passes, Result: wire.Result{Features: wire.Features{wire.FeatureOf(1, 0), wire.FeatureOf(1, 2)}}})
	s.rank()
	l := NewLocaliser(s)
	if got := l.spectrum.PassingCover; !slices.Equal(got, []int{0, 1}) {
		t.Errorf("passing inputs cover %v", got)
	}
	lines := make(map[string][]int)
	for _, p := range l.Suspects([]int{0, 1}, 1) {
		if p.File != "p.go" || p.Score <= 0 {
			t.Errorf("%+v", p)
		}
		lines[p.Localiser] = append(lines[p.Localiser], p.Line)
	}
	for name, want := range map[string]int{"muse": 5, "museum": 5, "metallaxis": 5, "ochiai": 2} {
		if got := lines[name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s suspects %v", name, got)
		}
	}
}

func TestACaseOfAHangIsWhatMutantsSaw(t *testing.T) {
	s := located(repairedBy(1))
	f := &s.Inputs[0]
	if c := s.CaseOf(f); !strings.Contains(c.Token, "boom") || c.Stack.Kind != "panic: boom" || !slices.Equal(c.Stack.Frames, []string{"p.inner", "p.outer"}) {
		t.Errorf("%+v", c)
	}
	f.Result.Outcome.Kind, f.Repairs.Identity = wire.Fuel, "seen"
	f.Repairs.Counters = []uint32{1}
	if c := s.CaseOf(f); c.Token != "seen" || !slices.Equal(c.Covered.Members(), []int{1}) {
		t.Errorf("%q covers %v", c.Token, c.Covered.Members())
	}
	f.Result.Features = wire.Features{0}
	if c := s.CaseOf(f); !slices.Equal(c.Covered.Members(), []int{0}) {
		t.Errorf("covers %v", c.Covered.Members())
	}
}

func TestDuplicatesAreLeftOut(t *testing.T) {
	s := New(nil, Options{})
	add := func(value int, asked bool, status string) {
		s.Add(corpus.Of(value).Found(), asked)
		s.Inputs[len(s.Inputs)-1].Status = status
	}
	add(1, false, "")
	add(1, true, "")
	add(1, true, "")
	add(2, false, report.Undecodable)
	add(2, false, "")
	add(2, false, "")
	s.dropDuplicates()
	var got []string
	for i := range s.Inputs {
		got = append(got, s.Inputs[i].Status)
	}
	if want := []string{report.Duplicate, "", report.Duplicate, report.Undecodable, "", report.Duplicate}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestTheTimeOfASortingHasParts(t *testing.T) {
	var cpu time.Duration
	s := &spending{start: time.Now(), begin: time.Hour, limit: 100 * time.Second, parallel: 2, cpu: func() time.Duration { return time.Hour + cpu }}
	for _, c := range []struct {
		cpu   time.Duration
		share float64
		left  time.Duration
		over  bool
	}{
		{20 * time.Second, 1, 90 * time.Second, false},
		{20 * time.Second, 0.5, 40 * time.Second, false},
		{120 * time.Second, 0.5, time.Second, false},
		{200 * time.Second, 1, time.Second, true},
	} {
		cpu = c.cpu
		if got := s.left(c.share); got != c.left || s.over() != c.over {
			t.Errorf("after %v, %v of the share %v is left, over %v", c.cpu, got, c.share, s.over())
		}
	}
	cpu, s.start = 0, time.Now().Add(-160*time.Second)
	if got := s.left(1).Round(time.Second); got != 20*time.Second {
		t.Errorf("what waits for 160 s leaves %v of 100 s", got)
	}
	for d, want := range map[time.Duration]time.Duration{
		time.Second: joinAtLeast, 40 * time.Second: 10 * time.Second, time.Hour: joinAtMost,
	} {
		if got := joinTime(d); got != want {
			t.Errorf("of %v, %v", d, got)
		}
	}
	x := &trial.Trial{Project: &project.Project{Options: project.Options{FuzzTime: project.FuzzTime{Execs: 10}}}}
	if timeFor(x) != time.Hour || timeLeft(x, time.Minute) != time.Hour {
		t.Error("a clock decides where executions bound the run")
	}
	x.Project.Options.FuzzTime = project.FuzzTime{Duration: 40 * time.Second}
	if got := timeFor(x); got != 10*time.Second {
		t.Errorf("%v", got)
	}
	for waited, want := range map[time.Duration]time.Duration{
		0: 10 * time.Second, 2 * time.Second: 8 * time.Second, 9 * time.Second: 5 * time.Second, time.Minute: 5 * time.Second,
	} {
		if got := timeLeft(x, waited); got != want {
			t.Errorf("after %v of waiting, %v is left", waited, got)
		}
	}
}

func TestThePackagesOwnTestsAreNamed(t *testing.T) {
	const src = `package p

func TestMain(m *testing.M) {}
func TestA(t *testing.T) {}
func (s *suite) TestMethod(t *testing.T) {}
func ExampleB() {}
func FuzzC(f *testing.F) {}
func BenchmarkD(b *testing.B) {}
func helper() {}
`
	file, err := parser.ParseFile(token.NewFileSet(), "p_test.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	loaded := &load.Result{Tests: []*load.TestFiles{{Files: []load.File{{Syntax: file}}}, {Files: []load.File{{Syntax: &ast.File{}}}}}}
	if got, want := ownTests(loaded), "^(TestA|ExampleB)$"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	loaded.Tests = loaded.Tests[:0]
	if got := ownTests(loaded); got != "" {
		t.Errorf("of no tests: %q", got)
	}
}

func TestThereIsNoTimeForTests(t *testing.T) {
	s := located(repairedBy(1, 3))
	s.leaveUntried(nil)
	s.leaveUntried([]uint32{1, 3})
	if !s.mutants[1].untried || !s.mutants[3].untried {
		t.Error("they are not noted")
	}
	if w := s.trial.Warnings(); len(w) != 1 || !strings.Contains(w[0], "with 2 repairs, which may break them") {
		t.Errorf("%q", w)
	}
}

// Tests that fail by chance, do not end, or count allocations say nothing on a repair.
func TestTestsThatFailEachTimeAreKept(t *testing.T) {
	s := New(nil, Options{})
	s.keepFailing(nil, []unittest.SetAside{
		{Test: "TestA", Failed: 2},
		{Test: "TestB", Failed: 1},
		{Test: "TestC", Failed: 2, Passed: 1},
		{Test: "TestD", Failed: 2, Endless: true},
		{Test: "TestE", Failed: 2, Counts: true},
		{Test: "TestF", Failed: 3},
	})
	if want := []string{"TestA", "TestF"}; !slices.Equal(s.failed.names, want) {
		t.Errorf("%q, want %q", s.failed.names, want)
	}
}

// The first repairs of all buckets come before the second ones, each once.
func TestFirstRepairsTakeTurns(t *testing.T) {
	s := located(repairedBy(1, 3), repairedBy(4, 5, 3))
	s.Inputs[1].Result.Outcome.Message = "bang"
	s.rank()
	l := NewLocaliser(s)
	if len(s.Sorted.Buckets) != 2 {
		t.Fatalf("buckets %v", s.Sorted.Buckets)
	}
	var want []uint32
	for _, items := range s.Sorted.Buckets {
		want = append(want, l.mutantOf(l.Repairs(items)[0].Repair))
	}
	got := s.firstRepairs()
	if len(got) != 4 || !slices.Equal(got[:2], want) {
		t.Errorf("%v, want first %v", got, want)
	}
}
