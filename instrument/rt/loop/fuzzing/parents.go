package fuzzing

import (
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// entry is a corpus entry as a round holds it.
type entry struct {
	id     int // noID: found in this round
	vals   []any
	weight uint64 // cumulative over the round's parents

	fuel    int64 // burned by its children, mutants and all
	brought int64 // by them
}

const noID = -1

// parents are the entries that a round breeds from.
type parents struct {
	list  []entry
	total uint64 // of the weights
}

func (p *parents) add(e entry, weight uint64) {
	p.total += max(weight, 1)
	e.weight = p.total
	p.list = append(p.list, e)
}

// average is the weight of the average parent, at least 1.
func (p *parents) average() uint64 { return max(p.total/uint64(len(p.list)), 1) }

// choose draws a parent by weight.
func (p *parents) choose(rng *havoc.Rand) int {
	at := rng.Uint64() % p.total
	lo, hi := 0, len(p.list)-1
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); p.list[mid].weight > at {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// book books what a child of a parent has burned and brought.
func (p *parents) book(at int, fuel, brought int64) {
	p.list[at].fuel += fuel
	p.list[at].brought += brought
}

// yields lists what the parents that the coordinator knows brought.
func (p *parents) yields() []wire.Yield {
	var list []wire.Yield
	for _, e := range p.list {
		if e.id != noID && e.fuel > 0 {
			list = append(list, wire.Yield{ID: e.id, Fuel: e.fuel, Brought: e.brought})
		}
	}
	return list
}
