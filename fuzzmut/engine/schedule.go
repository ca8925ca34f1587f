package engine

import (
	"math"
	"slices"
	"sort"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// scheduler plans rounds: which entries are parents, and how many executions a
// round gets. It looks at counts only, never at a clock.
type scheduler struct {
	e      *Engine
	n      uint64 // draws so far
	rounds int

	weights []uint64 // energy by entry, as of its last change
	sums    []uint64 // running, over weights

	// What entries are compared with, as of the last measurement.
	measured     int // entries then
	next         int // round of the next
	cost, length int64
	perFind      float64 // fuel of all children, by what they brought
	scratch      []int64

	fuel, brought int64 // of all children
}

const (
	parentsPerRound = 48
	roundMost       = 8192
	roundLeast      = 64
	// roundFuel is what a round should burn: a few hundredths of a second, so
	// that the status is fresh and Ctrl-C is heard.
	roundFuel = 20_000_000
	// inputFuel is what an execution costs besides the fuel it burns, and
	// inputBytes what an input costs besides its bytes.
	inputFuel  = 300
	inputBytes = 16
	// An input is slow at so many times the cost of the median entry, and cut off
	// at so many times.
	slowFactor  = 8
	limitFactor = 500
	limitLeast  = 300_000
	// thriftMost bounds what an entry gains by being cheap or short: such entries
	// must not crowd out all others.
	thriftMost = 16
	// redundantShare divides the energy of entries that own nothing.
	redundantShare = 32
	// yieldPrior is how much an average parent has brought before anything is
	// known of it, and yieldMost bounds what a good or bad one is set apart.
	yieldPrior = 2
	yieldMost  = 4
	// measureRounds are between two measurements, and one more for so many
	// entries: looking at all of them must not cost more than it is worth.
	measureRounds  = 16
	measureEntries = 100
)

func newScheduler(e *Engine) *scheduler { return &scheduler{e: e} }

func (s *scheduler) draw() uint64 {
	s.n++
	return splitmix(s.e.cfg.Seed^0x5eed, s.n)
}

// round plans a round. The caller holds the engine's lock.
func (s *scheduler) round() *wire.Fuzz {
	e := s.e
	req := &wire.Fuzz{Execs: 1024}
	s.weigh()
	s.rounds++
	req.Slow = s.cost * slowFactor
	req.Limit = max(s.cost*limitFactor, limitLeast)
	total := uint64(0)
	for i, w := range s.weights {
		total += w
		s.sums[i] = total
	}
	if total == 0 {
		return req
	}
	weights := make(map[int]uint32)
	var order []int
	cost := int64(0)
	for range parentsPerRound {
		at := s.draw() % total
		i := sort.Search(len(s.sums), func(i int) bool { return s.sums[i] > at })
		en := e.entries[i]
		if weights[i] == 0 {
			order = append(order, i)
			en.chosen++
			e.touch(en)
		}
		weights[i]++
		cost += en.Cost
	}
	for _, i := range order {
		req.Parents = append(req.Parents, wire.Parent{ID: e.entries[i].ID, Weight: weights[i]})
	}
	req.Execs = min(max(roundFuel/(cost/parentsPerRound+inputFuel), roundLeast), roundMost)
	return req
}

// weigh brings the energies up to date: of the entries that have changed, and
// now and then, when what they are compared with has moved, of all.
func (s *scheduler) weigh() {
	entries := s.e.entries
	for i := len(s.weights); i < len(entries); i++ {
		s.weights = append(s.weights, 0)
		s.sums = append(s.sums, 0)
	}
	changed := s.e.touched
	if s.rounds >= s.next || len(entries) > s.measured+s.measured/4 {
		s.measure()
		s.measured, s.next = len(entries), s.rounds+measureRounds+len(entries)/measureEntries
		changed = entries
	}
	for _, en := range changed {
		s.weights[en.ID] = s.energy(en)
	}
	for _, en := range s.e.touched {
		en.touched = false
	}
	s.e.touched = s.e.touched[:0]
}

// yields takes in what the children of the parents of a round brought. The caller
// holds the engine's lock.
func (s *scheduler) yields(list []wire.Yield) {
	for _, y := range list {
		en := s.e.entries[y.ID]
		en.fuel += y.Fuel
		en.brought += y.Brought
		s.fuel += y.Fuel
		s.brought += y.Brought
		s.e.touch(en)
	}
}

// energy weighs an entry by what it is there for: features that few others have,
// living mutants that it infects (nearest to a kill), kills; by what its children
// brought; against cost, size, and the rounds it has already had.
func (s *scheduler) energy(en *Entry) uint64 {
	if en.dropped {
		return 0
	}
	w := 1 + 4*float64(en.rare)/rareUnit + float64(min(en.Kills, 10))
	if en.nearest > 0 {
		w += 1
	}
	w *= 1 + 8/float64(1+en.chosen)
	w *= s.yield(en)
	// Time is what a run is short of, and the children of an entry that takes long
	// take longer yet. By the square of the cost more is executed, covered and
	// killed in the same time than by the cost itself.
	cheap := float64(s.cost) / float64(en.Cost+inputFuel)
	short := float64(s.length) / float64(len(en.Input)+inputBytes)
	w *= min(cheap*cheap, thriftMost) * math.Sqrt(min(short, thriftMost))
	if en.redundant() {
		w /= redundantShare
	}
	if en.discard {
		w /= discardShare
	}
	return uint64(w*1000) + 1
}

// yield compares what an entry's children brought with what those of an average
// entry would have, for the same fuel.
func (s *scheduler) yield(en *Entry) float64 {
	want := float64(en.fuel) / s.perFind
	y := (float64(en.brought) + yieldPrior) / (want + yieldPrior)
	return min(max(y, 1.0/yieldMost), yieldMost)
}

// measure takes the medians that costs and lengths are compared with. Means would
// follow the very outliers that they are to keep down.
func (s *scheduler) measure() {
	s.cost = s.median(func(en *Entry) int64 { return en.Cost + inputFuel })
	s.length = s.median(func(en *Entry) int64 { return int64(len(en.Input)) + inputBytes })
	s.perFind = float64(s.fuel+1) / float64(s.brought+1)
}

func (s *scheduler) median(of func(*Entry) int64) int64 {
	list := s.scratch[:0]
	for _, en := range s.e.entries {
		list = append(list, of(en))
	}
	s.scratch = list
	if len(list) == 0 {
		return 1
	}
	slices.Sort(list)
	return list[len(list)/2]
}
