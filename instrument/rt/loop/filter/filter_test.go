package filter

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
)

func TestFilters(t *testing.T) {
	m := new(looptest.Program).Worker(t).Muts
	ids := func() []uint32 { return []uint32{1, 2, 3, 4, 5, 6, 7, 8} }
	m.Executed[1], m.Executed[2], m.Executed[3] = 5, 5, 1
	rng := havoc.NewRand(1)

	least := New("least-executed", 6, m, rng, nil)
	// Never-executed first, in list order; then by ascending count.
	if got := least.Pick(ids(), 0, 0); !slices.Equal(got, []uint32{4, 5, 6, 7, 8, 3}) {
		t.Errorf("least-executed: %v", got)
	}
	if got := New("all", 0, m, rng, nil).Pick(ids(), 0, 0); !slices.Equal(got, ids()) {
		t.Errorf("all: %v", got)
	}
	none := New("none", 0, m, rng, nil)
	if now, later := none.Trace(1); now || later || len(none.Pick(ids(), 0, 0)) != 0 {
		t.Error("none runs mutants")
	}
	random := New("random", 3, m, rng, nil)
	seen := make(map[uint32]int)
	for range 4000 {
		got := random.Pick(ids(), 0, 0)
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

func TestEagerRunsSeldomWhatWasRunOftenOnItsPath(t *testing.T) {
	m := new(looptest.Program).Worker(t).Muts
	eager := New("eager", 0, m, havoc.NewRand(1), NewState())
	picks := func(path uint64) (n int) {
		for range 1000 {
			n += len(eager.Pick([]uint32{1, 2}, path, 0))
		}
		return n
	}
	if n := picks(7); n != 2000 {
		t.Errorf("mutants that were run seldom are picked %d times of 2000", n)
	}
	m.Executed[1] = 9 * eagerRuns
	if n := picks(7); n < 1050 || n > 1150 {
		t.Errorf("with one that was run often, %d are picked, 1100 expected", n)
	}
	if got := eager.Pick([]uint32{1}, 8, 0); len(got) != 1 {
		t.Error("it is not picked on a new path")
	}
}

func TestTooManyInputsDoNotWait(t *testing.T) {
	s := NewState()
	for i := range 100 {
		s.Wait(Waiting{Vals: []any{make([]byte, 1<<20), "text"}, Path: uint64(i)})
	}
	if s.weight > waitingMost || len(s.waiting) != 15 || s.waiting[14].Path != 99 {
		t.Errorf("%d wait, of %d bytes", len(s.waiting), s.weight)
	}
	for len(s.waiting) > 0 {
		s.drop()
	}
	if s.weight != 0 {
		t.Errorf("%d bytes are left of none", s.weight)
	}
}

func TestPairsAreRemembered(t *testing.T) {
	p := newPairs()
	const a, b = 7, 7 + 1<<40 // of one slot
	if p.has(a) || p.has(0) {
		t.Error("a pair is known that never came")
	}
	p.add(a)
	if !p.has(a) || p.has(b) {
		t.Error("pairs of one slot are not told apart")
	}
	p.add(b)
	if p.has(a) || !p.has(b) {
		t.Error("the pair that came last is not the one that stays")
	}
}
