package engine

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestDiscardsAreAddedUp(t *testing.T) {
	e := New(Config{Program: &instrument.Program{}, Worker: worker.Config{}})
	e.addStats(wire.Stats{Bred: 100, Discards: []wire.Discarding{{Place: "b.go:1", Inputs: 3}, {Place: "a.go:2", Inputs: 1}}})
	e.addStats(wire.Stats{Bred: 10, Discards: []wire.Discarding{{Place: "a.go:2", Inputs: 2}, {Place: "c.go:9", Inputs: 7}}})
	d := e.Discards()
	want := []wire.Discarding{{Place: "c.go:9", Inputs: 7}, {Place: "a.go:2", Inputs: 3}, {Place: "b.go:1", Inputs: 3}}
	if d.Bred != 110 || d.Discarded() != 13 || !slices.Equal(d.Places, want) {
		t.Errorf("got %+v", d)
	}
}

// Inputs that pass come before those that are discarded.
func TestDiscardsAreParentsLessOften(t *testing.T) {
	e := New(Config{Program: &instrument.Program{Blocks: make([]instrument.Block, 2)}, Worker: worker.Config{}})
	passes := e.add([]byte("a"), wire.Features{0}, 100, false)
	discard := e.add([]byte("b"), wire.Features{8}, 100, false)
	discard.discard = true
	s := newScheduler(e)
	s.weigh()
	if p, d := s.energy(passes), s.energy(discard); d == 0 || p < 10*d {
		t.Errorf("energies %d and %d", p, d)
	}
}
