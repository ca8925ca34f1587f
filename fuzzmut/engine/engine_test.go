package engine

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/kills"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// newTestEngine has a program with 64 blocks and mutants 1 to 3. Mutant 2 is
// static.
func newTestEngine(cfg Config) *Engine {
	cfg.Processes = processes.Config{Program: &instrument.Program{
		Blocks:  make([]instrument.Block, 64),
		Mutants: []instrument.Mutant{{Index: 1}, {Index: 2, Status: instrument.StatusStatic, FuncIndex: -1}, {Index: 3}},
		Funcs:   make([]instrument.Func, 1),
	}}
	return New(cfg)
}

func TestTheStatusCountsTheMutantsAimedAt(t *testing.T) {
	if n := newTestEngine(Config{}).Status().Mutants; n != 2 {
		t.Errorf("%d mutants, want the 2 that can be switched", n)
	}
	e := newTestEngine(Config{Aim: func(m uint32) bool { return m == 3 }})
	if n := e.Status().Mutants; n != 1 {
		t.Errorf("%d mutants, want 1", n)
	}
}

// What a run begins with enters the parts.
func TestBeginTakesInAnEvaluation(t *testing.T) {
	var found, failing []string
	e := newTestEngine(Config{
		Filter:    "all",
		OnFound:   func(input *corpus.Input) { found = append(found, input.Values()[0].(string)) },
		OnFailure: func(f failures.Failure) { failing = append(failing, f.Input.Values()[0].(string)) },
	})
	inputs := []*corpus.Input{corpus.Of("a"), corpus.Of("b"), corpus.Of("c")}
	ev := &evaluate.Evaluation{
		Inputs: inputs,
		Results: []wire.Result{
			{Features: wire.Features{8, 9, 16}, Cost: 7, Infected: wire.IDs{1, 3}},
			{Outcome: wire.Outcome{Kind: wire.Panic, Message: "boom"}},
			{Features: wire.Features{8}},
		},
		Kills:  []evaluate.Kill{{Kill: wire.Kill{Mutant: 3}, Input: 2}},
		Counts: kills.NewCounts(3),
	}
	ev.Counts.Run(3)
	ev.Counts.Reached[1] = 2
	e.Begin(inputs, ev)
	if k, ok := e.Kills.First(3); !ok || k.Input != inputs[2] {
		t.Errorf("%+v is the first kill", k)
	}
	want := Status{Corpus: 2, Killed: 1, Reached: 2, Mutants: 2, Covered: 2, Blocks: 64, Stacks: 1}
	if got := e.Status(); got != want {
		t.Errorf("status %+v", got)
	}
	if len(found) > 0 || !slices.Equal(failing, []string{"b"}) {
		t.Errorf("found %q, failing %q", found, failing)
	}
	if got := e.Totals().Reached; !slices.Equal(got, []int64{0, 2, 0, 1}) {
		t.Errorf("reached %v", got)
	}
	e.Found([]*corpus.Input{corpus.Of("a"), corpus.Of("d")}, &evaluate.Evaluation{Results: make([]wire.Result, 2), Counts: kills.NewCounts(3)})
	if !slices.Equal(found, []string{"d"}) || e.Status().Added != 1 {
		t.Errorf("found %q, %+v", found, e.Status())
	}
}

// dead lists kills of mutants.
func dead(mutants ...uint32) (list []kills.Kill) {
	for _, m := range mutants {
		list = append(list, kills.Kill{Kill: wire.Kill{Mutant: m}})
	}
	return list
}

func TestAKillIsCreditedOnce(t *testing.T) {
	e := newTestEngine(Config{})
	ev := &evaluate.Evaluation{Inputs: []*corpus.Input{corpus.Of("a")}, Kills: []evaluate.Kill{{Kill: wire.Kill{Mutant: 1}}}}
	e.Credit(ev)
	e.Credit(ev)
	if n := e.kill(dead(1, 3)...); n != 1 || e.Status().Killed != 2 || !e.Kills.Dead(1) {
		t.Errorf("%d new, %d in all", n, e.Status().Killed)
	}
	if e.Status().Reached != 2 {
		t.Error("a status shows more mutants killed than reached")
	}
}

func TestDiscardsAreAddedUp(t *testing.T) {
	e := newTestEngine(Config{})
	e.addStats(&wire.Stats{Execs: 3, Bred: 100, Discards: []wire.Discarding{{Place: "b.go:1", Inputs: 3}, {Place: "a.go:2", Inputs: 1}}})
	e.addStats(&wire.Stats{Execs: 4, Bred: 10, Discards: []wire.Discarding{{Place: "a.go:2", Inputs: 2}, {Place: "c.go:9", Inputs: 7}}})
	d := e.Discards()
	want := []wire.Discarding{{Place: "c.go:9", Inputs: 7}, {Place: "a.go:2", Inputs: 3}, {Place: "b.go:1", Inputs: 3}}
	if d.Bred != 110 || d.Discarded() != 13 || !slices.Equal(d.Places, want) {
		t.Errorf("got %+v", d)
	}
	if n := e.Totals().Execs; n != 7 {
		t.Errorf("%d executions", n)
	}
}
