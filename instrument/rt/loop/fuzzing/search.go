package fuzzing

import (
	"math"
	"slices"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/budget"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/study"
)

// Bounds on the search for inputs at limits.
const (
	searchFirst    = 2_000 // see budget
	searchShare    = 10
	searchTurn     = 32  // inputs for one mutant, before it is another's turn
	searchPatience = 128 // inputs that bring a mutant no nearer
	searchNear     = 8   // numbers by which mutants of one expression lie apart
	searchMutants  = 32  // run with an input that is the first at a point, in addition
)

// search looks for inputs at the limits that comparisons set: with equal operands or,
// where one is a constant, with operands that differ by one. Only there do mutants
// that move a limit differ from the original. The operands say how far an input is
// from that; the nearest one so far is changed, and what lowers the distance is kept.
// Limits without live mutants are left alone. It lives as long as the worker.
type search struct {
	muts *mutants.Mutants
	idle bool // mutants are not run

	points []point
	goals  []int // numbers of points to search for, in the order in which they were met
	at     int   // index into goals
	turn   int   // inputs left of the turn

	touched []int    // numbers of points that the execution in progress has a distance from
	wanted  []uint32 // first mutants of comparisons at whose limits the input in progress is the first

	budget budget.Budget
}

// A point is one limit of a comparison, and how near inputs have got to it. Its number is three
// times the comparison's first mutant, plus 0, 1 or 2 for operands that differ by -1, 0 or 1.
type point struct {
	site     uint32 // of the comparison
	reached  bool
	now      uint64 // the least distance in the execution in progress, plus one; 0: none
	vals     []any  // the nearest input; nil: none
	distance uint64 // of vals
	barren   int    // inputs in a row that came no nearer
	rest     int64  // no more before this number of inputs of the whole run
	move     study.Move
	times    int64 // the length of its step; 0: another move is to be drawn
}

func newSearch(muts *mutants.Mutants) *search {
	return &search{
		muts: muts, points: make([]point, 3*muts.Len()),
		budget: budget.New(searchFirst, searchShare),
	}
}

// record takes in the operands of a comparison, while the program runs.
func (s *search) record(o *fuzzmutrt.Operands) {
	if s.idle || o.Mutant == 0 || int(o.Mutant) >= s.muts.Len() {
		return
	}
	for offset := -1; offset <= 1; offset++ {
		n := 3*int(o.Mutant) + offset + 1
		p := &s.points[n]
		if p.reached || offset != 0 && !o.XConst && !o.YConst {
			continue
		}
		d, ok := study.Distance(o, offset)
		if !ok || p.now != 0 && p.now <= d {
			continue
		}
		if p.now == 0 {
			p.site = o.Site
			s.touched = append(s.touched, n)
		}
		p.now = min(d, math.MaxUint64-1) + 1
	}
}

// forget leaves the points of a site out of what the execution in progress has come near to.
func (s *search) forget(site uint32) {
	s.touched = slices.DeleteFunc(s.touched, func(n int) bool {
		p := &s.points[n]
		if p.site != site {
			return false
		}
		p.now = 0
		return true
	})
}

// open reports whether a point was never reached, and mutants live that may be told
// there.
func (s *search) open(n int) bool { return !s.points[n].reached && s.lives(uint32(n/3)) }

// lives reports whether a mutant of a comparison, or of its operands, is alive.
func (s *search) lives(first uint32) bool {
	for id := max(first, searchNear+1) - searchNear; id <= first+searchNear && int(id) < s.muts.Len(); id++ {
		if s.muts.Alive(id) && s.muts.FuncOf(id) == s.muts.FuncOf(first) {
			return true
		}
	}
	return false
}

// wants reports whether one of a comparison's points is known and open.
func (s *search) wants(first uint32) bool {
	if s.idle || first == 0 {
		return false
	}
	for n := 3 * int(first); n < 3*int(first)+3; n++ {
		if s.points[n].vals != nil && s.open(n) {
			return true
		}
	}
	return false
}

// take takes in how near an input has come, that was recorded.
func (s *search) take(vals []any) {
	for _, n := range s.touched {
		p := &s.points[n]
		d := p.now - 1
		p.now = 0
		switch {
		case d == 0:
			p.reached, p.vals = true, nil
			if first := uint32(n / 3); s.lives(first) {
				s.wanted = append(s.wanted, first)
			}
		case p.vals == nil:
			s.goals = append(s.goals, n)
			p.vals, p.distance = vals, d
		case d < p.distance:
			p.vals, p.distance, p.barren, p.rest = vals, d, 0, 0
		}
	}
	s.touched = s.touched[:0]
}

// next returns the point whose turn it is, nil if there is none. A point that inputs come
// no nearer to loses its turn until twice as many have been run.
func (s *search) next(inputs int64) (p *point, first uint32) {
	for range len(s.goals) + 1 {
		if s.idle || len(s.goals) == 0 {
			break
		}
		s.at %= len(s.goals)
		n := s.goals[s.at]
		p = &s.points[n]
		if p.barren >= searchPatience {
			p.barren, p.rest = 0, 2*inputs
		}
		if s.turn > 0 && inputs >= p.rest && s.open(n) {
			s.turn--
			return p, uint32(n / 3)
		}
		s.at, s.turn = s.at+1, searchTurn
	}
	return nil, 0
}

// chase runs one input that may be nearer to a point than all before.
func (r *round) chase() (ran bool, err error) {
	s := r.search
	if r.rests() || !s.budget.Left(r.inputs, r.Exec.Spent) {
		return false, nil
	}
	p, first := s.next(r.inputs)
	if p == nil {
		return false, nil
	}
	if p.times == 0 {
		p.move, p.times = study.Draw(p.vals, p.distance, r.rng.Intn), 1
	}
	vals, ok := p.move.Apply(p.vals, p.times, r.MaxLen)
	if !ok {
		p.barren++
		p.times = 0
		return false, nil
	}
	if p.barren > searchPatience/4 && p.times == 1 && r.rng.OneIn(2) {
		// No single move leads on: perhaps two at a time do.
		second := study.Draw(vals, 1, r.rng.Intn)
		if both, ok := second.Apply(vals, 1, r.MaxLen); ok {
			vals = both
		}
	}
	done := s.budget.Book(&r.Exec.Spent)
	r.brought = 0
	defer func() { done(r.brought > 0) }()
	before := p.distance
	if err := r.approach(vals, first); err != nil {
		return true, err
	}
	switch {
	case p.distance < before:
		p.times *= 2
	case p.times > 1:
		p.times = 1
	default:
		p.times = 0
		p.barren++
	}
	return true, nil
}

// approach runs an input for its distances, and again as any other if there is more to
// it.
func (r *round) approach(vals []any, first uint32) error {
	if r.Values.Breeds() {
		vals = []any{r.Values.Canon(r.Values.Bytes(vals), r.MaxLen)}
	}
	r.Conn.Shared.NextInput()
	r.Cov.Clear()
	ex := r.record(vals, []int32{r.Exec.FuncOf(first)})
	if ex.Kind.Failed() || r.Cov.Novel() > 0 || len(r.search.wanted) > 0 {
		return r.try(exec.Clone(vals), false)
	}
	return nil
}

// also returns picked with those of the live mutants that may be told at the points
// that the input in progress is the first to reach.
func (s *search) also(picked, living []uint32) []uint32 {
	if len(s.wanted) == 0 {
		return picked
	}
	picked = slices.Clone(picked)
	most := len(picked) + searchMutants
	for _, id := range living {
		near := func(first uint32) bool {
			return id+searchNear >= first && id <= first+searchNear && s.muts.FuncOf(id) == s.muts.FuncOf(first)
		}
		if len(picked) < most && slices.ContainsFunc(s.wanted, near) && !slices.Contains(picked, id) {
			picked = append(picked, id)
		}
	}
	s.wanted = s.wanted[:0]
	return picked
}
