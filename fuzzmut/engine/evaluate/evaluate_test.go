//go:build unix

package evaluate

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The test binary is its own worker: see package fake for what its inputs say.
func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

func newEvaluator(parallel int) *Evaluator {
	procs := processes.New(processes.Config{Program: fake.Program(), Worker: fake.Binary(), Parallel: parallel})
	return New(procs, failures.New(nil))
}

// show prints an evaluation: the kills by input, and the outcome of inputs that do not pass.
func show(ev *Evaluation) string {
	var parts []string
	for _, k := range ev.Kills {
		parts = append(parts, fmt.Sprintf("%d:%d=%v", k.Input, k.Mutant, k.Kind))
	}
	for i, r := range ev.Results {
		if r.Outcome.Kind != wire.Pass {
			parts = append(parts, fmt.Sprintf("%d:%v", i, r.Outcome.Kind))
		}
	}
	return strings.Join(parts, " ")
}

// Runs in separate processes find what is to blame for the end of a process. The other
// results are as if the process had not ended.
func TestEvaluationsDoNotDependOnTheWorkers(t *testing.T) {
	for _, c := range []struct {
		name   string
		sel    wire.Select
		inputs []string
		want   string
	}{
		{"the first kills", wire.SelectAlive, []string{"i1", "k1 i2", "k1 d2 k3"}, "1:1=panic 2:2=difference 2:3=panic"},
		{"one kills only inside", wire.SelectAlive, []string{"n1 n2", "n1", "d1"}, "0:2=only-inside 2:1=difference"},
		{"each kills", wire.SelectInfected, []string{"i1", "k1 i2", "k1 d2 k3"}, "1:1=panic 2:1=panic 2:2=difference 2:3=panic"},
		{"dear kills count for the first", wire.SelectInfected, []string{"e1 k2", "e1 k2"}, "0:1=exit 0:2=panic 1:2=panic"},
		{"no mutants", wire.SelectNone, []string{"k1", "fail", "e2"}, "1:panic"},
		{"a failing input", wire.SelectAlive, []string{"fail k1", "k2"}, "1:2=panic 0:panic"},
		{"mutants that end the process", wire.SelectAlive, []string{"k1 e2 k3 e4", "k5"}, "0:1=panic 0:2=exit 0:3=panic 0:4=exit 1:5=panic"},
		{"an input that ends the process", wire.SelectAlive, []string{"k1", "end k2", "k3"}, "0:1=panic 2:3=panic 1:death"},
	} {
		var counts []int64
		for _, parallel := range []int{1, 3} {
			e := newEvaluator(parallel)
			ev, err := e.Evaluate(t.Context(), Query{Inputs: fake.Inputs(c.inputs...), Select: c.sel})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if got := show(ev); got != c.want || len(ev.NotRun) > 0 {
				t.Errorf("%s, %d workers: %s, want %s (not run: %v)", c.name, parallel, got, c.want, ev.NotRun)
			}
			if c.sel == wire.SelectAlive || parallel == 1 {
				all := slices.Concat(ev.Counts.Reached, ev.Counts.Infected, ev.Counts.Executed)
				if counts != nil && !slices.Equal(all, counts) {
					t.Errorf("%s: counts %v, by one worker %v", c.name, all, counts)
				}
				counts = all
			}
			if done, of := e.Progress(); done != 0 || of != 0 {
				t.Errorf("%d of %d after the end", done, of)
			}
		}
	}
}

func TestQueriesExcludeMutants(t *testing.T) {
	ev, err := newEvaluator(1).Evaluate(t.Context(), Query{
		Inputs: fake.Inputs("k1 k2 i3"), Select: wire.SelectAlive, Infected: true,
		Exclude: func(m uint32) bool { return m == 2 },
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := show(ev); got != "0:1=panic" {
		t.Errorf("kills %s", got)
	}
	if got := ev.Results[0].Infected; !slices.Equal(got, wire.IDs{3}) {
		t.Errorf("infected without a kill: %v", got)
	}
	if !slices.Equal(ev.Counts.Executed, []int64{0, 1, 0, 1, 0, 0, 0, 0, 0}) {
		t.Errorf("executed %v", ev.Counts.Executed)
	}
}

// A mutant that damages its process is found among those that were run. From then on it
// runs in separate processes, where another input may kill it.
func TestDamagingMutantsAreIsolated(t *testing.T) {
	ev, err := newEvaluator(1).Evaluate(t.Context(), Query{Inputs: fake.Inputs("i1 g2 i3 k4", "k1 i2", "k2 k3"), Select: wire.SelectAlive})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(ev), "0:4=panic 1:1=panic 2:2=panic 2:3=panic"; got != want {
		t.Errorf("kills %s, want %s", got, want)
	}
}

// One that is killed as well is not run again, even where other mutants are: each input would cost processes. A killed
// mutant that may have damaged the process by chance is.
func TestAKilledMutantThatDamagesIsNotRunAgain(t *testing.T) {
	e := newEvaluator(1)
	ev, err := e.Evaluate(t.Context(), Query{Inputs: fake.Inputs("k1 x2 k3", "k1 x2 k3", "k1 x2 k3"), Select: wire.SelectInfected})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(ev), "0:1=panic 0:2=difference 0:3=panic 1:1=panic 1:3=panic 2:1=panic 2:3=panic"; got != want {
		t.Errorf("kills %s, want %s", got, want)
	}
	s := newShare(e, &Query{Inputs: fake.Inputs("d1"), Select: wire.SelectInfected}, 0, 1)
	s.kill(0, wire.Kill{Mutant: 1, Kind: oracle.Difference})
	if s.suspect(0, []uint32{1}); s.dead[1] {
		t.Error("a suspect that is killed is not run again")
	}
}

// A target that ends its process sometimes is left alone, and said to be flaky.
func TestAnUnexplainedDeathIsSkipped(t *testing.T) {
	e := newEvaluator(1)
	ev, err := e.Evaluate(t.Context(), Query{Inputs: fake.Inputs("k1", "crowd k2", "k3"), Select: wire.SelectAlive})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(ev), "0:1=panic 1:2=panic 2:3=panic"; got != want {
		t.Errorf("%s, want %s: it passes in a process of its own", got, want)
	}
	if list := e.alone.Failures.Flaky(); len(list) != 1 || fake.Words(list[0].Input) != "crowd k2" {
		t.Errorf("come and go: %+v", list)
	}
}

// The original may block since a mutant has left a lock locked: that is no failure of the input.
func TestAnInputThatBlocksAfterMutantsIsRunAlone(t *testing.T) {
	cfg := fake.Binary()
	cfg.Timeout = time.Second
	procs := processes.New(processes.Config{Program: fake.Program(), Worker: cfg, Parallel: 1})
	e := New(procs, failures.New(nil))
	ev, err := e.Evaluate(t.Context(), Query{Inputs: fake.Inputs("k1", "jam k2", "k3"), Select: wire.SelectAlive})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(ev), "0:1=panic 1:2=panic 2:3=panic"; got != want {
		t.Errorf("%s, want %s: it passes in a process of its own", got, want)
	}
	s := newShare(e, &Query{Inputs: fake.Inputs("block")}, 0, 1)
	d := &worker.Death{TimedOut: true}
	d.State.Input, d.State.Last = s.q.Inputs[0], 3
	if blocks, err := s.blocks(t.Context(), 0, d); err != nil || !blocks || s.results[0].Outcome.Kind != wire.Fuel {
		t.Errorf("one that blocks alone, too: %v, %+v (%v)", blocks, s.results[0].Outcome, err)
	}
}

// What another input has killed is not guilty of a death for that: it would be tried for ever.
func TestSuspectsThatAnotherInputHasKilled(t *testing.T) {
	s := newShare(newEvaluator(1), &Query{Inputs: fake.Inputs("k3", "i3", "k3")}, 0, 1)
	s.kill(0, wire.Kill{Mutant: 3, Kind: oracle.Panic})
	for input, want := range map[int]bool{1: false, 2: true} {
		d := &worker.Death{}
		d.State.Input, d.State.Last = s.q.Inputs[input], 3
		guilty, err := s.trySuspects(t.Context(), input, d)
		if err != nil || guilty != want || !slices.Contains(s.skip[input], 3) {
			t.Errorf("input %d: guilty %v, want %v, not run again: %v (%v)", input, guilty, want, s.skip[input], err)
		}
	}
}

func TestCulpritIsAMutant(t *testing.T) {
	e := newEvaluator(1)
	d := &worker.Death{}
	d.State.Input, d.State.Previous = fake.Input("i1 i2"), fake.Input("i1 e2")
	d.State.Last, d.State.Before = 1, 2
	input, kills, err := e.Culprit(t.Context(), d)
	if err != nil || fake.Words(input) != "i1 e2" || len(kills) != 1 || kills[0].Mutant != 2 || kills[0].Kind != oracle.Exit {
		t.Errorf("%s kills %v (%v)", fake.Words(input), kills, err)
	}
	d.State.Previous = nil
	if input, _, err := e.Culprit(t.Context(), d); input != nil || err != nil {
		t.Errorf("%s is to blame (%v)", fake.Words(input), err)
	}
}

func TestDamageHasItsMutants(t *testing.T) {
	e := newEvaluator(1)
	d := &worker.Damaged{Input: fake.Input("i1 g2 k3"), Damaged: wire.Damaged{Suspects: wire.IDs{1, 2, 3}}}
	damaging, killed, err := e.Damage(t.Context(), d)
	if err != nil || !slices.Equal(damaging, []uint32{2}) || len(killed) != 1 || killed[0].Mutant != 3 {
		t.Errorf("damaging %v, killed %v (%v)", damaging, killed, err)
	}
	// No mutant does it again, and the target passes each time without one: it was one, by chance.
	d = &worker.Damaged{Input: fake.Input("i1 k3"), Damaged: wire.Damaged{Suspects: wire.IDs{1, 3}, Text: "passes or fails"}}
	if damaging, killed, err = e.Damage(t.Context(), d); err != nil || !slices.Equal(damaging, []uint32{1}) || len(killed) != 1 || killed[0].Mutant != 3 {
		t.Errorf("by chance: damaging %v, killed %v (%v)", damaging, killed, err)
	}
	if list := e.procs.Unstable(); len(list) != 0 {
		t.Errorf("by chance: unstable %+v", list)
	}
	// No mutant: the target itself changes.
	d = &worker.Damaged{Input: fake.Input("rare"), Damaged: wire.Damaged{Text: "passes or fails"}}
	if damaging, _, err = e.Damage(t.Context(), d); err != nil || len(damaging) > 0 {
		t.Errorf("damaging %v (%v)", damaging, err)
	}
	if list := e.procs.Unstable(); len(list) != 1 || !list[0].Outcome || len(e.alone.Failures.Flaky()) != 1 {
		t.Errorf("unstable %+v, come and go %+v", list, e.alone.Failures.Flaky())
	}
}

// Where noise is that of inputs, the first inputs on which a value differs are left out, and then the value is.
func TestInputsAreLeftOutBeforeTheirValues(t *testing.T) {
	for _, ofInputs := range []bool{false, true} {
		procs := processes.New(processes.Config{Program: fake.Program(), Worker: fake.Binary(), NoiseOfInputs: ofInputs})
		e := New(procs, failures.New(nil))
		left := 0
		for range 9 {
			s := newShare(e, &Query{Inputs: fake.Inputs("passes")}, 0, 1)
			d := &worker.Damaged{Input: s.q.Inputs[0], Damaged: wire.Damaged{Value: &wire.Value{Site: 1}, Text: "1 vs 2"}}
			if err := s.isolate(t.Context(), 0, d); err != nil {
				t.Fatal(err)
			}
			if s.done == 1 && s.results[0].Outcome.Kind == wire.Skip {
				left++
			}
			if hidden := len(procs.Unstable()) > 0; hidden != (s.done == 0) {
				t.Fatalf("of inputs %v: the value is hidden: %v, the input is done: %d", ofInputs, hidden, s.done)
			}
		}
		if left > 0 != ofInputs || left == 9 {
			t.Errorf("of inputs %v: %d of 9 inputs are left out", ofInputs, left)
		}
	}
}

func TestACancelledEvaluationReturnsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ev, err := newEvaluator(2).Evaluate(ctx, Query{Inputs: fake.Inputs("k1"), Select: wire.SelectAlive})
	if err == nil || ev == nil || len(ev.Kills) > 0 || len(ev.Results) != 1 {
		t.Errorf("%+v, %v", ev, err)
	}
}

// What fails may cost a lot: the rest is not run after some. Those that pass are no reason to end.
func TestAnEvaluationEndsAfterSomeFailures(t *testing.T) {
	pass, fail := slices.Repeat([]string{"k1"}, 100), slices.Repeat([]string{"end", "fail", "k1"}, 10) // each end is that of a process
	for _, c := range []struct {
		failures    int
		least, most int
	}{{0, 130, 130}, {1, 101, 108}, {4, 106, 113}} {
		testEnd(t, Query{Inputs: fake.Inputs(slices.Concat(pass, fail)...), Failures: c.failures}, c.least, c.most)
	}
}

// The same holds for what ends, if it burns much: each byte of an input burns one.
func TestAnEvaluationEndsAfterItsCost(t *testing.T) {
	inputs := fake.Inputs(slices.Concat(slices.Repeat([]string{"k1"}, 100), slices.Repeat([]string{strings.Repeat("k1 ", 10_000)}, 100))...)
	for _, c := range []struct {
		cost        int64
		least, most int
	}{{0, 200, 200}, {10_000, 101, 108}, {300_000, 110, 118}} {
		testEnd(t, Query{Inputs: inputs, Cost: c.cost}, c.least, c.most)
	}
}

// testEnd has an evaluation end after a number of inputs.
func testEnd(t *testing.T, q Query, least, most int) {
	t.Helper()
	q.Select = wire.SelectNone
	ev, err := newEvaluator(1).Evaluate(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if n := ev.Done(0); n < least || n > most {
		t.Errorf("after %d failures, or %d of fuel, %d inputs were run, not %d to %d", q.Failures, q.Cost, n, least, most)
	}
}
