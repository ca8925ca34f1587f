package search

import (
	"math/rand/v2"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// fuzzChick keeps inputs that show something new in two queues, those that pass before
// those that are discarded, and mutates each as often as its energy says. The energy
// depends on what an input covers and on how much it runs, in blocks: the paper's
// implementation reads the clock.
type fuzzChick struct {
	base
	seen             virgin
	passed, discards []*seedling // mutated, the first one first
	pending          []*seedling // become passed when those are used up
	saved            []*seedling // the last passed ones, to start again from
	boring           int         // random inputs in a row
	tests            int
	blocks, total    mean // of all inputs that show something new
	last             *term.Term
}

// seedling is an input to mutate.
type seedling struct {
	x      *term.Term
	energy int
}

type mean struct{ sum, n float64 }

func (m *mean) add(v float64) { m.sum, m.n = m.sum+v, m.n+1 }

// ratio is v in terms of the mean.
func (m *mean) ratio(v float64) float64 {
	if m.sum == 0 {
		return 1
	}
	return v * m.n / m.sum
}

// Limits of the implementation that the paper measures.
const (
	restoreAfter = 1000 // random inputs in a row
	restartAfter = 1 << 15
)

func newFuzzChick(b base) *fuzzChick { return &fuzzChick{base: b} }

func (s *fuzzChick) Next() *term.Term {
	s.last = s.choose()
	return s.last
}

func (s *fuzzChick) choose() *term.Term {
	if s.tests++; s.tests%restartAfter == 0 {
		// It finds a fault soon or never: starting over repairs most of that.
		s.seen, s.passed, s.discards, s.pending, s.saved = nil, nil, nil, nil, nil
	}
	for len(s.passed) > 0 && s.passed[0].energy <= 0 {
		s.passed = s.passed[1:]
	}
	if len(s.passed) == 0 && len(s.pending) > 0 {
		s.passed, s.pending = s.pending, nil
		s.saved = append(s.saved[:0], s.passed...)
	}
	if len(s.passed) > 0 {
		return s.mutant(s.passed[0])
	}
	if len(s.discards) > 0 {
		if s.discards[0].energy > 0 {
			return s.mutant(s.discards[0])
		}
		s.discards = s.discards[1:]
	}
	if s.boring++; s.boring >= restoreAfter && len(s.saved) > 0 {
		s.boring = 0
		for _, seed := range s.saved {
			s.passed = append(s.passed, &seedling{seed.x, 100})
		}
	}
	return s.draw()
}

func (s *fuzzChick) mutant(seed *seedling) *term.Term {
	seed.energy--
	s.boring = 0
	return mutate(s.r, seed.x, s.o.Size)
}

func (s *fuzzChick) Learn(f Feedback) {
	if s.seen.add(f.Counts) == 0 && f.Kills == 0 {
		return
	}
	seed := &seedling{s.last, s.energy(f)}
	if f.Discarded {
		s.discards = append(s.discards, seed)
	} else {
		s.pending = append(s.pending, seed)
	}
}

func (s *fuzzChick) Take(x *term.Term, f Feedback) {
	s.last = x
	s.Learn(f)
}

// energy is what an input is worth: more if it is short and covers much.
func (s *fuzzChick) energy(f Feedback) int {
	blocks, total := hits(f.Counts)
	s.blocks.add(float64(blocks))
	s.total.add(float64(total))
	e := 100 * factor(1/max(s.total.ratio(float64(total)), 0.01)) * factor(s.blocks.ratio(float64(blocks)))
	if f.Discarded {
		e *= 0.33
	}
	return int(min(max(e, 5), 1600)) * 10
}

// factor is how much energy follows from how good an input is in terms of the mean.
func factor(ratio float64) float64 {
	switch {
	case ratio > 4:
		return 3
	case ratio > 3:
		return 2
	case ratio > 2:
		return 1.5
	case ratio < 0.1:
		return 0.1
	case ratio < 0.25:
		return 0.25
	case ratio < 0.5:
		return 0.5
	case ratio < 0.75:
		return 0.75
	}
	return 1
}

// mutate changes a term at one place, deep ones less often than those above: the
// mutations of the FuzzChick paper, §3.2.
func mutate(r *rand.Rand, x *term.Term, size int) *term.Term {
	t := x.Type
	if t.Mutate != nil {
		return t.Mutate(r, x)
	}
	switch t.Kind {
	case term.Int, term.Uint, term.Float:
		if x.Bits != 0 && r.IntN(2) == 0 {
			return t.Default()
		}
		return t.Draw(r, size)
	case term.Text:
		return mutateText(r, x, size)
	case term.List:
		return mutateList(r, x, size)
	case term.Sum:
		return mutateSum(r, x, size)
	}
	if len(x.Kids) == 0 {
		return x
	}
	return mutateKid(r, x, r.IntN(len(x.Kids)), size)
}

func mutateKid(r *rand.Rand, x *term.Term, i, size int) *term.Term {
	return x.Put(term.Path{i}, mutate(r, x.Kids[i], size))
}

// mutateText changes, drops or inserts a byte, or draws the text again.
func mutateText(r *rand.Rand, x *term.Term, size int) *term.Term {
	t, n := x.Type, len(x.Text)
	if n == 0 || r.IntN(4) == 0 {
		return t.Draw(r, size)
	}
	y, i := *x, r.IntN(n)
	switch r.IntN(3) {
	case 0:
		y.Text = x.Text[:i] + string([]byte{byte(r.Uint32())}) + x.Text[i+1:]
	case 1:
		if n > t.MinLen {
			y.Text = x.Text[:i] + x.Text[i+1:]
		}
	case 2:
		if t.MaxLen < 0 || n < t.MaxLen {
			y.Text = x.Text[:i] + x.Text[i:i+1] + x.Text[i:]
		}
	}
	return &y
}

// mutateList mutates an element or leaves it out, each later one less often; where the
// list ends it gets an element more.
func mutateList(r *rand.Rand, x *term.Term, size int) *term.Term {
	t := x.Type
	for i := range x.Kids {
		switch n := r.IntN(2 + len(x.Kids) - i - 1); {
		case n == 0:
			return mutateKid(r, x, i, size)
		case n == 1 && len(x.Kids) > t.MinLen:
			return term.NewList(t, append(x.Kids[:i:i], x.Kids[i+1:]...))
		}
	}
	if t.MaxLen >= 0 && len(x.Kids) >= t.MaxLen {
		return t.Draw(r, size)
	}
	return term.NewList(t, append(x.Kids[:len(x.Kids):len(x.Kids)], t.Elem.Draw(r, size)))
}

// mutateSum mutates a field of what the sum holds, puts one of the same type in its
// place, or changes to an alternative that has the same fields and more, or some of
// them.
func mutateSum(r *rand.Rand, x *term.Term, size int) *term.Term {
	t, args := x.Type, x.Args()
	var same []*term.Term
	for _, a := range args {
		if a.Type == t {
			same = append(same, a)
		}
	}
	var others []int
	for i := range t.Alts {
		if i != x.Alt() && related(fields(t, i), fields(t, x.Alt())) {
			others = append(others, i)
		}
	}
	n := len(args) + len(same) + len(others)
	if n == 0 {
		return t.Draw(r, size)
	}
	switch i := r.IntN(n); {
	case i < len(args):
		if len(x.Kids) == 1 && x.Kids[0].Type.Kind == term.Product {
			return x.Put(term.Path{0, i}, mutate(r, args[i], size))
		}
		return x.Put(term.Path{0}, mutate(r, args[0], size))
	case i < len(args)+len(same):
		return same[i-len(args)]
	default:
		return change(r, x, others[i-len(args)-len(same)], size)
	}
}

// fields are the types of what an alternative holds.
func fields(t *term.Type, alt int) []*term.Type {
	u := t.Alts[alt].Type
	switch {
	case u == nil:
		return nil
	case u.Kind != term.Product:
		return []*term.Type{u}
	}
	list := make([]*term.Type, len(u.Fields))
	for i, f := range u.Fields {
		list[i] = f.Type
	}
	return list
}

// related reports whether one of two lists of types is a part of the other, in order.
func related(a, b []*term.Type) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, t := range b {
		if len(a) > 0 && a[0] == t {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// change makes x one of another alternative, with the fields that it has, in order,
// and drawn ones where it has none.
func change(r *rand.Rand, x *term.Term, alt, size int) *term.Term {
	t := x.Type
	u := t.Alts[alt].Type
	if u == nil {
		return term.Choice(t, alt, nil)
	}
	args := x.Args()
	var kids []*term.Term
	for _, want := range fields(t, alt) {
		i := slices.IndexFunc(args, func(a *term.Term) bool { return a.Type == want })
		if i < 0 {
			kids = append(kids, want.Draw(r, size))
			continue
		}
		kids, args = append(kids, args[i]), args[i+1:]
	}
	if u.Kind == term.Product {
		return term.Choice(t, alt, &term.Term{Type: u, Kids: kids})
	}
	return term.Choice(t, alt, kids[0])
}
