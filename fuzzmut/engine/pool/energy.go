package pool

import "math"

const (
	// inputFuel is the overhead of an execution, in fuel, and inputBytes that of an input,
	// in bytes.
	inputFuel  = 300
	inputBytes = 16
	// thriftMost bounds what an entry gains by being cheap or short: such entries
	// must not crowd out all others.
	thriftMost = 16
	// redundantShare divides the energy of entries that own nothing.
	redundantShare = 32
	// favouredShare multiplies the energy of an entry that is near to what the run is about.
	favouredShare = 8
	// discardShare divides the energy of an entry that is discarded: its children mostly
	// are, too. As long as all are, it makes no difference (FuzzChick, §3.3, has those that
	// pass come first).
	discardShare = 16
	// yieldPrior is how much an average parent has brought before anything is
	// known of it, and yieldMost bounds what a good or bad one is set apart.
	yieldPrior = 2
	yieldMost  = 4
)

// energy weighs an entry by what it is there for: features that few others have,
// live mutants that it infects (nearest to a kill), kills; by what its children
// brought; against cost, size, and the rounds it has already had.
func (s *Schedule) energy(m *member) uint64 {
	if m.dropped {
		return 0
	}
	w := 1 + 4*float64(m.rare)/rareUnit + float64(min(m.Kills, 10))
	if m.nearest > 0 {
		w += 1
	}
	w *= 1 + 8/float64(1+m.chosen)
	w *= s.yield(m)
	// Time is what a run is short of, and the children of an entry that takes long
	// take longer yet. By the square of the cost more is executed, covered and
	// killed in the same time than by the cost itself.
	cheap := float64(s.cost) / float64(m.Cost+inputFuel)
	short := float64(s.length) / float64(m.Input.Len()+inputBytes)
	w *= min(cheap*cheap, thriftMost) * math.Sqrt(min(short, thriftMost))
	switch {
	case m.favoured:
		w *= favouredShare
	case m.redundant():
		w /= redundantShare
	}
	if m.discarded {
		w /= discardShare
	}
	return uint64(w*1000) + 1
}

// yield compares what an entry's children brought with what those of an average
// entry would have, for the same fuel.
func (s *Schedule) yield(m *member) float64 {
	want := float64(m.fuel) / s.perFind
	y := (float64(m.brought) + yieldPrior) / (want + yieldPrior)
	return min(max(y, 1.0/yieldMost), yieldMost)
}
