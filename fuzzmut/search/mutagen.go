package search

import (
	"math/rand/v2"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// mutagen runs every mutant one step away from an input that showed something new,
// place by place, before anything drawn: those of the input whose trace left what was
// seen the soonest come first.
type mutagen struct {
	base
	passed, discards []*batch // ordered by depth
	seen             [2]paths // of those that pass, and those that are discarded
	samples          int      // of a number
	threshold        int      // of boring inputs in a row, before traces are forgotten
	boring           int
	fragments        map[*term.Type][]*term.Term // of inputs that were new

	last   *term.Term
	parent *batch // of last; nil if it was drawn
}

// batch is an input with the mutants that are left of it.
type batch struct {
	x         *term.Term
	passed    bool
	depth     int // at which its trace was new
	ancestors int
	paths     []term.Path         // ahead
	past      map[string]bool     // paths that were done, and those of its parent
	mutants   []func() *term.Term // ahead, of the path in progress
}

// Limits of the implementation that the papers measure, MUTAGEN's own names in
// brackets.
const (
	mostAncestors = 10  // [mutation depth] of an input that is still mutated
	mostSamples   = 256 // [random mutations]
	firstBoring   = 1000
	mostRecasts   = 64 // ways of filling the fields of one alternative
)

func newMutagen(b base) *mutagen {
	return &mutagen{
		base: b, seen: [2]paths{{}, {}}, samples: 1, threshold: firstBoring,
		fragments: make(map[*term.Type][]*term.Term),
	}
}

func (s *mutagen) Next() *term.Term {
	for _, queue := range []*[]*batch{&s.passed, &s.discards} {
		for len(*queue) > 0 {
			b := (*queue)[0]
			if x := s.mutant(b); x != nil {
				s.last, s.parent = x, b
				return x
			}
			*queue = (*queue)[1:]
		}
	}
	if s.boring >= s.threshold && !s.o.Mutagen.NoReset {
		s.boring, s.threshold, s.samples = 0, 2*s.threshold, min(2*s.samples, mostSamples)
		s.seen = [2]paths{{}, {}}
	}
	s.last, s.parent = s.draw(), nil
	return s.last
}

// mutant returns the next mutant of a batch, nil after the last.
func (s *mutagen) mutant(b *batch) *term.Term {
	for len(b.mutants) == 0 {
		if len(b.paths) == 0 {
			return nil
		}
		p := b.paths[0]
		b.paths = b.paths[1:]
		b.past[pathKey(p)] = true
		old := b.x.At(p)
		for _, part := range slices.Concat(neighbours(s.r, old, s.o.Size, s.samples), s.others(old)) {
			b.mutants = append(b.mutants, func() *term.Term { return b.x.Put(p, part()) })
		}
	}
	x := b.mutants[0]()
	b.mutants = b.mutants[1:]
	return x
}

// inherits decides whether a mutant leaves out what its parent has been through.
func (s *mutagen) inherits() bool {
	return s.o.Mutagen.Inherit || s.o.Mutagen.Mixed && s.r.IntN(2) == 0
}

// The bounds on fragments: how many take a part's place, the implementation's own, and
// how many are remembered of each type.
const (
	fragmentSamples = 10
	mostFragments   = 1000
)

// remember notes the parts of an input that was new.
func (s *mutagen) remember(x *term.Term) {
	if !s.o.Mutagen.Fragments {
		return
	}
	for _, p := range term.Paths(x) {
		part := x.At(p)
		list := s.fragments[part.Type]
		if len(list) < mostFragments {
			s.fragments[part.Type] = append(list, part)
		} else {
			list[s.r.IntN(mostFragments)] = part
		}
	}
}

// others are parts of other inputs in place of one of the same type.
func (s *mutagen) others(old *term.Term) (list []func() *term.Term) {
	known := s.fragments[old.Type]
	if len(known) == 0 {
		return nil
	}
	for range fragmentSamples {
		if part := known[s.r.IntN(len(known))]; !term.Equal(part, old) {
			list = append(list, func() *term.Term { return part })
		}
	}
	return list
}

// pathKey makes a path the key of a map.
func pathKey(p term.Path) string {
	key := make([]byte, 0, 2*len(p))
	for _, k := range p {
		key = append(key, byte(k>>8), byte(k))
	}
	return string(key)
}

func (s *mutagen) Learn(f Feedback) {
	log := s.seen[0]
	if f.Discarded {
		log = s.seen[1]
	}
	depth, isNew := log.add(f.Path)
	if !isNew && f.Kills > 0 {
		depth, isNew = len(f.Path), true
	}
	s.boring++
	if isNew {
		s.boring = 0
	}
	ancestors := 0
	if s.parent != nil {
		ancestors = s.parent.ancestors + 1
	}
	// An input that is discarded counts only as the mutant of one that passed.
	if !isNew || ancestors >= mostAncestors || f.Discarded && (s.parent == nil || !s.parent.passed) {
		return
	}
	s.remember(s.last)
	b := &batch{x: s.last, passed: !f.Discarded, depth: depth, ancestors: ancestors, past: make(map[string]bool)}
	if s.o.Mutagen.Unordered {
		b.depth = 0
	}
	if s.inherits() && s.parent != nil && s.parent.passed {
		for key := range s.parent.past {
			b.past[key] = true
		}
	}
	for _, p := range term.Paths(s.last) {
		if !b.past[pathKey(p)] {
			b.paths = append(b.paths, p)
		}
	}
	if f.Discarded {
		s.discards = insert(s.discards, b, s.o.Mutagen.Unordered)
	} else {
		s.passed = insert(s.passed, b, s.o.Mutagen.Unordered)
	}
}

func (s *mutagen) Take(x *term.Term, f Feedback) {
	s.last, s.parent = x, nil
	s.Learn(f)
}

// insert puts b before those of its depth, or after all of them if last is set.
func insert(queue []*batch, b *batch, last bool) []*batch {
	i := 0
	for i < len(queue) && (queue[i].depth < b.depth || last) {
		i++
	}
	queue = append(queue, nil)
	copy(queue[i+1:], queue[i:])
	queue[i] = b
	return queue
}

// neighbours are the mutants of a part that are one step away from it: MUTAGEN, §II-B.
// Those of numbers are drawn, as many as samples says.
func neighbours(r *rand.Rand, x *term.Term, size, samples int) []func() *term.Term {
	t := x.Type
	var list []func() *term.Term
	add := func(y *term.Term) {
		if !term.Equal(x, y) {
			list = append(list, func() *term.Term { return y })
		}
	}
	drawn := func() {
		for range samples {
			list = append(list, func() *term.Term { return t.Draw(r, size) })
		}
	}
	if t.Mutate != nil {
		for range samples {
			list = append(list, func() *term.Term { return t.Mutate(r, x) })
		}
	}
	switch t.Kind {
	case term.Int, term.Uint, term.Float:
		drawn()
	case term.Text:
		if len(x.Text) > t.MinLen {
			add(&term.Term{Type: t, Text: x.Text[:t.MinLen], Bits: t.Present(t.MinLen > 0)})
			y := *x
			y.Text = x.Text[1:]
			add(&y)
		}
		drawn()
	case term.List:
		listNeighbours(x, add)
	case term.Sum:
		for _, k := range x.Args() {
			if k.Type == t {
				add(k)
			}
		}
		for alt := range t.Alts {
			for _, y := range x.Recast(alt, mostRecasts) {
				add(y)
			}
		}
	}
	return list
}

// listNeighbours are the list without elements, without the first, and with the first
// twice; and one with a default element, if there is none.
func listNeighbours(x *term.Term, add func(*term.Term)) {
	t, n := x.Type, len(x.Kids)
	if n > t.MinLen {
		add(term.NewList(t, nil))
		add(term.NewList(t, x.Kids[1:]))
	}
	switch {
	case t.MaxLen >= 0 && n >= t.MaxLen:
	case n > 0:
		add(term.NewList(t, append(x.Kids[:1:1], x.Kids...)))
	default:
		add(term.NewList(t, []*term.Term{t.Elem.Default()}))
	}
}
