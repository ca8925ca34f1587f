package tests

import (
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// simulated is a heap whose size is as the test says.
type simulated struct {
	size  uint64
	grows uint64 // from look to look
}

func (h *simulated) install(t *testing.T) {
	before := fuzzmutrt.HeapSize
	fuzzmutrt.HeapSize = func() uint64 { h.size += h.grows; return h.size }
	t.Cleanup(func() { fuzzmutrt.HeapSize = before })
}

// burn burns all the fuel that a ration hands out, and returns how much that was.
func burn(r *ration, a allowance, part func()) (all int64) {
	for fuzzmutrt.Fuel = r.begin(a); ; {
		part()
		all += fuzzmutrt.Fuel + 1
		if fuzzmutrt.Fuel = -1; !r.enter() {
			return all
		}
	}
}

func TestAllFuelIsHandedOut(t *testing.T) {
	heap := &simulated{size: 1 << 20}
	heap.install(t)
	for _, bytes := range []int64{0, 1 << 40} {
		r := &ration{}
		if got := burn(r, allowance{fuel: 1000, bytes: bytes}, func() {}); got != 1001 {
			t.Errorf("%d bytes: %d units", bytes, got)
		}
		if left, churns := r.end(); left != 0 || churns {
			t.Errorf("%d bytes: %d left, %v", bytes, left, churns)
		}
	}
}

// One call may burn more than a part, as that of Exp does. It is out of fuel where all of it is gone.
func TestMuchFuelAtOnce(t *testing.T) {
	(&simulated{}).install(t)
	for _, c := range []struct {
		name  string
		units int64
		more  bool
	}{
		{"more than a part", 100 * partFuel, true},
		{"all but a unit", 999_999, true},
		{"all", 1_000_000, true},
		{"more than all", 1_000_001, false},
	} {
		r := &ration{}
		fuzzmutrt.Fuel = r.begin(allowance{fuel: 1_000_000, bytes: 1 << 40}) - c.units
		if more := fuzzmutrt.Fuel >= 0 || r.enter(); more != c.more {
			t.Errorf("%s: %v", c.name, more)
		}
		if left, _ := r.end(); c.more && left+fuzzmutrt.Fuel != 1_000_000-c.units {
			t.Errorf("%s: %d left", c.name, left+fuzzmutrt.Fuel)
		}
	}
}

// What is left when a run ends is not burned.
func TestFuelThatIsLeft(t *testing.T) {
	(&simulated{}).install(t)
	r := &ration{}
	part := r.begin(allowance{fuel: 1000, bytes: 1 << 40})
	if left, _ := r.end(); left+part != 1000 || part != partFuel {
		t.Errorf("%d left, %d handed out", left, part)
	}
}

// Where the heap grows fast, the bytes are read often: a run ends after few units.
func TestWhatGrowsFastEndsSoon(t *testing.T) {
	heap := &simulated{}
	heap.install(t)
	r := &ration{}
	chunk := 1 << 10
	got := burn(r, allowance{fuel: 1 << 30, bytes: 8 << 20}, func() {
		sink = make([]byte, chunk)
		heap.size += uint64(chunk)
		chunk *= 2
	})
	if _, churns := r.end(); !churns || got > 20*partFuel {
		t.Errorf("%v after %d units", churns, got)
	}
}

// A collection hides what was allocated from the size of the heap. The bytes are read all the
// same.
func TestWhatIsCollectedCounts(t *testing.T) {
	heap := &simulated{size: 1 << 30}
	heap.install(t)
	r := &ration{}
	burn(r, allowance{fuel: 100 * partFuel, bytes: 8 << 20}, func() {
		sink = make([]byte, 1<<20)
		heap.size--
	})
	if _, churns := r.end(); !churns || r.left > 0 {
		t.Errorf("%v, %d left", churns, r.left)
	}
}

// A run that ends by itself has allocated too much all the same, whenever the bytes were read.
func TestBytesAreReadInTheEnd(t *testing.T) {
	(&simulated{}).install(t)
	r := &ration{}
	r.begin(allowance{fuel: 1000, bytes: 8 << 20})
	sink = make([]byte, 16<<20)
	if _, churns := r.end(); !churns {
		t.Error("it may allocate 16 of 8 MiB")
	}
	r.begin(allowance{fuel: 1000, bytes: 8 << 20})
	if _, churns := r.end(); churns {
		t.Error("the next run has allocated something")
	}
	r.begin(allowance{fuel: 1000})
	sink = make([]byte, 16<<20)
	if _, churns := r.end(); churns {
		t.Error("the original is bounded")
	}
}
