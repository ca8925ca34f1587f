package tests

import (
	"bufio"
	"bytes"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// program stands in for a package's tests. What a test does is decided by the mutant that
// is active: each test is a function of it.
type program struct {
	tests []func(s *suite, mutant uint32) (failed bool)
	suite *suite
	ran   []string // "test:mutant" of each run
}

func (p *program) Begin() {}

func (p *program) Names() []string {
	names := make([]string, len(p.tests))
	for i := range names {
		names[i] = "Test" + string(rune('A'+i))
	}
	return names
}

func (p *program) Run(i, lines int) (failed bool, output []byte) {
	p.ran = append(p.ran, string(rune('A'+i))+":"+string(rune('0'+fuzzmutrt.Active)))
	failed = p.tests[i](p.suite, fuzzmutrt.Active)
	if failed && lines > 0 {
		output = []byte("--- FAIL: Test (0.00s)\n\n    x_test.go:3: got 1\n    want 2\n")
	}
	return failed, output
}

// newSuite returns a suite of tests in a binary of one function with three mutants, and
// what it sends.
func newSuite(t *testing.T, tests ...func(s *suite, mutant uint32) bool) (*program, *bytes.Buffer) {
	t.Helper()
	saved := fuzzmutrt.Packages
	hook := fuzzmutrt.DoomHook
	reached, infected := fuzzmutrt.Reached, fuzzmutrt.Infected
	t.Cleanup(func() {
		fuzzmutrt.Packages, fuzzmutrt.DoomHook, fuzzmutrt.Reached, fuzzmutrt.Infected = saved, hook, reached, infected
		fuzzmutrt.Active, fuzzmutrt.Fuel = 0, exec.NoFuelLimit
	})
	fuzzmutrt.Packages = []*fuzzmutrt.Package{{Path: "p", Slow: make([]bool, 1)}}
	out := &bytes.Buffer{}
	p := &program{tests: tests}
	s := &suite{tests: p, conn: conn.New(strings.NewReader(""), out, wire.NewShared(make([]byte, wire.SharedSize)))}
	p.suite = s
	request(t, s, &wire.Request{Init: &wire.Init{Funcs: 1, MutantFunc: []int32{0, 0, 0}}})
	out.Reset()
	return p, out
}

func request(t *testing.T, s *suite, req *wire.Request) {
	t.Helper()
	if err := s.conn.Answer(req, s.serveOne); err != nil {
		t.Fatal(err)
	}
}

func replies(t *testing.T, out *bytes.Buffer) (list []wire.Reply) {
	t.Helper()
	for in := bufio.NewReader(out); ; {
		var r wire.Reply
		if err := wire.Receive(in, &r, wire.MaxReply); err != nil {
			return list
		}
		list = append(list, r)
	}
}

// try has mutants tried with tests, all at the same cost, and returns what became of them.
func try(t *testing.T, p *program, out *bytes.Buffer, req wire.Try) map[uint32]*wire.Tried {
	t.Helper()
	for i := range p.tests {
		req.Tests = append(req.Tests, wire.TestCost{Test: i, Fuel: 100, Cost: 100})
	}
	request(t, p.suite, &wire.Request{Try: &req})
	found := map[uint32]*wire.Tried{}
	for _, r := range replies(t, out) {
		if r.Tried != nil {
			found[r.Tried.Mutant] = r.Tried
		}
	}
	return found
}

func passes(*suite, uint32) bool { return false }

// A kill counts once the original has passed the same test again.
func TestTryHoldsTheOriginalAgainstKills(t *testing.T) {
	damagedBy := uint32(0)
	p, out := newSuite(t, func(_ *suite, m uint32) bool {
		if m == 1 {
			damagedBy = 1
		}
		return m == 1 || damagedBy != 0
	})
	got := try(t, p, out, wire.Try{Items: []wire.TryItem{{Mutant: 1, Tests: []int{0}}}})
	if got[1].Kill != nil || got[1].Doubt != damaged || !got[1].Spent {
		t.Errorf("%+v", got[1])
	}
	if want := []string{"A:1", "A:1", "A:0"}; !slices.Equal(p.ran, want) {
		t.Errorf("ran %v, want %v", p.ran, want)
	}
}

// A survivor may have damaged what the original needs: the next mutant would be blamed.
func TestTryChecksSurvivors(t *testing.T) {
	broken := false
	p, out := newSuite(t, func(_ *suite, m uint32) bool {
		failed := broken
		broken = m == 1
		return failed
	})
	got := try(t, p, out, wire.Try{Items: []wire.TryItem{{Mutant: 1, Tests: []int{0}}, {Mutant: 2, Tests: []int{0}}}})
	if got[1].Doubt != damaged || !got[1].Spent {
		t.Errorf("mutant 1: %+v", got[1])
	}
	if got[2] != nil {
		t.Errorf("a mutant was tried in a process that is spent: %+v", got[2])
	}
}

func TestKinds(t *testing.T) {
	(&simulated{grows: 1 << 20}).install(t)
	for _, c := range []struct {
		about string
		test  func(s *suite, m uint32) bool
		kind  oracle.Kind
		says  string
	}{
		{"a failure", func(*suite, uint32) bool { return true }, oracle.Assertion, "got 1"},
		{"a panic", func(s *suite, _ uint32) bool { s.onPanic(errors.New("out of range")); return true }, oracle.Panic, "panic: out of range"},
		{"the first of two panics", func(s *suite, _ uint32) bool { s.onPanic("a"); s.onPanic("b"); return true }, oracle.Panic, "panic: a"},
		{"no fuel", func(*suite, uint32) bool { return neverEnds(func() {}) }, oracle.Fuel, "units of fuel; the original used 100"},
		{"no memory", func(*suite, uint32) bool { return neverEnds(func() { sink = make([]byte, 1<<20) }) }, oracle.Fuel, "allocated more than 256 MiB; the original allocated 0 KiB"},
		{"exit", func(s *suite, _ uint32) bool { s.onDoom(fuzzmutrt.Exited, 0); return true }, oracle.Exit, "os.Exit"},
		{"the panic that ends what is doomed", func(s *suite, _ uint32) bool { s.onPanic(fuzzmutrt.Doomed{}); return true }, oracle.Assertion, "got 1"},
	} {
		p, out := newSuite(t, func(s *suite, m uint32) bool { return m == 1 && c.test(s, m) })
		got := try(t, p, out, wire.Try{Items: []wire.TryItem{{Mutant: 1, Tests: []int{0}}}})
		if k := got[1].Kill; k == nil || k.Kind != c.kind || !strings.Contains(k.Detail, c.says) {
			t.Errorf("%s: %+v", c.about, k)
		}
	}
}

// A mutant has the least that is asked for, whatever the original uses.
func TestMutantsHaveTheLeast(t *testing.T) {
	(&simulated{grows: 1 << 20}).install(t)
	for _, c := range []struct {
		about string
		turn  func()
		least wire.TestCost
		says  string // "": it is not killed
	}{
		{"fuel", func() {}, wire.TestCost{}, "used more than 110000 units of fuel; the original used 100"},
		{"less fuel than is asked for", func() {}, wire.TestCost{LeastFuel: 1_000_000}, ""},
		{"more fuel than is asked for", func() {}, wire.TestCost{LeastFuel: 300_000}, "used more than 300000 units of fuel; the original used 100"},
		{"bytes", func() { sink = make([]byte, 4<<10) }, wire.TestCost{LeastFuel: 1_000_000}, "allocated more than 256 MiB"},
		{"fewer bytes than are asked for", func() { sink = make([]byte, 4<<10) }, wire.TestCost{LeastFuel: 1_000_000, LeastBytes: 8 << 30}, ""},
	} {
		p, out := newSuite(t, func(_ *suite, m uint32) (failed bool) {
			defer func() { failed = recover() != nil }()
			for range 400_000 * m {
				fuzzmutrt.Burn()
				c.turn()
			}
			return false
		})
		cost := c.least
		cost.Fuel, cost.Cost = 100, 100
		got := try(t, p, out, wire.Try{Tests: []wire.TestCost{cost}, Items: []wire.TryItem{{Mutant: 1, Tests: []int{0}}}})
		if k := got[1].Kill; (k != nil) != (c.says != "") || k != nil && !strings.Contains(k.Detail, c.says) {
			t.Errorf("%s: %+v", c.about, k)
		}
	}
}

// What does not end is run with the mutant once: the original says whether that is the mutant's doing.
func TestWhatDoesNotEndIsRunOnce(t *testing.T) {
	p, out := newSuite(t, func(_ *suite, m uint32) bool { return m == 1 && neverEnds(func() {}) })
	got := try(t, p, out, wire.Try{Items: []wire.TryItem{{Mutant: 1, Tests: []int{0}}}})
	if k := got[1].Kill; k == nil || k.Kind != oracle.Fuel || got[1].Runs != 1 {
		t.Errorf("%+v", got[1])
	}
	if want := []string{"A:1", "A:0"}; !slices.Equal(p.ran, want) {
		t.Errorf("ran %v, want %v", p.ran, want)
	}
}

func TestStopEndsATrial(t *testing.T) {
	p, out := newSuite(t, passes)
	p.suite.conn.Shared.RequestStop(true)
	if got := try(t, p, out, wire.Try{Items: []wire.TryItem{{Mutant: 1, Tests: []int{0}}}}); len(got) != 0 || len(p.ran) != 0 {
		t.Errorf("%v, ran %v", got, p.ran)
	}
}

func TestFailureText(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"", ""},
		{"--- FAIL: TestA (0.00s)\n    a_test.go:1: no\n", "a_test.go:1: no"},
		{"\n\n   a\n\n   b\n", "a\nb"},
		{"1\n2\n3\n4\n5\n", "1\n2\n3\n4"},
		{"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n        a\n", "a"},
		{"--- FAIL: TestA (0.00s)\n", ""},
		{"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n        --- FAIL: TestA/b/c (0.01s)\n", "TestA/b/c fails"},
		{"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n        a.go:1: 1\n2\n3\n4\n5\nFAIL: b:7: no such file\nrest\n", "FAIL: b:7: no such file\nrest"},
	} {
		if got := failureText([]byte(c.output)); got != c.want {
			t.Errorf("%q: %q, want %q", c.output, got, c.want)
		}
	}
}

// Order: cheap tests first, and of equal cost those that have killed more.
func TestOrder(t *testing.T) {
	tr := &trial{
		req:    &wire.Try{Tests: []wire.TestCost{{Cost: 1_000_000}, {Cost: 100}, {Cost: 101}, {Cost: 100}}},
		tried:  []int{0, 9, 9, 9},
		killed: []int{0, 0, 0, 5},
	}
	tests := []int{0, 1, 2, 3}
	if got := tr.order(tests); !slices.Equal(got, []int{3, 1, 2, 0}) {
		t.Errorf("%v", got)
	}
	if !slices.Equal(tests, []int{0, 1, 2, 3}) {
		t.Error("the item's own list was changed")
	}
	tr.tried[0], tr.killed[0] = 1000, 1000 // a sure kill, but a hundred times the cost
	if got := tr.order(tests); got[0] != 3 {
		t.Errorf("%v", got)
	}
	if got := tr.order(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestBitBytes(t *testing.T) {
	if got := bitBytes([]uint64{1, 0x0102}); !bytes.Equal(got, []byte{1, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0}) {
		t.Errorf("%v", got)
	}
	if got := bitBytes(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// neverEnds is a test that never ends, until it is out of fuel.
func neverEnds(turn func()) (failed bool) {
	defer func() { failed = recover() != nil }()
	for {
		fuzzmutrt.Burn()
		turn()
	}
}

var sink []byte

// Each run of a test finds empty pools, whatever ran before it.
func TestPoolsAreEmptyWhenATestBegins(t *testing.T) {
	var pool []string
	fuzzmutrt.NewPools = func() { pool = nil }
	defer func() { fuzzmutrt.NewPools = nil }()
	p, out := newSuite(t, func(_ *suite, m uint32) bool {
		found := len(pool)
		pool = append(pool, "left")
		return found > 0
	})
	got := try(t, p, out, wire.Try{Items: []wire.TryItem{{Mutant: 1, Tests: []int{0}}, {Mutant: 2, Tests: []int{0}}}})
	if got[1].Kill != nil || got[2].Kill != nil || got[1].Doubt+got[2].Doubt != "" {
		t.Errorf("%+v, %+v", got[1], got[2])
	}
}

// What takes more than ten times the fuel of the original is looked at again, unless it is a
// group: that is looked at in any case.
func TestGroupsAreEndedSoon(t *testing.T) {
	work := func(*suite, uint32) bool {
		defer func() { recover() }()
		for range 50_000 {
			fuzzmutrt.Burn()
		}
		return false
	}
	p, out := newSuite(t, work)
	got := try(t, p, out, wire.Try{Items: []wire.TryItem{{Mutant: 1, Tests: []int{0}}}})
	if got[1].Kill != nil {
		t.Errorf("one mutant: %+v", got[1].Kill)
	}
	got = try(t, p, out, wire.Try{Alone: true, Items: []wire.TryItem{{Mutant: 1, With: []uint32{2}, Tests: []int{0}}}})
	if k := got[1].Kill; k == nil || k.Kind != oracle.Fuel {
		t.Errorf("a group: %+v", k)
	}
}

// Goroutines that a test leaves behind may wait, or go on computing.
func TestLeaked(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	before := runtime.NumGoroutine()
	for range 50 { // those of earlier tests may be about to end
		time.Sleep(time.Millisecond)
		before = min(before, runtime.NumGoroutine())
	}
	var stop atomic.Bool
	for _, c := range []struct {
		about string
		work  func(over chan struct{})
		n     int
		works bool
	}{
		{"none", nil, 0, false},
		{"one that waits", func(over chan struct{}) { <-over }, 1, false},
		{"one that computes", func(chan struct{}) {
			for !stop.Load() {
			}
		}, 1, true},
	} {
		stop.Store(false)
		over := make(chan struct{})
		ended := make(chan struct{})
		if c.work == nil {
			close(ended)
		} else {
			go func() { defer close(ended); c.work(over) }()
		}
		if n, works := leaked(before); n != c.n || works != c.works {
			t.Errorf("%s: %d left behind, at work: %v", c.about, n, works)
		}
		stop.Store(true)
		close(over)
		<-ended
	}
}

func TestMainHookOutsideOfAWorker(t *testing.T) {
	t.Setenv(wire.EnvTests, "")
	hook := MainHook(func(func(any), func(func() int)) { t.Error("a hook is installed in package testing") })
	if code, taken := hook(nil); taken || code != 0 {
		t.Errorf("%d, %t", code, taken)
	}
}

// Several mutants are on together, in the mutable bodies; those that take effect are listed.
func TestTryWithSeveralMutants(t *testing.T) {
	for _, c := range []struct {
		with  []uint32
		kills bool
		fired byte
	}{
		{[]uint32{2}, false, 1 << 1},
		{[]uint32{3}, true, 1<<1 | 1<<3},
		{[]uint32{2, 3}, true, 1<<1 | 1<<3},
	} {
		p, out := newSuite(t, func(*suite, uint32) bool {
			if !fuzzmutrt.Packages[0].Slow[0] {
				t.Error("the mutable body does not run")
			}
			one, three := fuzzmutrt.On(1), fuzzmutrt.On(3)
			return one && three
		})
		got := try(t, p, out, wire.Try{Alone: true, Items: []wire.TryItem{{Mutant: 1, With: c.with, Tests: []int{0}}}})
		if kills := got[1].Kill != nil; kills != c.kills || got[1].Fired[0] != c.fired {
			t.Errorf("with %v: killed: %v, fired %b; want %v, %b", c.with, kills, got[1].Fired[0], c.kills, c.fired)
		}
		if fuzzmutrt.Packages[0].Slow[0] || fuzzmutrt.Active != 0 {
			t.Error("the mutants are on after the run")
		}
	}
}

// A goroutine that a test has left may write back what it has read of the fuel when there was no limit.
func TestFuelThatAnotherGoroutinePutsBack(t *testing.T) {
	p, _ := newSuite(t, func(*suite, uint32) bool {
		fuzzmutrt.Fuel = exec.NoFuelLimit - 3
		return false
	})
	if r := p.suite.do(0, 0, allowance{fuel: testFuel}, 0, wire.Bounds{}); r.kind != wire.Pass || r.burned != 0 {
		t.Errorf("%+v", r)
	}
}
