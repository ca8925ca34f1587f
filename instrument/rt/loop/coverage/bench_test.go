package coverage

import (
	"math/rand/v2"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// BenchmarkNovel reads 1,400 counters. 100 of them are hit, ten another number of times in each
// turn.
func BenchmarkNovel(b *testing.B) {
	p := &fuzzmutrt.Package{Counters: make([]uint8, 1400)}
	c := New([]*fuzzmutrt.Package{p})
	r := rand.New(rand.NewPCG(1, 2))
	var hot []int
	for i := range 100 {
		n := r.IntN(1400)
		p.Counters[n] = 1
		if i < 10 {
			hot = append(hot, n)
		}
	}
	for range 200 {
		for _, n := range hot {
			p.Counters[n] = uint8(1 + r.IntN(20))
		}
		c.Merge()
	}
	for b.Loop() {
		for _, n := range hot {
			p.Counters[n] = p.Counters[n]%20 + 1
		}
		c.Novel()
	}
}
