package exec

import (
	"fmt"
	"runtime"
	"runtime/metrics"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// A mutant that hoards in a loop without end takes gigabytes before it is out of fuel.
// It gets its fuel in rations, and where one is gone its heap is looked at: whether it
// is ended depends on its fuel and on what lives then. The collector's timing has a say in
// one thing only: what the original is known to need, twice that is allowed. So where exactly
// a mutant is ended is chance, and it is counted as one that has burned all of its fuel.
//
// One that makes garbage in such a loop, as text that is put together again in each turn,
// takes seconds for fuel that is else some milliseconds. It is ended likewise, for the bytes
// that it has allocated. In these the collector has no say.
//
// One that calls itself without end, in large frames, fills the stack before it is out of fuel, and
// that ends the process. It is ended for its stack before, unless the original's is as large.

const (
	// rationFuel is what a mutant burns before its heap is looked at. The look costs
	// some nanoseconds, and a slice can double many times in a few thousand units.
	rationFuel = 256
	// rationFuelSlow is that where the size of the heap can be had from the metrics
	// alone, which costs microseconds.
	rationFuelSlow = 128 << 10
	// garbageFirst and garbageLooks are the looks at the heap after which the bytes allocated
	// are read, which takes a microsecond and more: at each power of two between them, and then
	// at each multiple of the last.
	garbageFirst = 4
	garbageLooks = 64
	// mutantStack is the stack that a mutant may have, in bytes, where the original has no larger one: half of
	// what the worker allows.
	mutantStack = 32 << 20
)

// ration hands out the fuel of a mutant.
type ration struct {
	heap    *heap  // nil gives all fuel at once
	off     bool   // so does this
	left    int64  // fuel that was not handed out
	trigger uint64 // size of the heap above which what lives is counted
	hoards  bool   // the heap is out of bounds: there is no more
	churns  bool   // what was allocated is: likewise
	deep    bool   // its stack is: likewise
	weighs  bool   // it is the original's, which may allocate a part of what a mutant may

	looks   int    // at the heap
	base    uint64 // bytes that the process had allocated when they were read first; 0: they were not
	objects []metrics.Sample
	allocs  Allocs
}

// begin hands out the first ration, and returns it.
func (r *ration) begin(fuel int64) int64 {
	r.left, r.hoards, r.churns, r.deep, r.looks, r.base = 0, false, false, false, 0, 0
	if r.heap == nil {
		return fuel
	}
	r.heap.mutant.Store(true)
	if r.off {
		return fuel
	}
	r.trigger = r.heap.most()
	part := min(fuel, r.portion())
	r.left = fuel - part
	return part
}

// portion returns the fuel of one ration.
func (r *ration) portion() int64 {
	if fuzzmutrt.HeapSize == nil {
		return rationFuelSlow
	}
	return rationFuel
}

// enter is called where the fuel is out. It reports whether there was more.
func (r *ration) enter() bool {
	if r.left <= 0 || r.hoards {
		return false
	}
	r.deep = fuzzmutrt.StackSize != nil && fuzzmutrt.StackSize() > mutantStack
	if r.churns = !r.deep && r.makesGarbage(); r.churns || r.deep {
		r.hoards = true
		return false
	}
	if r.heapSize() > r.trigger {
		live := liveNow()
		if r.hoards = live > r.heap.most(); r.hoards {
			return false
		}
		r.trigger = max(r.trigger, live+r.heap.bound/2) // the rest was garbage
	}
	owed := max(0, -1-fuzzmutrt.Fuel) // a call may burn much at once
	part := min(r.left, r.portion()+owed)
	r.left -= part
	return Give(part)
}

// end follows begin once the execution has ended, and returns the fuel that was not
// handed out.
func (r *ration) end() (left int64) {
	if r.heap != nil {
		r.heap.mutant.Store(false)
	}
	left, r.left = r.left, 0
	return left
}

// makesGarbage reports whether more was allocated than may be. What is allocated before the
// bytes are read first does not count: most executions end sooner.
func (r *ration) makesGarbage() bool {
	r.looks++
	power := r.looks&(r.looks-1) == 0 && r.looks >= garbageFirst
	if fuzzmutrt.HeapSize != nil && !power && r.looks%garbageLooks != 0 {
		return false
	}
	bytes := r.allocs.Read()
	if r.base == 0 {
		r.base = bytes
	}
	return bytes-r.base > r.garbageMost()
}

// garbageMost returns the bytes that may be allocated.
func (r *ration) garbageMost() uint64 {
	if r.weighs {
		return r.heap.garbage / garbageTimes
	}
	return r.heap.garbage
}

// text says why there is no more for a mutant that hoards.
func (r *ration) text() string {
	switch {
	case r.deep:
		return fmt.Sprintf("its stack grew beyond %d MiB, and the original's does not", mutantStack>>20)
	case r.churns:
		return fmt.Sprintf("it allocated more than %d MiB, at least %d times what the original does", r.heap.garbage>>20, garbageTimes)
	}
	return fmt.Sprintf("its heap grew %d MiB beyond twice the original's", r.heap.bound>>20)
}

// heapSize returns the bytes in the heap that live, or did when the collector ran last.
func (r *ration) heapSize() uint64 {
	if fuzzmutrt.HeapSize != nil {
		return fuzzmutrt.HeapSize()
	}
	if r.objects == nil {
		r.objects = []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	}
	metrics.Read(r.objects)
	return r.objects[0].Value.Uint64()
}

// liveNow collects garbage, and returns the bytes that live.
func liveNow() uint64 {
	runtime.GC()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}

// most returns the bytes that may live while a mutant runs.
func (h *heap) most() uint64 { return 2*h.original.Load() + h.bound }
