package tests

import (
	"fmt"
	"sync"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// allowance is what one run of a test may use.
type allowance struct {
	fuel  int64
	bytes int64 // that it allocates; 0: no limit
}

// A mutant may allocate some times what the original does, and this much more. A loop
// without end that allocates takes seconds, or all of the memory, for fuel that is else a few
// milliseconds.
const (
	firstBytes = 64 << 20
	firstTimes = 10
	aloneBytes = 256 << 20
	aloneTimes = 100
)

// first is what a mutant may use in a test before it is looked at closer, alone what it may
// use at all.
func first(c *wire.TestCost) allowance {
	return allowance{fuel: exec.MutantFuel(c.Fuel), bytes: firstTimes*c.Bytes + firstBytes}
}

func alone(c *wire.TestCost) allowance {
	return allowance{fuel: max(10*first(c).fuel, c.LeastFuel), bytes: max(aloneTimes*c.Bytes+aloneBytes, c.LeastBytes)}
}

// text says that more was used.
func (a allowance) text(c *wire.TestCost, churns bool) string {
	if churns {
		return fmt.Sprintf("allocated more than %d MiB; the original allocated %d KiB", a.bytes>>20, c.Bytes>>10)
	}
	return fmt.Sprintf("used more than %d units of fuel; the original used %d", a.fuel, c.Fuel)
}

// ration hands out the fuel of a run in parts. Where one is gone, it looks at the heap, and
// where that has changed much, it reads what was allocated. That is read in the end as well, so
// that when it was read decides on nothing but the time that is lost. A test may have several
// goroutines.
type ration struct {
	mu     sync.Mutex
	left   int64 // fuel that was not handed out
	most   int64 // bytes; 0: no limit, and all fuel is handed out at once
	allocs exec.Allocs
	start  uint64 // bytes allocated before the run
	last   uint64 // size of the heap when it was looked at last
	rise   uint64 // by which it has grown since the bytes were read
	churns bool   // more was allocated than may be
}

const (
	// partFuel is the fuel of one part, and slowFuel that where the size of the heap can't be
	// had: the bytes are read each time.
	partFuel = 64
	slowFuel = 128 << 10
	// Where the heap has grown by steepBytes since the last look, or was collected, the next
	// part is steepFuel: what doubles in a few turns would have all of the memory before the
	// next look.
	steepFuel  = 4
	steepBytes = 128 << 10
	// riseBytes is what the heap grows by until the bytes are read.
	riseBytes = 1 << 20
)

// begin hands out the first part, and returns it.
func (r *ration) begin(a allowance) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.most, r.left, r.rise, r.churns = a.bytes, 0, 0, false
	if a.bytes == 0 {
		return a.fuel
	}
	r.start = r.allocs.Read()
	part := int64(slowFuel)
	if fuzzmutrt.HeapSize != nil {
		r.last, part = fuzzmutrt.HeapSize(), partFuel
	}
	part = min(a.fuel, part)
	r.left = a.fuel - part
	return part
}

// enter is called where the fuel is out. It reports whether there was more.
func (r *ration) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if fuzzmutrt.Fuel >= 0 {
		return true // another goroutine was here
	}
	if r.left <= 0 || r.churns {
		return false
	}
	part, changed := r.look()
	if r.churns = changed && r.exceeds(); r.churns {
		return false
	}
	owed := max(0, -1-fuzzmutrt.Fuel) // a call may burn much at once
	part = min(r.left, part+owed)
	r.left -= part
	return exec.Give(part)
}

// look looks at the size of the heap, which takes no time. It returns the fuel until the next
// look, and whether so much has changed that the bytes have to be read.
func (r *ration) look() (part int64, changed bool) {
	if fuzzmutrt.HeapSize == nil {
		return slowFuel, true
	}
	size, before := fuzzmutrt.HeapSize(), r.last
	r.last = size
	if size < before {
		return steepFuel, true // a collection
	}
	r.rise += size - before
	part = partFuel
	if size-before > steepBytes {
		part = steepFuel
	}
	return part, r.rise > riseBytes
}

// exceeds reads the bytes. It reports whether there are more than may be.
func (r *ration) exceeds() bool {
	r.rise = 0
	return int64(r.allocs.Read()-r.start) > r.most
}

// end returns the fuel that was not handed out, and whether too much was allocated.
func (r *ration) end() (left int64, churns bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	left, r.left = r.left, 0
	return left, r.most > 0 && (r.churns || r.exceeds())
}
