package filter

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
)

func newTestAdaptive(t *testing.T) *Adaptive {
	t.Helper()
	return New("adaptive", 0, new(looptest.Program).Worker(t).Muts, havoc.NewRand(1), NewState()).(*Adaptive)
}

// play has f decide on inputs. One in novelIn inputs has new coverage. Of those that
// mutants are run on, one in killsIn kills one. 0 stands for none. It returns the fuel
// of mutants divided by that of the original.
func play(f *Adaptive, inputs, novelIn, killsIn int) float64 {
	var plain, mutants float64
	hunts := 0
	for i := range inputs {
		novel := 0
		if novelIn > 0 && i%novelIn == 0 {
			novel = 1
		}
		var cost int64
		kills := 0
		if now, _ := f.Trace(novel); now {
			cost = 5_000
			if hunts++; killsIn > 0 && hunts%killsIn == 0 {
				kills = 1
			}
		}
		f.Spent(100, cost, kills)
		plain += 100 + exec.ExecutionFuel
		mutants += float64(cost)
	}
	return mutants / plain
}

func TestAdaptiveShareFollowsWhatBringsKills(t *testing.T) {
	barren := newTestAdaptive(t)
	barren.Ran(0, 3)
	if share := play(barren, 200_000, 100, 0); share > 2*shareLeast {
		t.Errorf("barren mutants take %.2f times what the original takes", share)
	}
	rich := newTestAdaptive(t)
	rich.Ran(0, 3)
	if share := play(rich, 200_000, 0, 50); share < shareMost/2 {
		t.Errorf("where coverage brings nothing and mutants kill, mutants take only %.2f times what the original takes", share)
	}
}

func TestAdaptiveRestsWhenNothingBringsKills(t *testing.T) {
	f := newTestAdaptive(t)
	play(f, 3_000_000, 0, 0)
	if f.state.share != shareDry {
		t.Errorf("the share of mutants is %.3f", f.state.share)
	}
	if got := play(f, 200_000, 0, 0); got > 2*shareDry {
		t.Errorf("mutants take %.3f times what the original takes", got)
	}
	if play(f, 1_000_000, 0, 5); f.state.share < shareMost/2 {
		t.Errorf("once mutants are killed again, their share is %.3f", f.state.share)
	}
}

func TestAdaptiveLetsKeptInputsWait(t *testing.T) {
	f := newTestAdaptive(t)
	f.Spent(1_000_000, 0, 0)
	if now, later := f.Trace(1); now || !later {
		t.Error("mutants run at once on an input that is kept anyway")
	}
	if now, later := f.Trace(0); !now || later {
		t.Error("no mutants are run though there is fuel for them")
	}
	f.state.waiting = []Waiting{{Path: 1}, {Path: 2}}
	if now, _ := f.Trace(0); now {
		t.Error("an input that waits does not go first")
	}
	if w, ok := f.Next(); !ok || w.Path != 1 {
		t.Error("what has waited longest is not the next")
	}
	f.Ran(1_000_000, 0)
	if _, ok := f.Next(); ok {
		t.Error("mutants run on credit")
	}
}

func TestAdaptiveTriesAPathLessAndLess(t *testing.T) {
	f := newTestAdaptive(t)
	first := len(f.Pick([]uint32{1, 2, 3}, 7, 100))
	again := 0
	for range 100 {
		again += len(f.Pick([]uint32{1, 2, 3}, 7, 100))
	}
	if first != 3 || again > 100 {
		t.Errorf("picked %d, then %d of 300", first, again)
	}
}

// Where an execution burns little, as in a parser of short lines, mutants that kill nothing have
// the least share after two hundred thousand runs, which take a few seconds.
func TestTheShareFallsSoonOnSmallTargets(t *testing.T) {
	const original = 50
	s := NewState()
	f := &Adaptive{state: s}
	for runs := 0; runs < 200_000 && s.share > shareDry; runs++ {
		f.Spent(original, 2*(original+exec.ExecutionFuel), 0)
	}
	if !s.drought.Dry() || s.share > shareDry {
		t.Errorf("the share is %v", s.share)
	}
}
