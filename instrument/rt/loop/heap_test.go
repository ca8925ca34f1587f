package loop

import (
	"runtime"
	"runtime/metrics"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
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

// What lives may be what a mutant has left: the original's is what lives when none ran
// the last time either.
func TestWhatTheOriginalNeeds(t *testing.T) {
	h := newHeap(0)
	large := make([]byte, 32<<20)
	collect := func(mutant bool) {
		h.mutant.Store(mutant)
		runtime.GC()
		h.collected()
	}
	collect(true)
	collect(false)
	if got := h.original.Load(); got != 0 {
		t.Errorf("%d bytes after a mutant", got)
	}
	collect(false)
	if got := h.original.Load(); got < uint64(len(large)) {
		t.Errorf("%d bytes, of which %d are surely there", got, len(large))
	}
	runtime.KeepAlive(large)
}

// A mutant that hoards in a loop without end is killed as one that is out of fuel, long
// before its fuel is gone, and the next run is not harmed. It is not where the original
// needs as much.
func TestMutantsThatHoardRunOutOfFuel(t *testing.T) {
	for name, tt := range map[string]struct {
		original int  // chunks that the original keeps
		ended    bool // before the fuel is gone
	}{
		"hoards":                    {0, true},
		"the original does so, too": {10_000, false},
	} {
		t.Run(name, func(t *testing.T) {
			size := fuzzmutrt.HeapSize
			defer func() { fuzzmutrt.HeapSize = size }()
			objects := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
			fuzzmutrt.HeapSize = func() uint64 { metrics.Read(objects); return objects[0].Value.Uint64() }
			const chunk = 8 << 10
			var kept [][]byte
			turns := 0
			hoard := func(_ *testing.T, in []byte) {
				fuzzmutrt.Infected[0] |= 1 << 1
				defer func() { kept = nil }()
				for n := 0; fuzzmutrt.Active != 0 || n < tt.original; n++ {
					fuzzmutrt.Burn()
					if fuzzmutrt.Active != 0 {
						turns++
					}
					if n < 20_000 {
						kept = append(kept, make([]byte, chunk))
					}
				}
			}
			l, _ := newTestLoop(t, 1, hoard, make([]uint8, 1), make([]bool, 1))
			h := newHeap(0)                 // which nobody tells of collections
			h.original.Store(liveNow() / 2) // what other tests have left is no mutant's
			h.bound = 32 << 20
			l.x.ration.heap = h
			vals := []any{[]byte("a")}
			ref := l.muts.reference(vals, hangFuel, false)
			kind, detail := l.muts.try(vals, 1, ref)
			if kind != oracle.Fuel {
				t.Errorf("killed by %q", kind)
			}
			if want := "its heap grew 32 MiB beyond twice the original's"; tt.ended && detail != want {
				t.Errorf("killed because %s", detail)
			}
			if ended := turns < 10*int(ref.fuel); ended != tt.ended {
				t.Errorf("%d turns with fuel for %d, then ten times as many", turns, ref.fuel)
			}
			if ok, text, _ := l.muts.healthy(vals, 1, ref); !ok {
				t.Errorf("the original after it: %s", text)
			}
		})
	}
}

func TestRations(t *testing.T) {
	defer func(size func() uint64, fuel int64) { fuzzmutrt.HeapSize, fuzzmutrt.Fuel = size, fuel }(fuzzmutrt.HeapSize, fuzzmutrt.Fuel)
	var size uint64
	fuzzmutrt.HeapSize = func() uint64 { return size }
	h := newHeap(0)
	h.original.Store(1 << 40) // whatever the test binary needs
	r := ration{heap: h}
	burn := func(n int64) (burned int64) {
		for ; burned < n; burned++ {
			if fuzzmutrt.Fuel--; fuzzmutrt.Fuel < 0 && !r.enter() {
				return burned
			}
		}
		return burned
	}
	for name, tt := range map[string]struct {
		size             uint64
		fuel, want, left int64
	}{
		"less than one ration": {0, 10, 10, 0},
		"one ration":           {0, rationFuel, rationFuel, 0},
		"some":                 {0, 3*rationFuel + 7, 3*rationFuel + 7, 0},
		"not all burned":       {0, 10 * rationFuel, 1000, 10*rationFuel - 1000},
		"garbage":              {1 << 50, 5 * rationFuel, 5 * rationFuel, 0},
	} {
		size = tt.size
		fuzzmutrt.Fuel = r.begin(tt.fuel)
		burned := burn(tt.want)
		left := fuzzmutrt.Fuel + r.end()
		if burned != tt.want || left != tt.left || h.mutant.Load() {
			t.Errorf("%s: %d burned, %d left", name, burned, left)
		}
	}
	fuzzmutrt.HeapSize = nil // the metrics tell
	h.original.Store(0)
	h.bound = 1
	fuzzmutrt.Fuel = r.begin(5 * rationFuelSlow)
	if burned := burn(5 * rationFuelSlow); burned != rationFuelSlow || !r.hoards {
		t.Errorf("%d burned with a heap out of bounds", burned)
	}
}
