package coverage

import (
	"slices"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestCoverageFeatures(t *testing.T) {
	a := &fuzzmutrt.Package{Path: "a", Counters: make([]uint8, 11)}
	b := &fuzzmutrt.Package{Path: "b", FirstCounter: 11, Counters: make([]uint8, 3)}
	c := New([]*fuzzmutrt.Package{a, b})

	a.Counters[0], a.Counters[10], b.Counters[2] = 1, 5, 200
	if got := c.Novel(); got != 3 {
		t.Errorf("novel = %d, want 3", got)
	}
	want := wire.Features{wire.FeatureOf(0, 0), wire.FeatureOf(10, 3), wire.FeatureOf(13, 7)}
	if got := c.Features(); !slices.Equal(got, want) {
		t.Errorf("features = %v, want %v", got, want)
	}
	if got := c.Fresh(); !slices.Equal(got, want) || !c.Has(want) || c.Has(wire.Features{wire.FeatureOf(10, 2)}) || c.Has(wire.Features{wire.FeatureOf(11, 3)}) {
		t.Errorf("fresh = %v, want %v", got, want)
	}
	other := New([]*fuzzmutrt.Package{a, b})
	if other.See(want[:2]); other.Novel() != 1 || !slices.Equal(other.Fresh(), want[2:]) {
		t.Errorf("having seen %v, %v are fresh", want[:2], other.Fresh())
	}
	path := c.Path()
	c.Merge()
	if got := c.Fresh(); len(got) != 0 || !c.Has(want) {
		t.Errorf("after merge %v are fresh", got)
	}
	if got := c.Novel(); got != 0 {
		t.Errorf("after merge novel = %d", got)
	}

	a.Counters[10] = 7 // same bucket as 5
	if c.Novel() != 0 || c.Path() != path {
		t.Error("a count in the same bucket is something new")
	}
	a.Counters[10] = 8
	if c.Novel() != 1 || c.Path() == path {
		t.Error("a count in another bucket is nothing new")
	}
	c.Clear()
	if len(c.Features()) != 0 {
		t.Error("clear leaves features")
	}
}

// Every count above zero has exactly one bucket, and buckets grow with counts.
func TestBuckets(t *testing.T) {
	if bucket[0] != 0 {
		t.Error("zero has a bucket")
	}
	for n := 1; n < 256; n++ {
		b := bucket[n]
		if b == 0 || b&(b-1) != 0 || b < bucket[n-1] {
			t.Errorf("bucket[%d] = %08b", n, b)
		}
	}
}

// In long arrays of counters, too, what was seen before is distinguished from
// what is new, whatever the counters were in the execution before.
func TestNovelInLongArrays(t *testing.T) {
	p := &fuzzmutrt.Package{Counters: make([]uint8, 2*strideLen+strideLen/2)}
	c := New([]*fuzzmutrt.Package{p})
	for i := range p.Counters {
		c.Clear()
		p.Counters[i] = 1
		for range 2 {
			if got := c.Novel(); got != 1 {
				t.Fatalf("counter %d: novel = %d before it is merged", i, got)
			}
		}
		c.Merge()
		for range 2 {
			if got := c.Novel(); got != 0 {
				t.Fatalf("counter %d: novel = %d after it was merged", i, got)
			}
		}
		p.Counters[i] = 2
		if got := c.Novel(); got != 1 {
			t.Errorf("counter %d: novel = %d with another count", i, got)
		}
	}
}

func TestTracedCounters(t *testing.T) {
	a := &fuzzmutrt.Package{Path: "a", Counters: make([]uint8, 4)}
	b := &fuzzmutrt.Package{Path: "b", FirstCounter: 4, Counters: make([]uint8, 2)}
	c := New([]*fuzzmutrt.Package{a, b})
	c.Trace([]uint32{1, 5, 99})
	ways := make(map[uint64]bool)
	for _, hit := range [][2]uint8{{0, 0}, {1, 0}, {0, 1}, {9, 3}} {
		a.Counters[1], b.Counters[1] = hit[0], hit[1]
		way := c.Traced()
		ways[way] = true
		a.Counters[0]++ // another one does not count, nor how often
		if hit[0] > 0 {
			a.Counters[1]++
		}
		if c.Traced() != way {
			t.Errorf("%v: another way", hit)
		}
	}
	if len(ways) != 4 {
		t.Errorf("%d ways of 4", len(ways))
	}
}
