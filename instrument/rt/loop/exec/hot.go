package exec

import (
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
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
	return Give(part)
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
		list := frames(x.run.own(stack), x.prefixes)
		if len(list) == 0 {
			continue
		}
		if count[list[0]]++; best == nil || count[list[0]] > count[best[0]] {
			best = list
		}
	}
	return best
}

// Allocates runs the original, and returns the frames, innermost first, of where most bytes
// were allocated: those of one stack at the line of most bytes. They are nil if none of the
// user's code is on the stacks.
func (x *Executor) Allocates(vals []any, fuel int64) []string {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1 // each allocation
	before := heapProfile()
	x.do(vals, 0, fuel)
	bytes, lines := make(map[string]int64), make(map[string][]string)
	for stack, n := range heapProfile() {
		if n <= before[stack] {
			continue // to find the frames takes longest, and most stacks are of earlier calls
		}
		list := frames(x.run.own(trimmed(stack[:])), x.prefixes)
		if len(list) == 0 {
			continue
		}
		bytes[list[0]] += n - before[stack]
		if have := lines[list[0]]; have == nil || slices.Compare(list, have) < 0 {
			lines[list[0]] = list
		}
	}
	var best string
	for line, n := range bytes {
		if n > bytes[best] || n == bytes[best] && line < best {
			best = line
		}
	}
	return lines[best]
}

// heapProfile returns the bytes that were allocated up to now, by stack. What a collection of
// garbage has not seen twice is not in the profile of the runtime.
func heapProfile() map[[32]uintptr]int64 {
	runtime.GC()
	runtime.GC()
	n, _ := runtime.MemProfile(nil, true)
	for {
		records := make([]runtime.MemProfileRecord, n+64)
		var ok bool
		if n, ok = runtime.MemProfile(records, true); !ok {
			continue
		}
		bytes := make(map[[32]uintptr]int64, n)
		for _, r := range records[:n] {
			bytes[r.Stack0] += r.AllocBytes
		}
		return bytes
	}
}

// trimmed is a stack without the zeros after it.
func trimmed(stack []uintptr) []uintptr {
	if i := slices.Index(stack, 0); i >= 0 {
		return stack[:i]
	}
	return stack
}

// Allocated are the bytes that the process has allocated so far, as Allocs reads them.
func (x *Executor) Allocated() int64 {
	return int64(x.allocs.Read())
}

// Allocs reads how many bytes the process has allocated so far. Those of small objects are
// counted a span at a time, of some kilobytes, since all else stops the world.
type Allocs struct {
	mu      sync.Mutex // a target may run several goroutines
	samples []metrics.Sample
}

// Read takes about a microsecond.
func (a *Allocs) Read() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.samples == nil {
		a.samples = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	}
	metrics.Read(a.samples)
	return a.samples[0].Value.Uint64()
}

// Priced is Original, and measures the bytes that the execution allocates, to some kilobytes.
func (x *Executor) Priced(vals []any, fuel int64) (ex Execution, bytes int64) {
	return x.PricedWith(vals, 0, fuel)
}

// PricedWith is Priced with a mutant; 0: the original.
func (x *Executor) PricedWith(vals []any, mutant uint32, fuel int64) (ex Execution, bytes int64) {
	if mutant != 0 {
		slow := x.slow[x.FuncOf(mutant)]
		*slow = true
		defer func() { *slow = false }()
	}
	before := x.Allocated()
	ex = x.do(vals, mutant, fuel)
	return ex, x.Allocated() - before
}
