package loop

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func newTestAdaptive(t *testing.T) *filterAdaptive {
	t.Helper()
	return newFilter("adaptive", 0, newTestMutants(t, &program{}), havoc.NewRand(1), newAdaptiveState()).(*filterAdaptive)
}

// play lets inputs come by, of which one in so many has new coverage, and one in so
// many of those that mutants are run on kills one. It returns the fuel of mutants by
// that of the original.
func play(f *filterAdaptive, inputs, novelIn, killsIn int) float64 {
	var plain, mutants float64
	hunts := 0
	for i := range inputs {
		novel := 0
		if novelIn > 0 && i%novelIn == 0 {
			novel = 1
		}
		var cost int64
		kills := 0
		if now, _ := f.trace(novel); now {
			cost = 5_000
			if hunts++; killsIn > 0 && hunts%killsIn == 0 {
				kills = 1
			}
		}
		f.spent(100, cost, kills)
		plain += 100 + executionFuel
		mutants += float64(cost)
	}
	return mutants / plain
}

func TestAdaptiveShareFollowsWhatBringsKills(t *testing.T) {
	barren := newTestAdaptive(t)
	barren.judged(0, 3)
	if share := play(barren, 200_000, 100, 0); share > 2*shareLeast {
		t.Errorf("barren mutants take %.2f times what the original takes", share)
	}
	rich := newTestAdaptive(t)
	rich.judged(0, 3)
	if share := play(rich, 200_000, 0, 50); share < shareMost/2 {
		t.Errorf("where coverage brings nothing and mutants kill, mutants take only %.2f times what the original takes", share)
	}
}

func TestAdaptiveLetsKeptInputsWait(t *testing.T) {
	f := newTestAdaptive(t)
	f.spent(1_000_000, 0, 0)
	if now, later := f.trace(1); now || !later {
		t.Error("mutants run at once on an input that is kept anyway")
	}
	if now, later := f.trace(0); !now || later {
		t.Error("no mutants are run though there is fuel for them")
	}
	f.state.waiting = []waiting{{path: 1}, {path: 2}}
	if now, _ := f.trace(0); now {
		t.Error("an input that waits does not go first")
	}
	if w, ok := f.next(); !ok || w.path != 1 {
		t.Error("what has waited longest is not the next")
	}
	f.judged(1_000_000, 0)
	if _, ok := f.next(); ok {
		t.Error("mutants run on credit")
	}
}

func TestAdaptiveTriesAPathLessAndLess(t *testing.T) {
	f := newTestAdaptive(t)
	first := len(f.pick([]uint32{1, 2, 3}, 7, 100))
	again := 0
	for range 100 {
		again += len(f.pick([]uint32{1, 2, 3}, 7, 100))
	}
	if first != 3 || again > 100 {
		t.Errorf("picked %d, then %d of 300", first, again)
	}
}

// What waited is run with mutants once there is fuel, and reported once more.
func TestInputsThatWaitAreJudged(t *testing.T) {
	p := &program{}
	l, out := newLoop(t, &wire.Init{MutantFunc: make([]int32, mStatic-1)}, p.run, p.counters[:], p.slow[:])
	req := &wire.Fuzz{Seed: 1, Execs: 500, Filter: "adaptive", Slow: 1 << 30, Limit: suspectFuel}
	if err := ask(l, wire.Request{Fuzz: req}); err != nil && err != errDamaged {
		t.Fatal(err)
	}
	found, judged := make(map[string]bool), 0
	for _, r := range replies(t, out) {
		switch f := r.Found; {
		case f == nil || f.Early:
		case !f.Judged:
			found[string(f.Input)] = true
		case !found[string(f.Input)]:
			t.Errorf("%q is judged, and was not found", f.Input)
		default:
			judged += len(f.Kills)
		}
	}
	if judged == 0 {
		t.Error("nothing is killed by inputs that waited")
	}
}
