package loop

import (
	"runtime"
	"runtime/debug"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestLargeHeapsAreCollectedSooner(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{
		{0, gcPercentMost},
		{1 << 20, gcPercentMost},
		{heapRoom / 4, 400},
		{heapRoom, 100},
		{2 * heapRoom, 50},
		{1 << 30, gcPercentLeast},
	} {
		if got := gcPercentFor(c.live); got != c.want {
			t.Errorf("%d bytes live: %d %%, want %d", c.live, got, c.want)
		}
	}
}

// What lives may be the work of the run before, and what the original needs as well is
// no sign of a loop that never ends.
func TestOnlyMutantsThatGrowAreEnded(t *testing.T) {
	type seen struct {
		live  uint64
		run   uint64
		phase uint32
		want  bool
	}
	const mb = 1 << 20
	for name, list := range map[string][]seen{
		"grows":                     {{10 * mb, 1, mutantMayEnd, false}, {80 * mb, 1, mutantMayEnd, true}},
		"from the run before":       {{80 * mb, 1, mutantMayEnd, false}, {80 * mb, 2, mutantMayEnd, false}, {10 * mb, 2, mutantMayEnd, false}},
		"not known to be slow":      {{10 * mb, 1, mutantRuns, false}, {80 * mb, 1, mutantRuns, false}},
		"the original":              {{80 * mb, 1, originalRuns, false}, {80 * mb, 1, originalRuns, false}},
		"twice the original":        {{40 * mb, 1, originalRuns, false}, {40 * mb, 2, originalRuns, false}, {9, 3, mutantMayEnd, false}, {140 * mb, 3, mutantMayEnd, false}, {145 * mb, 3, mutantMayEnd, true}},
		"what a mutant left":        {{9, 1, mutantRuns, false}, {80 * mb, 2, originalRuns, false}, {9, 3, mutantMayEnd, false}, {80 * mb, 3, mutantMayEnd, true}},
		"while a value is observed": {{9, 1, mutantMayEnd, false}, {80 * mb, 1, mutantRuns, false}, {80 * mb, 1, mutantMayEnd, true}},
	} {
		h := &heap{bound: mutantHeap}
		for i, s := range list {
			if got := h.beyond(s.live, s.run, s.phase); got != s.want {
				t.Errorf("%s: collection %d: %v", name, i+1, got)
			}
		}
	}
}

// A mutant that hoards in a loop without end is killed as one that is out of fuel, long
// before its fuel is gone, and the next run is not harmed.
func TestMutantsThatHoardRunOutOfFuel(t *testing.T) {
	const chunk, first = 8 << 10, 10_010 // turns before it is known to be slow
	var kept [][]byte
	turns := 0
	hoard := func(_ *testing.T, in []byte) {
		fuzzmutrt.Infected[0] |= 1 << 1
		if fuzzmutrt.Active == 0 {
			fuzzmutrt.Burn()
			return
		}
		defer func() { kept = nil }()
		for {
			fuzzmutrt.Burn()
			if turns++; turns > first {
				kept = append(kept, make([]byte, chunk))
			}
			if turns%1000 == 0 { // or it is up to the machine when finalizers run
				runtime.GC()
				runtime.Gosched()
			}
		}
	}
	l, _ := newTestLoop(t, 1, hoard, make([]uint8, 1), make([]bool, 1))
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	tendHeap(l.x, 16<<20)
	vals := []any{[]byte("a")}
	ref := l.muts.reference(vals, hangFuel, false)
	kind, detail := l.muts.try(vals, 1, ref)
	if kind != wire.Fuel.String() || detail != "burned more than 10010 units, the original 1" {
		t.Errorf("killed by %q: %s", kind, detail)
	}
	if turns >= 10*int(ref.fuel) {
		t.Errorf("%d turns: it was not ended before it was out of fuel", turns)
	}
	if ok, text, _ := l.muts.healthy(vals, 1, ref); !ok {
		t.Errorf("the original after it: %s", text)
	}
}
