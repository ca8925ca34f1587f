package search

import (
	"math/big"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// mix mutates inputs that pass. It keeps one of them for each way through the
// program, and a few of those that are discarded for each block that only they have
// run. Its moves are those of the other strategies and a few more; each is made
// as often as it has lately brought new ways.
type mix struct {
	base
	seen  virgin
	ways  map[uint64]*way // by hash of what was covered
	order []*way          // as they were found
	size  int             // of their inputs, together

	byBlock []*block // by number; nil for those that no input ran
	blocks  []*block // those that one did
	few     []*way   // that may be the next parent

	hits    []hit                 // of the last input
	ran     recent                // inputs
	worth   map[*term.Type]*worth // of changing parts of a type
	best    float64               // of worth, as of late
	changed []*worth              // parts that the last input changed

	gains, costs []float64 // of moves, of late
	move         int       // that made last
	tests        int
	fresh        uint64 // inputs that ran a block, or ran one so often, for the first time
	killers      uint64 // inputs that were the first to kill a mutant
	last         *term.Term
	parent       *way
}

// way is a way through the program with an input that goes it.
type way struct {
	x      *term.Term
	size   int     // of x
	used   int     // as a parent
	blocks big.Int // a bit for each that it runs below mostNoted
}

// block is a part of the program.
type block struct {
	runs int // by inputs that passed, and those that were put into near
	ways []*way
	near []*way // with inputs that were discarded, as long as there are no ways
}

// A move makes an input, of one that passes but for the first.
type move func(s *mix, x *term.Term) *term.Term

// moves are the ways to make an input. The first one needs no other input.
var moves = []move{
	func(s *mix, _ *term.Term) *term.Term { return s.drawn() },
	(*mix).tweaked,
	(*mix).twinned,
	func(s *mix, x *term.Term) *term.Term { return s.tweaked(s.twinned(x)) },
	(*mix).parted,
	(*mix).estranged,
	(*mix).spliced,
	func(s *mix, x *term.Term) *term.Term { return s.tweaked(s.drawn()) },
	func(s *mix, x *term.Term) *term.Term { return mutate(s.r, x, s.o.Size) },
}

func newMix(b base) *mix {
	return &mix{base: b, ways: make(map[uint64]*way), worth: make(map[*term.Type]*worth), gains: make([]float64, len(moves)), costs: make([]float64, len(moves))}
}

// Next returns an input that did not run before, if it finds one soon.
func (s *mix) Next() *term.Term {
	s.tests++
	for range mostTries {
		s.choose()
		if s.ran.add(s.last) {
			break
		}
		s.costs[s.move]++
	}
	return s.last
}

// mostTries bounds how many inputs are made for one that is new.
const mostTries = 20

// choose makes an input.
func (s *mix) choose() {
	s.move, s.parent, s.changed = 0, nil, s.changed[:0]
	var x *term.Term
	// From the first few ways it is farther to others than from what is drawn.
	if n := len(s.order); n > s.r.IntN(fewWays) || n > 0 && s.tests > early {
		s.move = s.chooseMove()
		s.parent = s.chooseWay()
		s.parent.used++
		x = s.parent.x
	}
	s.last = moves[s.move](s, x)
	if s.last.Count(term.Free) > mostParts {
		s.last, s.parent = s.drawn(), nil
	}
}

// drawn draws an input of any size up to that of the options: small ones are more
// often such as the property assumes.
func (s *mix) drawn() *term.Term {
	if s.t.Related && s.r.IntN(2) == 0 {
		return s.t.DrawVaried(s.r, 1+s.r.IntN(2*s.o.Size))
	}
	return s.t.Draw(s.r, 1+s.r.IntN(s.o.Size))
}

// Early on, each input is a mutant of a way's input only from early ways on.
const (
	early   = 500 // tests
	fewWays = 12
)

// mostParts bounds what splicing makes of inputs: far more than a fault needs, and far
// less than a term may have.
const mostParts = 5000

// chooseMove draws a move by what it brings for what it costs; none is given up.
func (s *mix) chooseMove() int {
	sum := 0.0
	for i := range moves {
		sum += s.rate(i)
	}
	const floor = 0.1 // of the moves are drawn evenly
	if s.r.Float64() < floor {
		return s.r.IntN(len(moves))
	}
	at := s.r.Float64() * sum
	for i := range moves {
		if at -= s.rate(i); at < 0 {
			return i
		}
	}
	return len(moves) - 1
}

func (s *mix) rate(i int) float64 { return (s.gains[i] + 1) / (s.costs[i] + 10) }

// chooseWay chooses a block, the one of a few that passing inputs ran least often, and
// of the ways through it the least used of a few, or the one with the smallest input:
// in small inputs a change is more likely to be where it matters. The few are any, or, every
// second time, what evenly leaves.
func (s *mix) chooseWay() *way {
	ways := s.order
	if len(s.blocks) > 0 {
		best := s.blocks[s.r.IntN(len(s.blocks))]
		for range s.r.IntN(3) {
			if b := s.blocks[s.r.IntN(len(s.blocks))]; b.runs < best.runs {
				best = b
			}
		}
		if ways = best.ways; len(ways) == 0 {
			ways = best.near
		}
	}
	var few []*way
	if s.r.IntN(2) == 0 {
		few = s.evenly(ways)
	} else {
		few = s.some(ways, 1+s.r.IntN(4))
	}
	best := few[0]
	small := s.r.IntN(2) == 0
	for _, w := range few {
		if small && w.size < best.size || !small && w.used < best.used {
			best = w
		}
	}
	return best
}

// tweaked changes one leaf, and another one time in three, and so on.
func (s *mix) tweaked(x *term.Term) *term.Term {
	for again := true; again; again = s.r.IntN(3) == 0 {
		p, ok := s.path(x, term.Numbers)
		if s.r.IntN(8) == 0 || !ok {
			if p, ok = s.path(x, term.Leaves); !ok {
				return x
			}
		}
		x = x.Put(p, s.leaf(x, x.At(p)))
	}
	return x
}

// leaf returns another leaf of the type: drawn, one that x has elsewhere, or the next
// number.
func (s *mix) leaf(x, leaf *term.Term) *term.Term {
	switch s.r.IntN(3) {
	case 0:
		if p, ok := pick(s.r, x, func(y *term.Term) bool { return y.Type == leaf.Type && y.Bits != leaf.Bits }); ok {
			return x.At(p)
		}
	case 1:
		if isNumber(leaf) {
			return leaf.Next(1 - 2*s.r.IntN(2))
		}
	}
	return leaf.Type.Draw(s.r, s.o.Size)
}

// twinned changes a part and its twin, and others one time in four, and so on.
func (s *mix) twinned(x *term.Term) *term.Term {
	return s.varied(x, func(x *term.Term, p term.Path, part *term.Term) *term.Term { return putBoth(s.r, x, p, part) })
}

// parted changes a part and not its twin, and others one time in four, and so on.
func (s *mix) parted(x *term.Term) *term.Term { return s.varied(x, (*term.Term).Put) }

// varied puts another part in a place, and in others one time in four, and so on.
func (s *mix) varied(x *term.Term, put func(*term.Term, term.Path, *term.Term) *term.Term) *term.Term {
	for again := true; again; again = s.r.IntN(4) == 0 {
		p, ok := s.path(x, term.Free)
		if !ok {
			return x
		}
		x = put(x, p, s.part(x, x.At(p)))
	}
	return x
}

// estranged changes a part and its twin, and then what is next to that part alone: so
// that what may differ does.
func (s *mix) estranged(x *term.Term) *term.Term {
	p, ok := s.path(x, term.Free)
	if !ok || len(p) == 0 {
		return x
	}
	x = putBoth(s.r, x, p, s.part(x, x.At(p)))
	up := p[:len(p)-1]
	around := x.At(up)
	if around == nil {
		return x // it was an entry of a map, whose key has become another's
	}
	next, ok := path(s.r, around, term.Free)
	if !ok {
		return x
	}
	at := slices.Concat(up, next)
	return x.Put(at, s.part(x, x.At(at)))
}

// part returns a mutant of a part, or one drawn.
func (s *mix) part(x, part *term.Term) *term.Term {
	if isLeaf(part) {
		return s.leaf(x, part)
	}
	if part.Type.Kind == term.List && s.r.IntN(8) == 0 {
		return s.edited(part)
	}
	if list := neighbours(s.r, part, s.o.Size, 1); len(list) > 0 && s.r.IntN(3) > 0 {
		return list[s.r.IntN(len(list))]()
	}
	return mutate(s.r, part, s.o.Size)
}

// edited leaves an element of a list out, draws one again, or puts one more in, wherever
// that is.
func (s *mix) edited(list *term.Term) *term.Term {
	t, n := list.Type, len(list.Kids)
	kids := slices.Clone(list.Kids)
	i := s.r.IntN(n + 1)
	drawn := func() *term.Term { return t.Elem.Draw(s.r, s.r.IntN(s.o.Size+1)) }
	switch s.r.IntN(3) {
	case 0:
		if i < n && n > t.MinLen {
			kids = slices.Delete(kids, i, i+1)
		}
	case 1:
		if i < n {
			kids[i] = drawn()
		}
	default:
		if t.MaxLen < 0 || n < t.MaxLen {
			kids = slices.Insert(kids, i, drawn())
		}
	}
	return term.NewList(t, kids)
}

// spliced puts a part of another input in place of one of the same type.
func (s *mix) spliced(x *term.Term) *term.Term {
	other := s.order[s.r.IntN(len(s.order))].x
	p, ok := s.path(x, term.Free)
	if !ok {
		return x
	}
	old := x.At(p)
	from, ok := pick(s.r, other, func(y *term.Term) bool { return y.Type == old.Type })
	if !ok {
		return x
	}
	return putBoth(s.r, x, p, other.At(from))
}

func (s *mix) Learn(f Feedback) {
	before := s.fresh
	gain := s.learn(f)
	s.gains[s.move] = s.gains[s.move]*memory + gain
	s.costs[s.move] = s.costs[s.move]*memory + 1
	s.weigh(!f.Discarded && s.fresh > before)
}

// memory is how much of what moves bring counts still after the next one.
const memory = 0.999

func (s *mix) Take(x *term.Term, f Feedback) {
	s.last, s.parent = x, nil
	s.ran.add(x)
	s.learn(f)
}

// learn is Learn without regard to the move. It returns what the input is worth.
func (s *mix) learn(f Feedback) (gain float64) {
	s.hits = hitsOf(s.hits[:0], f.Counts)
	fresh := s.seen.addHits(s.hits, len(f.Counts)) > 0
	if fresh {
		s.fresh++
	}
	key := covered(s.hits)
	if f.Kills > 0 {
		// However it is gone, this way leads to where a mutant dies.
		s.killers++
		key = (key ^ s.killers) * hashPrime
	}
	w := s.ways[key]
	switch {
	case f.Discarded && !(fresh && len(s.order) == 0):
		s.nearly()
	case w == nil:
		gain = 1
		w = &way{x: s.last, size: s.last.Size()}
		s.ways[key] = w
		s.order = append(s.order, w)
		s.size += w.size
		s.through(w)
		s.forget()
	default:
		// What the way is gone with changes all the time, or only those values would be
		// close to it that were close to the first one.
		if size := s.last.Size(); size <= w.size || s.r.IntN(4) == 0 {
			s.size += size - w.size
			w.x, w.size = s.last, size
		}
	}
	if !f.Discarded {
		s.count()
	}
	return gain
}

// through notes a way with the blocks that it goes through.
func (s *mix) through(w *way) {
	for _, h := range s.hits {
		b := s.block(h.block)
		b.ways, b.near = append(b.ways, w), nil
		if h.block < mostNoted {
			w.blocks.SetBit(&w.blocks, h.block, 1)
		}
	}
}

// block returns the block of that number.
func (s *mix) block(i int) *block {
	for len(s.byBlock) <= i {
		s.byBlock = append(s.byBlock, nil)
	}
	if s.byBlock[i] == nil {
		s.byBlock[i] = &block{}
		s.blocks = append(s.blocks, s.byBlock[i])
	}
	return s.byBlock[i]
}

// nearly keeps an input that was discarded for the blocks that it ran and that no
// input ran which passed: it may have come as far as any.
func (s *mix) nearly() {
	var w *way
	for _, h := range s.hits {
		b := s.block(h.block)
		if len(b.ways) > 0 {
			continue
		}
		if w == nil {
			w = &way{x: s.last, size: s.last.Size()}
		}
		if len(b.near) < mostNear {
			b.near = append(b.near, w)
		} else {
			b.near[s.r.IntN(mostNear)] = w
		}
		b.runs++ // else blocks through which nothing passes would always be chosen
	}
}

// mostNear bounds the discarded inputs of a block.
const mostNear = 8

// count counts the runs of blocks.
func (s *mix) count() {
	for _, h := range s.hits {
		s.block(h.block).runs++
	}
}

// covered is a hash of the blocks that ran, and roughly how often.
func covered(hits []hit) uint64 {
	sum := uint64(hashStart)
	for _, h := range hits {
		sum = (sum ^ uint64(h.block)<<8 ^ uint64(bucket(h.n))) * hashPrime
	}
	return sum
}
