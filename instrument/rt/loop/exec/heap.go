package exec

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Targets leave much garbage and keep little. What a heap may grow by before it is
// collected is therefore not a share of what lives, but at least heapRoom: a small
// heap is not collected all the time, and a large one does not become a multiple of
// itself.
const (
	heapRoom       = 32 << 20
	gcPercentMost  = 800 // of what lives; the heap of a worker that has just begun
	gcPercentLeast = 50
	gcPercentGo    = 100 // that of Go, with nothing set
	gcPercentTests = 200 // the least in a process that runs tests: it lives as long as a test or two, and each collection marks all of their data
	// A change of the percentage stops the world, so small ones are left out: one
	// part in gcPercentStep.
	gcPercentStep = 8
)

// limitPart is the part of the limit on a process's memory, in eighths, that the
// garbage collector keeps the process within. The rest is for other resident
// memory: the program itself, and the memory shared with the coordinator.
const limitPart = 7

// mutantHeap is what the heap of a mutant may have more than twice what the original's
// has, in bytes. Most that go beyond never end, and would reach the limit on the
// process's memory long before they are out of fuel.
const mutantHeap = 64 << 20

// mutantGarbage is what a mutant may allocate, in bytes, though little of it lives. It takes
// some hundredths of a second. Where the original allocates more than one part in garbageTimes of
// that, the fuel alone ends a mutant.
const (
	mutantGarbage = 256 << 20
	garbageTimes  = 8
)

// growthMost is what a small heap may grow by before it is collected, whatever the
// percentage is, in bytes: a mutant that hoards may be far above what lived when the
// percentage was set.
const growthMost = 2 * heapRoom

// heap sets the percentage at which the collector runs, after each collection, and
// says when the heap of a mutant has grown out of bounds. It works through a finalizer:
// its own goroutine would keep the runtime from telling that all goroutines are
// asleep.
type heap struct {
	seen    []metrics.Sample // as measured names them
	percent int
	least   int   // percentage, however much lives
	begins  int   // collections until the percentage is set
	limit   int64 // on the memory of the process as far as it is the runtime's; 0 leaves it alone
	set     int64 // the limit that holds now

	bound    uint64        // what mutants may have beyond twice the original's
	garbage  uint64        // what they may allocate
	original atomic.Uint64 // the most that was seen to live while no mutant ran
	mutant   atomic.Bool   // one runs
	before   bool          // one ran when the collector ran last
}

// LimitHeap has the collector keep the process below a limit in bytes, if it is
// positive. What the user has set in the environment stays.
func LimitHeap(limit int64) {
	if limit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit / 8 * limitPart)
	}
}

// TendHeap has the collector keep the process small, unless the user has said in the
// environment when it is to run. Mutants are bounded by mutantHeap, or by a quarter of
// the limit on the process's memory, if there is one.
func (x *Executor) TendHeap(limit int64) { x.ration.heap = tendHeap(newHeap(limit)) }

// TendTestHeap has the collector run less often in a process that runs tests, unless the user has
// said in the environment when it is to run. One that is brief is gone before its heap has paid
// for the page faults, unless the collector has run some times.
func TendTestHeap(brief bool) {
	h := newHeap(0)
	h.least = gcPercentTests
	if brief {
		h.begins = briefCollections
	}
	tendHeap(h)
}

// briefCollections is how often the collector runs before a brief process is no longer thought
// to be one: its heap is then some times as large as in the beginning.
const briefCollections = 8

func tendHeap(h *heap) *heap {
	switch {
	case os.Getenv("GOGC") != "":
		h.percent = 0
	case h.begins > 0:
		h.percent = gcPercentGo
	default:
		debug.SetGCPercent(h.percent)
	}
	live, besides := h.measure()
	h.original.Store(live) // what package initialization has left
	h.restrict(live, besides)
	runtime.SetFinalizer(&collection{h}, (*collection).over)
	return h
}

func newHeap(limit int64) *heap {
	h := &heap{percent: gcPercentMost, least: gcPercentLeast, bound: mutantHeap, garbage: mutantGarbage}
	for _, name := range measured {
		h.seen = append(h.seen, metrics.Sample{Name: name})
	}
	if limit > 0 {
		h.bound = min(h.bound, uint64(limit)/4)
		if os.Getenv("GOMEMLIMIT") == "" {
			h.limit = limit / 8 * limitPart
		}
	}
	return h
}

// collection is garbage, so that the heap hears of the next collection.
type collection struct{ h *heap }

func (c *collection) over() {
	c.h.collected()
	runtime.SetFinalizer(c, (*collection).over)
}

// measured are the metrics that a heap reads: what lives, all that the runtime has
// mapped, and of this the parts that are heap.
var measured = []string{
	"/gc/heap/live:bytes",
	"/memory/classes/total:bytes",
	"/memory/classes/heap/free:bytes",
	"/memory/classes/heap/objects:bytes",
	"/memory/classes/heap/released:bytes",
	"/memory/classes/heap/unused:bytes",
}

// measure returns the bytes that live in the heap, and what else the runtime has.
func (h *heap) measure() (live, besides uint64) {
	metrics.Read(h.seen)
	besides = h.seen[1].Value.Uint64()
	for _, part := range h.seen[2:] {
		besides -= min(besides, part.Value.Uint64())
	}
	return h.seen[0].Value.Uint64(), besides
}

// restrict has the collector run before the heap has grown by growthMost, or by the
// least percentage if that is more.
func (h *heap) restrict(live, besides uint64) {
	if h.limit == 0 {
		return
	}
	limit := min(h.limit, int64(besides+live+max(growthMost, live*gcPercentLeast/100)))
	if max(limit-h.set, h.set-limit) > growthMost/gcPercentStep {
		h.set = limit
		debug.SetMemoryLimit(limit)
	}
}

// collected is called after each collection.
func (h *heap) collected() {
	live, besides := h.measure()
	h.restrict(live, besides)
	if h.begins--; h.begins > 0 {
		return
	}
	if percent := gcPercentFor(live, h.least); h.percent > 0 && max(percent-h.percent, h.percent-percent) > h.percent/gcPercentStep {
		h.percent = percent
		debug.SetGCPercent(percent)
	}
	// What lives may be what a mutant has left, unless none ran the last time either.
	ran := h.mutant.Load()
	if !ran && !h.before {
		h.original.Store(max(h.original.Load(), live))
	}
	h.before = ran
}

// gcPercentFor returns the percentage for a heap in which that number of bytes live, which is not
// less than least.
func gcPercentFor(live uint64, least int) int {
	return int(min(max(100*heapRoom/max(live, 1), uint64(least)), gcPercentMost))
}
