package exec

import (
	"runtime"
	"runtime/debug"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

func TestLargeHeapsAreCollectedSooner(t *testing.T) {
	for _, c := range []struct {
		live  uint64
		least int
		want  int
	}{
		{0, gcPercentLeast, gcPercentMost},
		{1 << 20, gcPercentLeast, gcPercentMost},
		{heapRoom / 4, gcPercentLeast, 400},
		{heapRoom / 4, gcPercentTests, 400},
		{heapRoom, gcPercentLeast, 100},
		{heapRoom, gcPercentTests, 200},
		{2 * heapRoom, gcPercentLeast, 50},
		{1 << 30, gcPercentLeast, gcPercentLeast},
		{1 << 30, gcPercentTests, gcPercentTests},
	} {
		if got := gcPercentFor(c.live, c.least); got != c.want {
			t.Errorf("%d bytes live: %d %%, want %d", c.live, got, c.want)
		}
	}
}

// A brief process keeps the percentage of Go for its first collections.
func TestABriefProcessIsTendedLate(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercentGo))
	h := newHeap(0)
	h.least, h.begins, h.percent = gcPercentTests, 3, gcPercentGo
	large := make([]byte, 2*heapRoom)
	runtime.GC()
	for i, want := range []int{gcPercentGo, gcPercentGo, gcPercentTests} {
		if h.collected(); h.percent != want {
			t.Errorf("%d %% after %d collections, want %d", h.percent, i+1, want)
		}
	}
	runtime.KeepAlive(large)
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

// A call that burns more than a ration at once has it, if there is enough.
func TestMuchFuelAtOnce(t *testing.T) {
	defer func(size func() uint64, fuel int64) { fuzzmutrt.HeapSize, fuzzmutrt.Fuel = size, fuel }(fuzzmutrt.HeapSize, fuzzmutrt.Fuel)
	fuzzmutrt.HeapSize = func() uint64 { return 0 }
	h := newHeap(0)
	h.original.Store(1 << 40)
	r := ration{heap: h}
	for _, c := range []struct {
		burned int64
		goesOn bool
	}{{rationFuel + 1, true}, {50 * rationFuel, true}, {100 * rationFuel, true}, {100*rationFuel + 1, false}, {1 << 40, false}} {
		fuzzmutrt.Fuel = r.begin(100*rationFuel) - c.burned
		if goesOn := fuzzmutrt.Fuel >= 0 || r.enter(); goesOn != c.goesOn {
			t.Errorf("%d of %d burned at once: goes on %v", c.burned, 100*rationFuel, goesOn)
		} else if left := fuzzmutrt.Fuel + r.end(); goesOn && left != 100*rationFuel-c.burned {
			t.Errorf("%d burned at once: %d left", c.burned, left)
		}
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

// What is allocated counts, whatever the collector takes away in between. The original may
// allocate an eighth of what a mutant may.
func TestRationsCountGarbage(t *testing.T) {
	defer func(size func() uint64, fuel int64) { fuzzmutrt.HeapSize, fuzzmutrt.Fuel = size, fuel }(fuzzmutrt.HeapSize, fuzzmutrt.Fuel)
	fuzzmutrt.HeapSize = func() uint64 { return 1 << 20 }
	var sink []byte
	for name, tt := range map[string]struct {
		kib    int // allocated between two looks
		weighs bool
		looks  int // until the mutant is ended; 0: it is not
	}{
		"nothing":                       {0, false, 0},
		"much":                          {5 << 10, false, garbageLooks},
		"the original's, nothing":       {0, true, 0},
		"the original's, as much in 64": {1 << 10, true, garbageLooks},
		"the original's, later":         {300, true, 2 * garbageLooks},
	} {
		h := newHeap(0)
		h.original.Store(1 << 50)
		r := ration{heap: h, weighs: tt.weighs}
		fuzzmutrt.Fuel = r.begin(300 * rationFuel)
		looks := 1
		for fuzzmutrt.Fuel = -1; r.enter(); fuzzmutrt.Fuel = -1 {
			looks++
			sink = make([]byte, tt.kib<<10)
		}
		r.end()
		if ended := r.churns && r.hoards; ended != (tt.looks > 0) || ended && looks != tt.looks {
			t.Errorf("%s: ended %v after %d looks, want %d", name, ended, looks, tt.looks)
		}
	}
	_ = sink
}
