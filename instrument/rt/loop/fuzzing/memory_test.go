package fuzzing

import (
	"runtime"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// manyPaths has more paths than a run has inputs. No block is new after the first
// input: the corpus does not grow.
func manyPaths(counters []uint8) func(t *testing.T, s string) {
	return func(_ *testing.T, s string) {
		for i := range s {
			counters[(int(s[i])*31+i)%len(counters)]++
		}
		if fuzzmutrt.Tracing {
			for m := range 64 {
				fuzzmutrt.Infected[0] |= 1 << m
			}
			fuzzmutrt.Infected[0] &^= 1
		}
	}
}

func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// With a corpus that stands still, what a worker keeps does not grow with the inputs it
// runs.
func TestMemoryStandsStill(t *testing.T) {
	counters := make([]uint8, 64)
	l, out := newTestFuzzer(t, 63, manyPaths(counters), counters, make([]bool, 1))
	for c := range uint32(len(counters)) {
		for bucket := range 8 {
			l.Cov.See(wire.Features{wire.FeatureOf(c, bucket)})
		}
	}
	req := &wire.Fuzz{Filter: "adaptive", Slow: 1 << 30, Limit: exec.SuspectFuel}
	req.Add = []wire.Entry{{ID: 0, Input: wire.Encode([]any{"a standing corpus"})}}
	req.Parents = []wire.Parent{{ID: 0, Weight: 1}}
	rounds := func(n int) {
		for range n {
			req.Seed++
			req.Execs = 1000
			if err := ask(l, wire.Request{Fuzz: req}); err != nil {
				t.Fatal(err)
			}
			req.Add = nil
			out.Reset()
		}
	}
	rounds(4)
	before := liveHeap()
	rounds(40)
	if after := liveHeap(); after > before+1<<20 {
		t.Errorf("%d KiB live after 4,000 inputs, %d KiB after ten times as many", before>>10, after>>10)
	}
	runtime.KeepAlive(l)
}
