package loop

import (
	"sort"

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

// One find counts for no more than so many new features, or new infections:
// what matters is how often something is found.
const yieldMost = 4

func (r *round) add(e entry, weight uint64) {
	r.total += max(weight, 1)
	e.weight = r.total
	r.parents = append(r.parents, e)
}

// choose draws a parent by weight.
func (r *round) choose() int {
	at := r.rng.Uint64() % r.total
	return sort.Search(len(r.parents), func(i int) bool { return r.parents[i].weight > at })
}

// turn runs one input: one that studying an entry or the search for infections has led
// to, or else a child of some parent, and books what that costs and brings.
func (r *round) turn() error {
	r.inputs++
	if !r.values.breeds() || r.values.mixed {
		if ran, err := r.study(); ran || err != nil {
			return err
		}
		if ran, err := r.chase(); ran || err != nil {
			return err
		}
	}
	if ran, err := r.judge(); ran || err != nil {
		return err
	}
	at := r.choose()
	spent := r.x.spent
	r.brought = 0
	err := r.step(r.parents[at].vals)
	p := &r.parents[at]
	spent = r.x.spent - spent
	p.fuel += spent
	r.thrift = min(r.thrift+spent/shrinkShare, shrinkSaved)
	p.brought += r.brought
	return err
}

// yields lists what the round's parents that the coordinator knows brought.
func (r *round) yields() []wire.Yield {
	var list []wire.Yield
	for _, p := range r.parents {
		if p.id != noID && p.fuel > 0 {
			list = append(list, wire.Yield{ID: p.id, Fuel: p.fuel, Brought: p.brought})
		}
	}
	return list
}
