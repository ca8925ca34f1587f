package exec_test

import (
	"runtime/metrics"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

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
			w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, hoard, make([]uint8, 1), make([]bool, 1))
			w.Exec.BoundHeap(32 << 20)
			vals := []any{[]byte("a")}
			ref := w.Muts.Reference(vals, exec.HangFuel, false)
			before := w.Muts.Burned
			kind, detail := w.Muts.Try(vals, 1, ref)
			if kind != oracle.Fuel {
				t.Errorf("killed by %q", kind)
			}
			if want := "its heap grew 32 MiB beyond twice the original's"; tt.ended && detail != want {
				t.Errorf("killed because %s", detail)
			}
			if got, want := w.Muts.Burned-before, 11*ref.Fuel; tt.ended && got != want {
				t.Errorf("%d units of fuel are counted, want %d whenever the collector runs", got, want)
			}
			if ended := turns < 10*int(ref.Fuel); ended != tt.ended {
				t.Errorf("%d turns with fuel for %d, then ten times as many", turns, ref.Fuel)
			}
			if ok, text, _ := w.Muts.Healthy(vals, 1, ref); !ok {
				t.Errorf("the original after it: %s", text)
			}
		})
	}
}

// A mutant that calls itself without end is killed before the stack is full, but where the original
// has such a stack as well.
func TestMutantsThatFillTheStackRunOutOfFuel(t *testing.T) {
	heap, stack := fuzzmutrt.HeapSize, fuzzmutrt.StackSize
	defer func() { fuzzmutrt.HeapSize, fuzzmutrt.StackSize = heap, stack }()
	fuzzmutrt.HeapSize = func() uint64 { return 0 }
	for _, deep := range []bool{false, true} {
		calls, most := 0, 0
		fuzzmutrt.StackSize = func() uintptr { return uintptr(calls) << 20 }
		target := func(_ *testing.T, in []byte) {
			fuzzmutrt.Infected[0] |= 1 << 1
			for calls = 0; deep && calls < 1000 || fuzzmutrt.Active != 0; calls++ {
				fuzzmutrt.Burn()
				if fuzzmutrt.Active != 0 {
					most = max(most, calls)
				}
			}
		}
		w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, target, make([]uint8, 1), make([]bool, 1))
		w.Exec.BoundHeap(32 << 20)
		vals := []any{[]byte("a")}
		ref := w.Muts.Reference(vals, exec.HangFuel, false)
		kind, detail := w.Muts.Try(vals, 1, ref)
		if kind != oracle.Fuel {
			t.Errorf("the original is deep %v: killed by %q", deep, kind)
		}
		if want := "its stack grew beyond 32 MiB, and the original's does not"; detail == want == deep {
			t.Errorf("the original is deep %v: killed because %s", deep, detail)
		}
		if ended := most < int(ref.Fuel); ended == deep {
			t.Errorf("the original is deep %v: %d calls with fuel for %d", deep, most, ref.Fuel)
		}
	}
}

// A mutant that puts text together again in each turn is killed before its fuel is gone, though
// next to nothing lives.
func TestMutantsThatMakeGarbageRunOutOfFuel(t *testing.T) {
	size := fuzzmutrt.HeapSize
	defer func() { fuzzmutrt.HeapSize = size }()
	objects := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	fuzzmutrt.HeapSize = func() uint64 { metrics.Read(objects); return objects[0].Value.Uint64() }
	var turns, allocated int
	target := func(_ *testing.T, in []byte) {
		fuzzmutrt.Infected[0] |= 1 << 1
		for text := string(in); fuzzmutrt.Active != 0; text += "and what comes next" {
			fuzzmutrt.Burn()
			turns++
			allocated += len(text)
		}
	}
	w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, target, make([]uint8, 1), make([]bool, 1))
	w.Exec.BoundHeap(1 << 40)
	vals := []any{[]byte("a")}
	ref := w.Muts.Reference(vals, exec.HangFuel, false)
	kind, detail := w.Muts.Try(vals, 1, ref)
	if want := "it allocated more than 256 MiB, at least 8 times what the original does"; kind != oracle.Fuel || detail != want {
		t.Errorf("killed by %q: %s", kind, detail)
	}
	// It runs twice, each time for 256 MiB and what it allocates until that is seen.
	if most := 2 << 30; allocated > most {
		t.Errorf("%d turns have allocated %d bytes", turns, allocated)
	}
}

// The original ends where it makes garbage without end, long before its fuel is gone, and the
// loop is found. One that ends allocates what it wants.
func TestTheOriginalMayNotMakeGarbageWithoutEnd(t *testing.T) {
	const chunk = 64 << 10
	p, turns, most := &endless{}, 0, 0
	var sink []byte
	litter := func(_ *testing.T, n int) {
		for turns = 0; turns < n; turns++ {
			p.inner(1)
			sink = make([]byte, chunk)
		}
	}
	w := looptest.New(t, &wire.Init{}, litter, p.counters[:], p.slow[:])
	for _, c := range []struct {
		n, fuel int
		ended   bool
	}{
		{1 << 40, 1 << 20, true},
		{100, 1 << 20, false},
		{20_000, 1 << 40, false}, // 1.2 GB, with fuel for more
		{1 << 40, 1 << 14, true}, // out of fuel first
	} {
		ex := w.Exec.Original([]any{c.n}, int64(c.fuel))
		if ended := ex.Kind == wire.Fuel; ended != c.ended {
			t.Errorf("%+v: %v after %d turns", c, ex.Kind, turns)
		}
		most = max(most, turns)
		if c.ended && (ex.Burned < int64(c.fuel) || ex.Burned > int64(c.fuel)+1) {
			t.Errorf("%+v: %d units are counted", c, ex.Burned)
		}
	}
	_ = sink
	if mib := most * (chunk >> 10) >> 10; mib > 4<<10 {
		t.Errorf("%d turns: %d MiB were allocated", most, mib)
	}
}

// The bytes are those of the execution, and none of one that fails.
func TestWeighed(t *testing.T) {
	var sink []byte
	target := func(t *testing.T, in []byte) {
		sink = make([]byte, len(in)<<20)
		if len(in) > 2 {
			t.Error("too long")
		}
	}
	w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, target, make([]uint8, 1), make([]bool, 1))
	for _, c := range []struct {
		in          string
		least, most int64
	}{{"", 0, 1 << 16}, {"a", 1 << 20, 1<<20 + 1<<16}, {"ab", 2 << 20, 2<<20 + 1<<16}, {"abc", 0, 0}} {
		ex, bytes := w.Exec.Weighed([]any{[]byte(c.in)}, exec.HangFuel)
		if ex.Kind.Failed() != (len(c.in) > 2) || bytes < c.least || bytes > c.most {
			t.Errorf("%q: %v, %d bytes, want %d to %d", c.in, ex.Kind, bytes, c.least, c.most)
		}
	}
	_ = sink
}
