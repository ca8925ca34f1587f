package fuzzing

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Parents are drawn by weight, one without any as if it had a little, and answer for what
// they were given.
func TestParents(t *testing.T) {
	var p parents
	p.add(entry{id: 7}, 6)
	p.add(entry{id: 8}, 0)
	p.add(entry{id: noID}, 3)
	if got := p.average(); got != 3 {
		t.Errorf("the average weight is %d", got)
	}
	rng := havoc.NewRand(1)
	var drawn [3]int
	for range 10_000 {
		drawn[p.choose(rng)]++
	}
	for i, want := range []int{6000, 1000, 3000} {
		if d := drawn[i] - want; d < -300 || d > 300 {
			t.Errorf("parent %d is drawn %d times of 10,000, not about %d", i, drawn[i], want)
		}
	}
	p.book(0, 100, 2)
	p.book(0, 50, 0)
	p.book(2, 10, 1) // nobody else knows it
	if got, want := p.yields(), []wire.Yield{{ID: 7, Fuel: 150, Brought: 2}}; !slices.Equal(got, want) {
		t.Errorf("yields %+v, want %+v", got, want)
	}
}
