//go:build unix

package evaluate

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// surveyed is the result of a survey of inputs.
type surveyed struct {
	ledger *Ledger
	killed map[uint32]bool
	rounds []*Evaluation
}

func survey(t *testing.T, ctx context.Context, parallel int, words ...string) (*Evaluator, *surveyed) {
	t.Helper()
	e := newEvaluator(parallel)
	s := &surveyed{killed: make(map[uint32]bool)}
	all := e.NewSurvey(fake.Inputs(words...), func(m uint32) bool { return !s.killed[m] }, func(ev *Evaluation) {
		s.rounds = append(s.rounds, ev)
		for _, k := range ev.Kills {
			s.killed[k.Mutant] = true
		}
	})
	s.ledger = all.Ledger
	var err error
	for err == nil && !all.Done() {
		err = all.Round(ctx)
	}
	if err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	return e, s
}

// ran is on how many inputs each mutant was run in a round.
func (s *surveyed) ran(m int) (list []int64) {
	for _, ev := range s.rounds {
		list = append(list, ev.Counts.Executed[m])
	}
	return list
}

// Mutant 1 lives everywhere, 2 and 3 fall at the last input that infects them, and 4 is
// infected by few.
func TestASurveyRunsFewInputsAtFirstAndNoneTwice(t *testing.T) {
	var words []string
	for i := range 40 {
		w := fmt.Sprintf("w%d i1", i)
		switch {
		case i == 39:
			w += " k2"
		case i < 20:
			w += " i2 i3"
		case i == 20:
			w += " k3"
		case i > 36:
			w += " i4"
		}
		words = append(words, w)
	}
	for _, parallel := range []int{1, 2} {
		e, s := survey(t, t.Context(), parallel, words...)
		if len(s.killed) != 2 || !s.killed[2] || !s.killed[3] {
			t.Errorf("killed %v", s.killed)
		}
		for m, want := range map[int]int64{1: 40, 2: 21, 3: 21, 4: 2} {
			sum := int64(0)
			for _, n := range s.ran(m) {
				sum += n
			}
			if sum != want {
				t.Errorf("%d workers: mutant %d was run %v times, want %d in all", parallel, m, s.ran(m), want)
			}
		}
		if n := s.ran(1)[0]; len(s.rounds) != 2 || n < surveyTries || n >= surveyTries+triesChunk {
			t.Errorf("mutant 1 was run %v times", s.ran(1))
		}
		for i, in := range fake.Inputs(words...) {
			if !s.ledger.Lived(in, 1) || s.ledger.Lived(in, 3) != (i < 20) || s.ledger.Lived(in, 5) {
				t.Errorf("input %d: the ledger has 1 %v, 3 %v, 5 %v", i, s.ledger.Lived(in, 1), s.ledger.Lived(in, 3), s.ledger.Lived(in, 5))
			}
		}
		// Nothing is left to be run when these are confirmed.
		dead := func(m uint32) bool { return s.killed[m] }
		ev, err := e.Confirm(t.Context(), fake.Inputs(words[:20]...), Knowing{Clean: func(int) bool { return false }, Dead: dead, Ledger: s.ledger})
		if err != nil || len(ev.Kills) > 0 || len(ev.Late) > 0 || slices.Max(ev.Counts.Executed) > 0 || ev.Counts.Infected[1] != 20 {
			t.Errorf("%d workers: %v, %+v", parallel, err, ev)
		}
	}
}

func TestAMutantThatDamagesItsProcessIsSurveyedOnce(t *testing.T) {
	var words []string
	for i := range 20 {
		words = append(words, fmt.Sprintf("w%d i1 g2", i))
	}
	_, s := survey(t, t.Context(), 1, words...)
	if len(s.rounds) < 2 || !slices.Equal(s.rounds[0].damaging, []uint32{2}) {
		t.Fatalf("%d rounds, damaging %v", len(s.rounds), s.rounds[0].damaging)
	}
	for _, ev := range s.rounds[1:] {
		if ev.Counts.Executed[2] > 0 || len(ev.damaging) > 0 {
			t.Errorf("it was run %v times", s.ran(2))
		}
	}
	if !s.ledger.Lived(fake.Input(words[19]), 1) {
		t.Error("the other one was not run on all inputs")
	}
}

// What was run before the time was over is known, and nothing else.
func TestASurveyEndsWithItsTime(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	_, s := survey(t, ctx, 1, "i1", "k2")
	if len(s.killed) > 0 || len(s.rounds) != 1 {
		t.Errorf("%d rounds, killed %v", len(s.rounds), s.killed)
	}
	for _, in := range fake.Inputs("i1", "k2") {
		if s.ledger.Lived(in, 1) {
			t.Error("what was not run has lived")
		}
	}
}

// Without a ledger there is nothing in it, and nothing is entered.
func TestNoLedgerIsEmpty(t *testing.T) {
	var l *Ledger
	in := fake.Input("i1")
	l.enter(in, []uint32{1}, []uint32{1})
	if l.Lived(in, 1) || l.ran(1) != 0 || len(l.done(in, func(uint32) bool { return true })) > 0 {
		t.Error("it has something")
	}
}

// Pairs in the ledger are not run, and those that are run come in; kills do not.
func TestPairsOfALedgerAreNotRun(t *testing.T) {
	e := newEvaluator(2)
	l := e.NewLedger()
	inputs := fake.Inputs("i1 i2 k3", "i1 k4")
	l.enter(inputs[0], []uint32{1, 2}, []uint32{1})
	for _, want := range [][]int64{{0, 1, 1, 1, 1}, {0, 0, 0, 1, 1}} {
		ev, err := e.Evaluate(t.Context(), Query{Inputs: inputs, Select: wire.SelectAlive, Ledger: l})
		if err != nil || show(ev) != "0:3=panic 1:4=panic" || !slices.Equal(ev.Counts.Executed[:5], want) {
			t.Errorf("%s, run %v times, want %v (%v)", show(ev), ev.Counts.Executed[:5], want, err)
		}
	}
	if l.ran(1) != 2 || l.ran(2) != 1 || l.ran(3) != 0 || l.Lived(inputs[0], 3) {
		t.Errorf("lived on %d, %d and %d inputs", l.ran(1), l.ran(2), l.ran(3))
	}
}
