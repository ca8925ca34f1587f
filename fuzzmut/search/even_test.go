package search

import (
	"math/rand/v2"
	"testing"
)

func TestWaysNoteBlocksBelowABound(t *testing.T) {
	s := newMix(base{r: rand.New(rand.NewPCG(1, 2))})
	s.hits = []hit{{0, 1}, {300, 1}, {mostNoted - 1, 1}, {mostNoted, 1}, {1 << 20, 1}}
	w := &way{}
	s.through(w)
	for b, want := range map[int]uint{0: 1, 1: 0, 63: 0, 64: 0, 300: 1, 301: 0, mostNoted - 1: 1, mostNoted: 0, 1 << 20: 0} {
		if got := w.blocks.Bit(b); got != want {
			t.Errorf("the way runs block %d: %d, want %d", b, got, want)
		}
	}
	if got := w.blocks.BitLen(); got != mostNoted {
		t.Errorf("the way notes %d blocks, want %d", got, mostNoted)
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
		if few[s.r.IntN(len(few))].blocks.Bit(0) == 1 {
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
