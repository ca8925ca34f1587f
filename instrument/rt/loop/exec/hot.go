package exec

import (
	"runtime"
	"runtime/metrics"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// What takes the work of an execution is seen by a sample: the fuel is handed out in equal
// parts, and where one is gone the stack is taken. Unlike a sample by the clock it is the
// same in each run.

// hotMost bounds the samples of one execution.
const hotMost = 256

// hot hands out the fuel of an execution whose work is sampled.
type hot struct {
	left, part int64 // fuel that was not handed out, and how much is at a time
	stacks     [][]uintptr
}

// begin hands out the first part, and returns it.
func (h *hot) begin(fuel int64) int64 {
	part := min(h.part, fuel)
	h.left = fuel - part
	return part
}

// enter is called where the fuel is out. It reports whether there was more.
func (h *hot) enter() bool {
	if h.left <= 0 {
		return false
	}
	var pcs [maxStack]uintptr
	if len(h.stacks) < hotMost {
		h.stacks = append(h.stacks, pcs[:runtime.Callers(4, pcs[:])])
	}
	part := min(h.left, h.part)
	h.left -= part
	fuzzmutrt.Fuel += part
	return fuzzmutrt.Fuel >= 0
}

// Hot runs the original, whose fuel is known, and returns the frames, innermost
// first, of where most of the work was done: those of one sample at the line of most samples.
// They are nil if the work is too little to be sampled.
func (x *Executor) Hot(vals []any, burns int64) []string {
	h := &hot{part: max(burns/hotMost, 1)}
	x.hot = h
	x.do(vals, 0, burns+h.part)
	x.hot = nil
	count := make(map[string]int)
	var best []string
	for _, stack := range h.stacks {
		list := frames(stack, x.prefixes)
		if len(list) == 0 {
			continue
		}
		if count[list[0]]++; best == nil || count[list[0]] > count[best[0]] {
			best = list
		}
	}
	return best
}

// allocated are the bytes that the process has allocated so far, as Allocs reads them.
func (x *Executor) allocated() int64 {
	return int64(x.allocs.Read())
}

// Allocs reads how many bytes the process has allocated so far. Those of small objects are
// counted a span at a time, of some kilobytes, since all else stops the world.
type Allocs []metrics.Sample

// Read takes about a microsecond.
func (a *Allocs) Read() uint64 {
	if *a == nil {
		*a = Allocs{{Name: "/gc/heap/allocs:bytes"}}
	}
	metrics.Read(*a)
	return (*a)[0].Value.Uint64()
}

// Priced is Original, and measures the bytes that the execution allocates, to some kilobytes.
func (x *Executor) Priced(vals []any, fuel int64) (ex Execution, bytes int64) {
	before := x.allocated()
	ex = x.do(vals, 0, fuel)
	return ex, x.allocated() - before
}
