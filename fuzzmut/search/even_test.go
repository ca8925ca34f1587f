package search

import (
	"math/rand/v2"
	"testing"
)

func TestBlockSetsHaveWhatWasPutIn(t *testing.T) {
	var b blockSet
	for _, i := range []int{0, 63, 64, 300, mostNoted - 1, mostNoted} {
		b = b.with(i)
	}
	for _, c := range []struct {
		block int
		want  bool
	}{{0, true}, {1, false}, {63, true}, {64, true}, {65, false}, {300, true}, {301, false}, {mostNoted - 1, true}, {mostNoted, false}, {1 << 20, false}} {
		if got := b.has(c.block); got != c.want {
			t.Errorf("has block %d: %v, want %v", c.block, got, c.want)
		}
	}
	if want := mostNoted / 64; len(b) != want {
		t.Errorf("a set has %d words, want %d", len(b), want)
	}
}

// mixOf is a mix with ways through some blocks.
func mixOf(ways, blocks int, runs func(way, block int) bool) *mix {
	s := newMix(base{r: rand.New(rand.NewPCG(1, 2))})
	for i := range blocks {
		s.block(i)
	}
	for i := range ways {
		s.hits = s.hits[:0]
		for b := range blocks {
			if runs(i, b) {
				s.hits = append(s.hits, hit{b, 1})
			}
		}
		w := &way{}
		s.order = append(s.order, w)
		s.through(w)
	}
	return s
}

func TestARareKindOfWayIsOftenLeft(t *testing.T) {
	const rare = 5 // of 1,000 ways run block 0
	s := mixOf(1000, 12, func(way, block int) bool {
		if block == 0 {
			return way < rare
		}
		return way>>(block-1)&1 == 1
	})
	drawn := 0
	const draws = 10000
	for range draws {
		few := s.evenly(s.order)
		if len(few) == 0 {
			t.Fatal("no way is left")
		}
		if few[s.r.IntN(len(few))].blocks.has(0) {
			drawn++
		}
	}
	// Drawn without regard to blocks, they would be 50.
	if drawn < 3*draws*rare/1000 || drawn > draws/2 {
		t.Errorf("ways of the rare kind were drawn %d times of %d, want a few hundred", drawn, draws)
	}
}

func TestWaysThatNoBlockDistinguishesAreAllLeft(t *testing.T) {
	s := mixOf(100, 3, func(int, int) bool { return true })
	if n := len(s.evenly(s.order)); n <= 4 {
		t.Errorf("%d ways are left, want as many as were drawn", n)
	}
	if n := len(s.evenly(s.order[:3])); n != 3 {
		t.Errorf("%d ways are left, want the 3 that were drawn", n)
	}
	// Where blocks are not counted, nothing distinguishes ways.
	s = mixOf(10, 0, nil)
	if n := len(s.evenly(s.order)); n != 10 {
		t.Errorf("without blocks, %d ways are left, want the 10 that were drawn", n)
	}
}
