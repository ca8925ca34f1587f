package tests

import (
	"bufio"
	"bytes"
	"slices"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The mutants of the function below.
const (
	mSurvivor = iota + 1
	mFails
	mPanics
	mEndless
	mSpoils   // leaves a state in which the original fails
	mFickle   // fails the first time only
	mElse     // another survivor
	mutantsOf = mElse
)

// fakeSuite is two tests of a function that is rewritten by hand: the first calls it, the
// second does not.
type fakeSuite struct {
	s       *suite
	slow    [1]bool
	spoiled bool
	fickle  int
	begun   bool
	ran     []int
	does    func() // what the first test does in addition; nil: nothing
}

func (f *fakeSuite) Begin()          { f.begun = true }
func (f *fakeSuite) Names() []string { return []string{"TestCalls", "TestDoesNot"} }

func (f *fakeSuite) Run(i, _ int) (failed bool, output []byte) {
	f.ran = append(f.ran, i)
	fuzzmutrt.Fuel -= 5
	if i == 1 {
		return false, nil
	}
	if f.does != nil {
		f.does()
	}
	defer func() {
		if v := recover(); v != nil {
			f.s.onPanic(v)
			failed = true
		}
	}()
	return f.call(), []byte("--- FAIL: TestCalls\n    calls_test.go:3: wrong\n")
}

func (f *fakeSuite) call() (failed bool) {
	if f.slow[0] && fuzzmutrt.Tracing {
		fuzzmutrt.Reached[0], fuzzmutrt.Infected[0] = 1<<mSurvivor|1<<mFails, 1<<mFails
	}
	active := uint32(0)
	if f.slow[0] {
		active = fuzzmutrt.Active
	}
	switch active {
	case mFails:
		return true
	case mPanics:
		panic("boom")
	case mEndless:
		for {
			fuzzmutrt.Burn()
		}
	case mSpoils:
		f.spoiled = true
	case mFickle:
		f.fickle++
		return f.fickle == 1
	}
	return f.spoiled
}

func newTestSuite(t *testing.T) (*fakeSuite, func(req wire.Request) []wire.Reply) {
	t.Helper()
	f := &fakeSuite{}
	fuzzmutrt.Packages = []*fuzzmutrt.Package{{Path: "p", Slow: f.slow[:]}}
	var out bytes.Buffer
	f.s = &suite{tests: f, conn: conn.New(nil, &out, wire.NewShared(make([]byte, wire.SharedSize)))}
	ask := func(req wire.Request) (list []wire.Reply) {
		t.Helper()
		if err := f.s.conn.Answer(&req, f.s.serveOne); err != nil {
			t.Fatal(err)
		}
		for in := bufio.NewReader(&out); ; {
			var r wire.Reply
			if err := wire.Receive(in, &r, wire.MaxReply); err != nil {
				return list
			}
			list = append(list, r)
		}
	}
	hello := ask(wire.Request{Init: &wire.Init{MutantFunc: make([]int32, mutantsOf), Funcs: 1}})
	if len(hello) != 1 || !slices.Equal(hello[0].Hello.Tests, f.Names()) {
		t.Fatalf("%+v", hello)
	}
	return f, ask
}

func TestOriginals(t *testing.T) {
	_, ask := newTestSuite(t)
	list := ask(wire.Request{Tests: &wire.Tests{List: []int{1, 0}, Trace: true}})
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	for i, want := range []wire.TestRan{{Test: 1}, {Test: 0, Reached: []byte{1<<mSurvivor | 1<<mFails}, Infected: []byte{1 << mFails}}} {
		got := list[i].TestRan
		if got.Test != want.Test || got.Outcome.Kind != wire.Pass || got.Fuel != 5 {
			t.Errorf("%+v", got)
		}
		if want.Reached != nil && (got.Reached[0] != want.Reached[0] || got.Infected[0] != want.Infected[0]) {
			t.Errorf("reached %b, infected %b", got.Reached, got.Infected)
		}
	}
	if ran := list[2].Ran; ran == nil || ran.Stats.Execs != 2 || ran.Stats.MutantExecs != 0 {
		t.Errorf("%+v", list[2])
	}
}

// both are the tests with what they cost, the one that does not call the function first.
var both = []wire.TestCost{{Test: 1, Fuel: 5, Cost: 5}, {Test: 0, Fuel: 5, Cost: 50_000}}

func TestMutantsAreTried(t *testing.T) {
	for name, c := range map[string]struct {
		mutant uint32
		want   oracle.Kind // 0: it survives
		detail string
		doubt  bool
		ran    []int // of both
	}{
		"survives":  {mSurvivor, 0, "", false, []int{0, 1}},
		"fails":     {mFails, oracle.Assertion, "calls_test.go:3: wrong", false, []int{0, 1}},
		"panics":    {mPanics, oracle.Panic, "panic: boom", false, []int{0, 1}},
		"endless":   {mEndless, oracle.Fuel, "used more than 100500 units of fuel; the original used 5", false, []int{0, 1}},
		"spoils":    {mSpoils, 0, "", true, []int{0, 1}},
		"sometimes": {mFickle, 0, "", true, []int{0, 1}},
	} {
		_, ask := newTestSuite(t)
		list := ask(wire.Request{Try: &wire.Try{Tests: both, Items: []wire.TryItem{{Mutant: c.mutant, Tests: []int{1, 0}}}}})
		if len(list) != 2 || list[0].Tried == nil || list[1].Ran == nil {
			t.Fatalf("%s: %+v", name, list)
		}
		got := list[0].Tried
		if got.Mutant != c.mutant || (got.Doubt != "") != c.doubt || !slices.Equal(got.Ran, c.ran) {
			t.Errorf("%s: %+v", name, got)
		}
		switch {
		case (got.Kill != nil) != (c.want != 0):
			t.Errorf("%s: killed by %+v", name, got.Kill)
		case got.Kill != nil && (got.Kill.Kind != c.want || got.Kill.Detail != c.detail || got.Kill.Test != 0):
			t.Errorf("%s: killed by %+v", name, got.Kill)
		}
	}
}

// A kill counts only if the original passes the test afterwards, and a test that has
// killed comes before one that has not.
func TestKillsAreConfirmedAndTestsLearn(t *testing.T) {
	f, ask := newTestSuite(t)
	even := []wire.TestCost{{Test: 1, Fuel: 5, Cost: 5}, {Test: 0, Fuel: 5, Cost: 5}}
	items := []wire.TryItem{{Mutant: mFails, Tests: []int{0, 1}}, {Mutant: mPanics, Tests: []int{0, 1}}, {Mutant: mElse, Tests: []int{0, 1}}}
	list := ask(wire.Request{Try: &wire.Try{Tests: even, Items: items}})
	var ran [][]int
	for _, r := range list {
		if r.Tried != nil {
			ran = append(ran, r.Tried.Ran)
			if r.Tried.Doubt != "" || r.Tried.Spent {
				t.Errorf("%+v", r.Tried)
			}
		}
	}
	if want := [][]int{{0, 1}, {1}, {1, 0}}; !slices.EqualFunc(ran, want, slices.Equal) {
		t.Errorf("tests were tried in the order %v, want %v", ran, want)
	}
	// Two runs of each kill, the original once after both, the survivor and its check.
	if want := []int{1, 0, 0, 0, 0, 0, 0, 1, 0}; !slices.Equal(f.ran, want) {
		t.Errorf("tests ran as %v, want %v", f.ran, want)
	}
}

// Alone, the tests run as they are given, and nothing is run again.
func TestAlone(t *testing.T) {
	f, ask := newTestSuite(t)
	list := ask(wire.Request{Try: &wire.Try{Alone: true, Tests: both, Items: []wire.TryItem{{Mutant: mFails, Tests: []int{1, 0}}}}})
	if k := list[0].Tried.Kill; k == nil || k.Kind != oracle.Assertion || !slices.Equal(f.ran, []int{0}) {
		t.Errorf("killed by %+v, ran %v", k, f.ran)
	}
}

func TestRequestsOfFuzzTestsAreRefused(t *testing.T) {
	f, _ := newTestSuite(t)
	req := wire.Request{Fuzz: &wire.Fuzz{}}
	if err := f.s.conn.Answer(&req, f.s.serveOne); err == nil {
		t.Error("a round is served by tests")
	}
	early := &suite{conn: f.s.conn}
	if err := early.conn.Answer(&wire.Request{Tests: &wire.Tests{}}, early.serveOne); err == nil {
		t.Error("tests are run before Init")
	}
}
