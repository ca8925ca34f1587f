package loop

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The mutants of the program below, written by hand as the rewriter would.
const (
	mSurvivor   = iota + 1 // changes nothing that is observed
	mValue                 // another result
	mAssertion             // the test fails
	mPanic                 // panics
	mEndless               // loops for ever
	mSwallow               // loops for ever and recovers its own panics
	mExit                  // os.Exit
	mSkip                  // the test skips
	mState                 // spoils global state, quietly
	mUninfected            // has the original's value
	mStatic                // can't be switched
)

// program is a rewritten package by hand: one function, one counter.
type program struct {
	counters [1]uint8
	slow     [1]bool
	state    int
	mood     func() int // what the original adds to its result
}

func (p *program) on(m uint32) bool { return p.slow[0] && fuzzmutrt.Active == m }

func (p *program) trace() {
	if !p.slow[0] || !fuzzmutrt.Tracing {
		return
	}
	for m := uint32(1); m < mStatic; m++ {
		fuzzmutrt.Reached[m/64] |= 1 << (m % 64)
		if m != mUninfected {
			fuzzmutrt.Infected[m/64] |= 1 << (m % 64)
		}
	}
}

func (p *program) tick() {
	if fuzzmutrt.Fuel--; fuzzmutrt.Fuel < 0 {
		fuzzmutrt.Out()
	}
}

// run is the function under test.
func (p *program) run(t *testing.T, in []byte) {
	p.counters[0]++
	p.trace()
	for range in {
		p.tick()
	}
	sum := len(in) + p.state
	if p.mood != nil {
		sum += p.mood()
	}
	switch {
	case p.on(mValue):
		sum++
	case p.on(mAssertion):
		t.Error("wrong")
	case p.on(mPanic):
		panic("boom")
	case p.on(mEndless):
		for {
			p.tick()
		}
	case p.on(mSwallow):
		for {
			func() {
				defer func() { recover() }() //nolint:errcheck // as careless packages do
				p.tick()
			}()
			p.tick()
		}
	case p.on(mExit):
		fuzzmutrt.Exit(func(int) { panic("really exits") }, 3)
	case p.on(mSkip):
		t.SkipNow()
	case p.on(mState):
		p.state++
	}
	if fuzzmutrt.Observing {
		fuzzmutrt.ObserveHook(0, []any{sum})
	}
	in[0] = 'X' // a target may change its input
}

// plainT is package testing as it is without the injected file: enough for
// targets that fail and skip.
func plainT() Testing {
	return Testing{
		Reset:   func(t, _ *testing.T, _ bool) { reflect.ValueOf(t).Elem().SetZero() },
		Cleanup: func(*testing.T) {},
		Quiet:   new(bool),
		Result:  func(t *testing.T) (bool, bool, []byte) { return t.Failed(), t.Skipped(), nil },
	}
}

func newTestMutants(t *testing.T, p *program) *mutants {
	t.Helper()
	fuzzmutrt.Packages = []*fuzzmutrt.Package{{Path: "p", Counters: p.counters[:], Slow: p.slow[:]}}
	init := &wire.Init{Counters: 1, Funcs: 1}
	for m := 1; m < mStatic; m++ {
		init.MutantFunc = append(init.MutantFunc, 0)
	}
	init.MutantFunc = append(init.MutantFunc, -1)
	x, err := newExecutor(newTarget(p.run, plainT()), wire.NewShared(make([]byte, wire.SharedSize)), init)
	if err != nil {
		t.Fatal(err)
	}
	return newMutants(x, init)
}

func TestEveryKindOfKill(t *testing.T) {
	m := newTestMutants(t, &program{})
	vals := []any{[]byte("abc")}
	ref := m.reference(vals, hangFuel, true)
	if ref.ex.kind != wire.Pass || ref.ex.burned != 3 {
		t.Fatalf("the original: %+v", ref.ex)
	}
	if slices.Contains(ref.infected, mUninfected) || !slices.Contains(ref.reached, mUninfected) {
		t.Errorf("reached %v, infected %v", ref.reached, ref.infected)
	}
	if m.alive[mStatic] {
		t.Error("a mutant without a switch is alive")
	}
	want := map[uint32]oracle.Kind{
		mValue: oracle.Difference, mAssertion: oracle.Assertion, mPanic: oracle.Panic, mEndless: oracle.Fuel,
		mSwallow: oracle.Fuel, mExit: oracle.Exit, mSkip: oracle.Difference,
	}
	v := m.runAll(vals, []uint32{mSurvivor, mValue, mAssertion, mPanic, mEndless, mSwallow, mExit, mSkip}, ref, true, func(k wire.Kill) { m.kill(k.Mutant) })
	if v.damaged || v.survived != 1 || len(v.kills) != len(want) {
		t.Fatalf("verdict %+v", v)
	}
	for _, k := range v.kills {
		if k.Kind != want[k.Mutant] || m.alive[k.Mutant] {
			t.Errorf("mutant %d: %s (%s), want %s", k.Mutant, k.Kind, k.Detail, want[k.Mutant])
		}
	}
	if got := v.kills[0].Detail; !strings.Contains(got, "3") || !strings.Contains(got, "4") {
		t.Errorf("a difference explained as %q", got)
	}
	if string(vals[0].([]byte)) != "abc" {
		t.Error("the target changed the pristine input")
	}
}

func TestDamagedStateIsNoticedAndBlamed(t *testing.T) {
	m := newTestMutants(t, &program{})
	vals := []any{[]byte("abc")}
	ref := m.reference(vals, hangFuel, false)
	v := m.runAll(vals, []uint32{mSurvivor, mState}, ref, true, func(wire.Kill) {})
	if !v.damaged || v.lastKill != nil || v.value == nil || !slices.Equal(v.suspects, []uint32{mSurvivor, mState}) {
		t.Errorf("verdict %+v", v)
	}
}

func TestAKillIsNotCreditedWhenTheOriginalChangesToo(t *testing.T) {
	n := 0
	m := newTestMutants(t, &program{mood: func() int { n++; return n }})
	vals := []any{[]byte("abc")}
	ref := m.reference(vals, hangFuel, false)
	v := m.runAll(vals, []uint32{mSurvivor}, ref, true, func(wire.Kill) { t.Error("credited") })
	if !v.damaged || len(v.kills) != 0 || v.lastKill == nil {
		t.Errorf("verdict %+v", v)
	}
}

func TestCountsAreReportedOnce(t *testing.T) {
	m := newTestMutants(t, &program{})
	vals := []any{[]byte("a")}
	ref := m.reference(vals, hangFuel, false)
	m.runAll(vals, []uint32{mSurvivor, mValue}, ref, false, func(wire.Kill) {})
	s := m.take()
	if s.MutantExecs != 2 || !slices.Contains(s.Executed, [2]uint32{mValue, 1}) || !slices.Contains(s.Reached, [2]uint32{mUninfected, 1}) {
		t.Errorf("stats %+v", s)
	}
	if s = m.take(); s.MutantExecs != 0 || s.Executed != nil {
		t.Errorf("counted twice: %+v", s)
	}
}

func TestMutantsAreMetOnce(t *testing.T) {
	m := newTestMutants(t, &program{})
	if n := m.meet([]uint32{1, 2}); n != 2 {
		t.Errorf("%d mutants met, want 2", n)
	}
	if n := m.meet([]uint32{1, 2, 3}); n != 1 {
		t.Errorf("%d mutants met, want 1", n)
	}
}

func TestFunctionsWithoutLivingMutantsAreNotTraced(t *testing.T) {
	m := newTestMutants(t, &program{})
	for id := uint32(1); id < mStatic; id++ {
		m.kill(id)
	}
	if ref := m.reference([]any{[]byte("a")}, hangFuel, false); len(ref.reached) != 0 {
		t.Errorf("reached %v", ref.reached)
	}
}

func TestFilters(t *testing.T) {
	m := newTestMutants(t, &program{})
	ids := func() []uint32 { return []uint32{1, 2, 3, 4, 5, 6, 7, 8} }
	m.executed[1], m.executed[2], m.executed[3] = 5, 5, 1
	rng := havoc.NewRand(1)

	least := newFilter("least-executed", 6, m, rng, nil)
	// Never-executed first, in list order; then by ascending count.
	if got := least.pick(ids(), 0, 0); !slices.Equal(got, []uint32{4, 5, 6, 7, 8, 3}) {
		t.Errorf("least-executed: %v", got)
	}
	if got := newFilter("all", 0, m, rng, nil).pick(ids(), 0, 0); !slices.Equal(got, ids()) {
		t.Errorf("all: %v", got)
	}
	none := newFilter("none", 0, m, rng, nil)
	if now, later := none.trace(1); now || later || len(none.pick(ids(), 0, 0)) != 0 {
		t.Error("none runs mutants")
	}
	random := newFilter("random", 3, m, rng, nil)
	seen := make(map[uint32]int)
	for range 4000 {
		got := random.pick(ids(), 0, 0)
		if len(got) != 3 || got[0] == got[1] || got[1] == got[2] || got[0] == got[2] {
			t.Fatalf("random: %v", got)
		}
		for _, id := range got {
			seen[id]++
		}
	}
	for _, id := range ids() {
		if n := seen[id]; n < 1300 || n > 1700 {
			t.Errorf("random picked mutant %d %d times of 4000, 1500 expected", id, n)
		}
	}
}
