//go:build unix

package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The test binary is its own worker: see package fake for what its inputs say.
func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// fuzzFrom fuzzes from the given inputs.
func fuzzFrom(t *testing.T, cfg Config, parallel int, inputs ...string) *Engine {
	t.Helper()
	e := begun(t, cfg, parallel, inputs...)
	if _, err := e.Fuzz(t.Context(), Budget{Inputs: 20_000}); err != nil {
		t.Fatal(err)
	}
	return e
}

// begun is an engine with the given inputs.
func begun(t *testing.T, cfg Config, parallel int, inputs ...string) *Engine {
	t.Helper()
	cfg.Processes = processes.Config{Program: fake.Program(), Worker: fake.Binary(), Parallel: parallel}
	cfg.Filter = "all"
	e := New(cfg)
	encoded := fake.Inputs(inputs...)
	ev, err := e.Exact.Evaluate(t.Context(), evaluate.Query{Inputs: encoded, Select: wire.SelectAlive})
	if err != nil {
		t.Fatal(err)
	}
	e.Begin(encoded, ev)
	return e
}

func TestFuzzingEndsWhenNothingIsNew(t *testing.T) {
	e := fuzzFrom(t, Config{}, 1, "seed")
	news := e.news()
	b := Budget{Inputs: 1 << 40, Part: 1}
	b.Patience.Inputs = 500
	end, err := e.Fuzz(t.Context(), b)
	if err != nil || end != Stale {
		t.Errorf("ended by %v, %v", end, err)
	}
	if got := e.news(); got < news {
		t.Errorf("news fell from %d to %d", news, got)
	}
}

func TestPatience(t *testing.T) {
	a := &allowance{}
	a.budget.Patience.Inputs = 100
	for _, c := range []struct {
		issued int64
		news   int
		want   bool
	}{{0, 0, false}, {99, 0, false}, {100, 0, true}, {150, 1, false}, {249, 1, false}, {250, 1, true}} {
		a.issued = c.issued
		if got := a.stale(c.news); got != c.want {
			t.Errorf("after %d inputs with %d: %v, want %v", c.issued, c.news, got, c.want)
		}
	}
	// Where three are asked for, two are too few; what is older than the window does not count.
	c := &allowance{}
	c.budget.Patience.Inputs, c.budget.Patience.News = 100, 3
	for _, x := range []struct {
		issued int64
		news   int
		want   bool
	}{{0, 7, false}, {50, 9, false}, {99, 9, false}, {100, 10, false}, {149, 10, false}, {150, 10, true}, {160, 12, false}, {205, 12, true}} {
		c.issued = x.issued
		if got := c.stale(x.news); got != x.want {
			t.Errorf("three in 100: after %d inputs with %d: %v, want %v", x.issued, x.news, got, x.want)
		}
	}
	b := &allowance{}
	b.budget.Patience.Time = time.Hour
	for range 2 {
		if b.stale(0) {
			t.Error("an hour is over at once")
		}
	}
	b.before.time = time.Hour
	if !b.stale(0) || b.stale(1) {
		t.Error("an hour without news does not end it, or one with news does")
	}
}

// A search in parts makes the same choices each time, goes on where it was, and does not count
// the time in between.
func TestASearchInParts(t *testing.T) {
	inParts := func() (*Engine, *Search, []End) {
		e := fuzzFrom(t, Config{}, 1, "seed")
		b := Budget{Inputs: 1000, Part: 1}
		b.Patience.Inputs = 1500
		s := e.NewSearch(b)
		var ends []End
		for range 4 {
			end, err := s.Run(t.Context(), 0, 500)
			if err != nil {
				t.Fatal(err)
			}
			ends = append(ends, end)
		}
		return e, s, ends
	}
	a, s, ends := inParts()
	b, _, again := inParts()
	if found(a) != found(b) || !slices.Equal(ends, again) {
		t.Errorf("two searches differ: %s, %s", found(a), found(b))
	}
	if !slices.Equal(ends, []End{Exhausted, Exhausted, Stale, Stale}) {
		t.Errorf("the parts end with %v", ends)
	}
	spent, inputs := s.Spent()
	if time.Sleep(20 * time.Millisecond); inputs != 1500 {
		t.Errorf("%d inputs", inputs)
	}
	if later, _ := s.Spent(); later != spent {
		t.Error("the time between parts counts")
	}
}

// found lists the entries that fuzzing has added, with the mutants each killed first.
func found(e *Engine) string {
	var list []string
	for _, en := range e.Pool.Entries() {
		if !en.Given {
			list = append(list, fmt.Sprintf("%s (%d)", fake.Words(en.Input), en.Kills))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

func killed(e *Engine) (list []int) {
	for m := range 9 {
		if e.Kills.Dead(m) {
			list = append(list, m)
		}
	}
	return list
}

func TestFuzzing(t *testing.T) {
	for _, c := range []struct {
		name   string
		seed   string
		found  string
		killed []int
		keys   int // stacks
	}{
		{"new features and kills", "f1 >f1+f2 >f1 >f1+k3+i4", "f1 f2 (0), f1 k3 i4 (1)", []int{3}, 0},
		{"a failing input", "f1 >fail >f2", "f2 (0)", nil, 1},
		{"an input that ends the process", "f1 >end >f2", "f2 (0)", nil, 1},
		{"a mutant that ends the process", "f1 >f3+e2", "f3 e2 (1)", []int{2}, 0},
		{"a mutant that damages it", "f1 >f3+i1+g2", "f3 i1 g2 (0)", nil, 0},
		{"a chain", "f1 >f2+>f3", "f2 >f3 (0), f3 (0)", nil, 0},
	} {
		for _, parallel := range []int{1, 2} {
			e := fuzzFrom(t, Config{Seed: 1}, parallel, c.seed)
			// With two, the budget may be used up before what was found is studied.
			if got := found(e); parallel == 1 && got != c.found {
				t.Errorf("%s, %d workers: found %s, want %s", c.name, parallel, got, c.found)
			}
			if got := killed(e); !slices.Equal(got, c.killed) {
				t.Errorf("%s, %d workers: killed %v, want %v", c.name, parallel, got, c.killed)
			}
			if n := e.Failures.Len(); n != c.keys {
				t.Errorf("%s, %d workers: %d stacks, want %d", c.name, parallel, n, c.keys)
			}
		}
	}
}

// With one worker, a run is a function of its seed.
func TestFuzzingIsDeterministic(t *testing.T) {
	show := func(seed uint64) string {
		e := fuzzFrom(t, Config{Seed: seed}, 1, "f1 >f1+f2+>f4 >f1+k3 >fail", "f5 >e6+f7", "i1")
		return fmt.Sprint(e.Pool.Entries(), killed(e), e.Failures.Len(), e.Totals())
	}
	if a, b := show(1), show(1); a != b {
		t.Errorf("one seed, two runs:\n%s\n%s", a, b)
	}
}

// The budget is used up exactly, although processes end.
func TestTheBudgetIsUsedUp(t *testing.T) {
	for _, seed := range []string{"f1", "f1 >end", "f1 >e2"} {
		e := fuzzFrom(t, Config{Seed: 1}, 1, seed)
		if n := e.Totals().Inputs; n != 20_000 {
			t.Errorf("%s: %d inputs", seed, n)
		}
		if st := e.Status(); st.Inputs != 20_000 || st.Execs < 20_000 {
			t.Errorf("%s: status %+v", seed, st)
		}
	}
}

// Nobody waits for a search in which the original ends one process after the other.
func TestASearchEndsWhereTheOriginalEndsProcesses(t *testing.T) {
	twice := []string{"f1 >end", "f2 >end+f2"}
	for _, c := range []struct {
		seeds  []string
		deaths int
		inputs int64 // for each one more death
		want   End
	}{
		{twice, 1, 0, Deadly},
		{twice, 2, 0, Deadly},
		{twice, 3, 0, Exhausted},
		{twice, 0, 0, Exhausted},
		{twice, 0, 1, Exhausted},
		{twice, 1, 1, Exhausted},
		{twice, 1, 20_000, Deadly},
		{[]string{"f1 >e1", "f2 >e2"}, 1, 0, Exhausted},
	} {
		end, err := begun(t, Config{Seed: 1}, 1, c.seeds...).Fuzz(t.Context(), Budget{Inputs: 20_000, Deaths: c.deaths, DeathInputs: c.inputs})
		if err != nil || end != c.want {
			t.Errorf("%q, %d deaths, one more each %d inputs: ended by %v, %v", c.seeds, c.deaths, c.inputs, end, err)
		}
	}
}

// A connection that is broken shows with the next message: if neither of the last inputs has
// done it, the next rounds tell what they run. Only what is not known even then is flaky.
func TestABrokenConnectionIsLookedForCarefully(t *testing.T) {
	garbled := worker.Death{Cause: "broken", Garbled: true}
	e := fuzzFrom(t, Config{}, 1)
	s := newTestSlot(e)
	die := func(input string) {
		t.Helper()
		d := deathOn(input, 0, garbled)
		if err := s.died(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	die("f1")
	if s.careful != carefulMost || s.lost == nil || len(e.Failures.Flaky()) != 0 {
		t.Errorf("%d careful rounds, lost %v, flaky %+v", s.careful, s.lost, e.Failures.Flaky())
	}
	die("f1")
	if s.careful != 0 || len(e.Failures.Flaky()) != 1 {
		t.Errorf("%d careful rounds, flaky %+v", s.careful, e.Failures.Flaky())
	}
	die("end") // though the key is that of a flaky failure
	if e.Failures.Len() != 1 {
		t.Errorf("%d stacks", e.Failures.Len())
	}
}

// With a budget in executions, they decide when what others have found is taken in.
func TestIntakesComeByExecutions(t *testing.T) {
	e := fuzzFrom(t, Config{}, 1, "seed")
	n := 0
	b := Budget{Inputs: 3*intakeInputs + 10, Part: 1, Intake: func(ctx context.Context) error {
		n++
		inputs := fake.Inputs(fmt.Sprintf("k%d", n))
		ev, err := e.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectAlive})
		if err == nil {
			e.Found(inputs, ev)
		}
		return err
	}}
	// A round goes on to its end.
	if _, err := e.Fuzz(t.Context(), b); err != nil || n < 2 || n > 3 {
		t.Errorf("%d intakes, %v", n, err)
	}
	for m := 1; m <= n; m++ {
		if !e.Kills.Dead(m) {
			t.Errorf("mutant %d lives, and an input from elsewhere kills it", m)
		}
	}
	fault := errors.New("fault")
	b.Part, b.Intake = 2, func(context.Context) error { return fault }
	if _, err := e.Fuzz(t.Context(), b); !errors.Is(err, fault) {
		t.Errorf("the error of an intake: %v", err)
	}
}

// One worker at a time takes in, at the pace of the clock where that bounds the run.
func TestIntakesComeByTheClock(t *testing.T) {
	a := &allowance{start: time.Now()}
	a.budget.Time = time.Hour
	if a.beginIntake() {
		t.Error("at once")
	}
	a.taken.time = time.Now().Add(-intakePause)
	if !a.beginIntake() || a.beginIntake() {
		t.Error("not once after the pause")
	}
	a.endIntake()
	if a.beginIntake() {
		t.Error("again at once")
	}
}

// The smaller inputs of stacks are looked for in a time that all of them share.
func TestTrimmingEnds(t *testing.T) {
	for _, c := range []struct {
		within    time.Duration
		cut, most int // stacks, and the inputs of one
	}{{time.Hour, 0, 2}, {-1, 1, 1}} {
		e := fuzzFrom(t, Config{Seed: 1}, 1, "f1 >fail+f2")
		cut, err := e.Failures.Trim(t.Context(), e.Processes, c.within)
		if err != nil || cut != c.cut {
			t.Errorf("within %v: %d cut, %v", c.within, cut, err)
		}
		if list := e.Failures.Stacks(); len(list) != 1 || len(list[0].Inputs) != c.most {
			t.Errorf("within %v: %d stacks", c.within, len(list))
		}
	}
}
