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
	e *Engine
	n uint64 // draws so far

	cost, length int64 // of the median entry
}

const (
	parentsPerRound = 48
	roundMost       = 8192
	roundLeast      = 64
	// roundFuel is what a round should burn: a few hundredths of a second, so
	// that the status is fresh and Ctrl-C is heard.
	roundFuel = 20_000_000
	// inputFuel is what an execution costs besides the fuel it burns.
	inputFuel = 300
	// An input is slow at so many times the cost of the median entry, and cut off
	// at so many times.
	slowFactor  = 8
	limitFactor = 500
	limitLeast  = 300_000
	// thriftMost bounds what an entry gains by being cheap or short: such entries
	// must not crowd out all others.
	thriftMost = 16
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
	s.measure()
	req.Slow = s.cost * slowFactor
	req.Limit = max(s.cost*limitFactor, limitLeast)
	sums := make([]uint64, len(e.entries))
	total := uint64(0)
	for i, en := range e.entries {
		total += s.energy(en)
		sums[i] = total
	}
	if total == 0 {
		return req
	}
	weights := make(map[int]uint32)
	var order []int
	cost := int64(0)
	for range parentsPerRound {
		at := s.draw() % total
		i := sort.Search(len(sums), func(i int) bool { return sums[i] > at })
		if weights[i] == 0 {
			order = append(order, i)
			e.entries[i].chosen++
		}
		weights[i]++
		cost += e.entries[i].Cost
	}
	for _, i := range order {
		req.Parents = append(req.Parents, wire.Parent{ID: e.entries[i].ID, Weight: weights[i]})
	}
	req.Execs = min(max(roundFuel/(cost/parentsPerRound+inputFuel), roundLeast), roundMost)
	return req
}

// energy weighs an entry by its yield: features that few others have, living
// mutants that it infects (nearest to a kill), kills; against cost, size, and
// the rounds it has already had.
func (s *scheduler) energy(en *Entry) uint64 {
	if en.dropped {
		return 0
	}
	rare := 0.0
	for _, f := range en.Features {
		n := float64(s.e.features[f])
		rare += 1 / (n * n)
	}
	w := 1 + 4*rare + float64(min(en.Kills, 10))
	if en.Infects > 0 {
		w += 1
	}
	w *= 1 + 8/float64(1+en.chosen)
	// Time is what a run is short of, and the children of an entry that takes long
	// take longer yet. By the square of the cost more is executed, covered and
	// killed in the same time than by the cost itself.
	cheap := float64(s.cost) / float64(en.Cost+inputFuel)
	short := float64(s.length) / float64(len(en.Input)+16)
	w *= min(cheap*cheap, thriftMost) * math.Sqrt(min(short, thriftMost))
	return uint64(w*1000) + 1
}

// measure takes the medians that costs and lengths are compared with. Means would
// follow the very outliers that they are to keep down.
func (s *scheduler) measure() {
	var costs, lengths []int64
	for _, en := range s.e.entries {
		costs = append(costs, en.Cost+inputFuel)
		lengths = append(lengths, int64(len(en.Input))+16)
	}
	s.cost, s.length = medianOf(costs), medianOf(lengths)
}

func medianOf(list []int64) int64 {
	if len(list) == 0 {
		return 1
	}
	slices.Sort(list)
	return list[len(list)/2]
}
