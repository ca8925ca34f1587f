package exec

import (
	"cmp"
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// An input that takes more memory than the process may have is ended from outside, and no stack says where it asked for
// that. In a process that runs nothing else the heap is looked at while it grows, and the profile of the runtime says
// who asked for what lives in it.

const (
	// hoardRate is how many bytes lie between two allocations in the profile, on average: one of all small ones
	// would take more memory than they do.
	hoardRate = 16 << 10
	// hoardLook is the time between two looks at the size of the heap.
	hoardLook = time.Millisecond
)

// Holds runs the original on an input. Once as many bytes live in the heap as bound, it prints where most of them were
// asked for, after wire.HoardText and in the form of a traceback, and ends the process.
func (x *Executor) Holds(vals []any, fuel, bound int64) Execution {
	runtime.MemProfileRate = hoardRate
	before := x.held()
	done := make(chan bool)
	defer close(done)
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(hoardLook):
			}
			if heapBytes(heapObjects) < bound {
				continue
			}
			after := x.held() // collects garbage
			if heapBytes(heapLive) < bound {
				continue
			}
			print(wire.HoardText + traced(most(after, before)))
			os.Exit(wire.ExitHoard)
		}
	}()
	return x.Detailed(vals, fuel)
}

// What of the heap is looked at: what was not collected yet, and what lived when garbage was collected last.
const (
	heapObjects = "/memory/classes/heap/objects:bytes"
	heapLive    = "/gc/heap/live:bytes"
)

func heapBytes(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// holding is what lives of what a line has asked for.
type holding struct {
	bytes  float64
	frames []string // of the first of the stacks at this line, in their order
}

// held returns what lives, by the innermost line of the user's code.
func (x *Executor) held() map[string]*holding {
	lines := make(map[string]*holding)
	for _, r := range records() {
		list := frames(x.run.own(trimmed(r.Stack0[:])), x.prefixes)
		if len(list) == 0 || r.InUseObjects() == 0 {
			continue
		}
		h := lines[list[0]]
		if h == nil {
			h = &holding{frames: list}
			lines[list[0]] = h
		}
		h.bytes += sampledBytes(r.InUseBytes(), r.InUseObjects())
		if slices.Compare(list, h.frames) < 0 {
			h.frames = list
		}
	}
	return lines
}

// sampledBytes are the bytes that some objects of a profile stand for: the larger an object is, the more likely it is there.
func sampledBytes(bytes, objects int64) float64 {
	each := float64(bytes) / float64(objects)
	return float64(bytes) / (1 - math.Exp(-each/hoardRate))
}

// records is the profile. What a collection of garbage has not seen twice is not in it.
func records() []runtime.MemProfileRecord {
	runtime.GC()
	runtime.GC()
	n, _ := runtime.MemProfile(nil, false)
	for {
		list := make([]runtime.MemProfileRecord, n+64)
		var ok bool
		if n, ok = runtime.MemProfile(list, false); ok {
			return list[:n]
		}
	}
}

// most returns the frames of the line that holds most in addition; of equal ones those of the first by name.
func most(after, before map[string]*holding) (best []string) {
	more := math.Inf(-1)
	for line, h := range after {
		bytes := h.bytes
		if b := before[line]; b != nil {
			bytes -= b.bytes
		}
		if c := cmp.Compare(bytes, more); c > 0 || c == 0 && line < best[0] {
			more, best = bytes, h.frames
		}
	}
	return best
}

// traced writes frames as the runtime does.
func traced(frames []string) string {
	var b strings.Builder
	b.WriteString("\ngoroutine 1 [running]:\n")
	for _, f := range frames {
		function, place, _ := strings.Cut(f, " ")
		b.WriteString(function + "(...)\n\t" + place + "\n")
	}
	return b.String()
}
