package loop

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// Targets leave much garbage and keep little. What a heap may grow by before it is
// collected is therefore not a share of what lives, but at least heapRoom: a small
// heap is not collected all the time, and a large one does not become a multiple of
// itself.
const (
	heapRoom       = 32 << 20
	gcPercentMost  = 800 // of what lives; the heap of a worker that has just begun
	gcPercentLeast = 50
	// A change of the percentage stops the world, so small ones are left out: one
	// part in so many.
	gcPercentStep = 8
)

// limitPart is the part of the limit on a process's memory, in eighths, that the
// garbage collector keeps the process within: what is resident besides, the program
// itself and the memory shared with the coordinator, has the rest.
const limitPart = 7

// mutantHeap is what the heap of a mutant that has shown to be slow may have more than
// twice what the original's has, in bytes. Most that go beyond never end: each would
// come to the limit on the process's memory long before it is out of fuel.
const mutantHeap = 64 << 20

// heap sets the percentage at which the collector runs, after each collection, and
// ends mutants whose heap grows out of bounds. It works through a finalizer: a
// goroutine of its own would keep the runtime from telling that all goroutines are
// asleep.
type heap struct {
	x       *executor // nil if nothing but the percentage is set
	live    []metrics.Sample
	percent int

	bound    uint64 // what mutants may have beyond twice the original's
	original uint64 // the most that was seen to live while the original ran
	run      uint64 // that was under way when the collector ran last
	phase    uint32 // of that run
}

// limitHeap has the collector keep the process below a limit in bytes, if it is
// positive. What the user has set in the environment stays.
func limitHeap(limit int64) {
	if limit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit / 8 * limitPart)
	}
}

// tendHeap has the collector keep the process small, unless the user has said in the
// environment when it is to run. Mutants that an executor runs are bounded by
// mutantHeap, or by a quarter of the limit on the process's memory, if there is one.
func tendHeap(x *executor, limit int64) {
	h := &heap{x: x, live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, percent: gcPercentMost, bound: mutantHeap}
	if limit > 0 {
		h.bound = min(h.bound, uint64(limit)/4)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(h.percent)
	} else {
		h.percent = 0
	}
	runtime.SetFinalizer(h, (*heap).collected)
}

// collected is called after each collection.
func (h *heap) collected() {
	metrics.Read(h.live)
	live := h.live[0].Value.Uint64()
	if percent := gcPercentFor(live); h.percent > 0 && max(percent-h.percent, h.percent-percent) > h.percent/gcPercentStep {
		h.percent = percent
		debug.SetGCPercent(percent)
	}
	if h.x != nil {
		if run, phase := h.x.underWay(); h.beyond(live, run, phase) {
			h.x.exhaust(run)
		}
	}
	runtime.SetFinalizer(h, (*heap).collected)
}

// beyond reports whether so much lives that the run under way is to be ended if it is
// one that may be. It may live from the run before, unless this one was under way the
// last time already.
func (h *heap) beyond(live, run uint64, phase uint32) bool {
	same := run == h.run
	if phase == originalRuns && h.phase == originalRuns {
		h.original = max(h.original, live)
	}
	h.run, h.phase = run, phase
	return phase == mutantMayEnd && same && live > 2*h.original+h.bound
}

// gcPercentFor returns the percentage for a heap of which so many bytes live.
func gcPercentFor(live uint64) int {
	return int(min(max(100*heapRoom/max(live, 1), gcPercentLeast), gcPercentMost))
}

// phase says whether the collector may end the run under way.
type phase struct{ atomic.Uint32 }

const (
	originalRuns uint32 = iota // or nothing does
	mutantRuns
	mutantMayEnd
	mutantEnds // for an instant
)

// change sets the phase, and returns the one before. What comes after happens once the
// run can't be ended any more.
func (p *phase) change(to uint32) (from uint32) {
	for {
		if from = p.Load(); from == to || from != mutantEnds && p.CompareAndSwap(from, to) {
			return from
		}
		runtime.Gosched()
	}
}

// underWay returns the number of the run under way, and its phase.
//
//go:norace
func (x *executor) underWay() (run uint64, phase uint32) { return x.runs, x.phase.Load() }

// exhaust ends a run, if it is still under way and may be ended, as if it had burned
// all its fuel. That may be lost to a unit that burns at the same time; then there is a
// next time.
//
//go:norace
func (x *executor) exhaust(run uint64) {
	if x.phase.CompareAndSwap(mutantMayEnd, mutantEnds) {
		if x.runs == run {
			fuzzmutrt.Fuel = -1
		}
		x.phase.Store(mutantMayEnd)
	}
}
