package pool

import (
	"slices"
	"sort"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Schedule plans the rounds of one stretch of fuzzing: which entries are parents, and
// how many executions a round gets. It looks at counts only, never at a clock. The
// pool's lock guards it.
type Schedule struct {
	p      *Pool
	seed   uint64
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

	offered int // members [0, offered) are assigned to some worker
}

const (
	parentsPerRound = 48
	roundMost       = 8192
	roundLeast      = 64
	// roundFuel is what a round should burn: a few hundredths of a second, so
	// that the status is fresh and Ctrl-C is heard.
	roundFuel = 20_000_000
	// An input is slow at slowFactor times the cost of the median entry, and cut off at
	// limitFactor times.
	slowFactor  = 8
	limitFactor = 500
	limitLeast  = 300_000
	// measureRounds are between two measurements, and one more for each measureEntries
	// entries: looking at all of them must not cost more than it is worth.
	measureRounds  = 16
	measureEntries = 100
)

// NewSchedule begins a stretch of fuzzing. Plans are a function of the seed and of the
// calls made.
func (p *Pool) NewSchedule(seed uint64) *Schedule { return &Schedule{p: p, seed: seed} }

// derive makes independent seeds from one.
func derive(seed, n uint64) uint64 { return havoc.Mix(seed + n*0x9e3779b97f4a7c15) }

func (s *Schedule) draw() uint64 {
	s.n++
	return derive(s.seed^0x5eed, s.n)
}

// Round plans a round: its seed, parents, executions and bounds of fuel.
func (s *Schedule) Round() *wire.Fuzz {
	p := s.p
	p.mu.Lock()
	defer p.mu.Unlock()
	s.weigh()
	s.rounds++
	req := &wire.Fuzz{
		Execs: 1024, Seed: derive(s.seed, uint64(s.rounds)),
		Slow: s.cost * slowFactor, Limit: max(s.cost*limitFactor, limitLeast),
	}
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
		m := p.members[i]
		if weights[i] == 0 {
			order = append(order, i)
			m.chosen++
			p.touch(m)
		}
		weights[i]++
		cost += m.Cost
	}
	for _, i := range order {
		req.Parents = append(req.Parents, wire.Parent{ID: p.members[i].ID, Weight: weights[i]})
	}
	req.Execs = min(max(roundFuel/(cost/parentsPerRound+inputFuel), roundLeast), roundMost)
	return req
}

// weigh brings the energies up to date: of the entries that have changed, and
// sometimes, when what they are compared with has moved, of all. The caller holds
// the lock.
func (s *Schedule) weigh() {
	members := s.p.members
	for i := len(s.weights); i < len(members); i++ {
		s.weights = append(s.weights, 0)
		s.sums = append(s.sums, 0)
	}
	changed := s.p.touched
	if s.rounds >= s.next || len(members) > s.measured+s.measured/4 {
		s.measure()
		s.measured, s.next = len(members), s.rounds+measureRounds+len(members)/measureEntries
		changed = members
	}
	for _, m := range changed {
		s.weights[m.ID] = s.energy(m)
	}
	for _, m := range s.p.touched {
		m.touched = false
	}
	s.p.touched = s.p.touched[:0]
}

// Yields takes in what the children of the parents of a round brought.
func (s *Schedule) Yields(list []wire.Yield) {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	for _, y := range list {
		m := s.p.members[y.ID]
		m.fuel += y.Fuel
		m.brought += y.Brought
		s.fuel += y.Fuel
		s.brought += y.Brought
		s.p.touch(m)
	}
}

// measure takes the medians that costs and lengths are compared with. Means would
// follow the very outliers that they are to keep down.
func (s *Schedule) measure() {
	s.cost = s.median(func(m *member) int64 { return m.Cost + inputFuel })
	s.length = s.median(func(m *member) int64 { return int64(m.Input.Len()) + inputBytes })
	s.perFind = float64(s.fuel+1) / float64(s.brought+1)
}

func (s *Schedule) median(of func(*member) int64) int64 {
	list := s.scratch[:0]
	for _, m := range s.p.members {
		list = append(list, of(m))
	}
	s.scratch = list
	if len(list) == 0 {
		return 1
	}
	slices.Sort(list)
	return list[len(list)/2]
}
