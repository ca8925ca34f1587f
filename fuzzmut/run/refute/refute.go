// Package refute looks for calls in which what has held in many others does not hold. It makes inputs of
// special values, of values that other calls have taken, and of texts that are put together of these, and
// goes on from the calls that come nearest: those in which the condition of a statement holds, or in which two
// numbers are close to the order that it excludes.
package refute

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/relations"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
)

// Options say what a search begins with.
type Options struct {
	Seed   uint64
	MaxLen int   // of an input
	Zero   []any // an input, for its types
	// Values are what others take, of any types.
	Values []any
	// Statements have held in all calls.
	Statements []relations.Relation
}

// A Search looks for calls in which statements do not hold.
type Search struct {
	opts    Options
	r       *rand.Rand
	change  *havoc.Mutator
	pool    *pool
	tried   map[string]bool // inputs, by key
	targets []*target       // statements that are left
	turn    int             // of these
}

// A target is a statement that has held so far.
type target struct {
	statement relations.Relation
	near      [2][]call // by side, those that came nearest, the nearest first
}

// call is an input, and how far its call is from one in which the statement does not hold.
type call struct {
	input []any
	shape string
	size  int
	away  float64
}

// nearMost is how many calls a search goes on from, of each side of a statement.
const nearMost = 16

// New begins a search.
func New(opts Options) *Search {
	r := rand.New(rand.NewPCG(opts.Seed, 2))
	s := &Search{
		opts: opts, r: r, change: havoc.New(havoc.NewRand(r.Uint64()), havoc.Options{MaxLen: opts.MaxLen}),
		pool: newPool(r), tried: make(map[string]bool),
	}
	for _, v := range opts.Values {
		s.pool.add(v)
	}
	for _, st := range opts.Statements {
		s.targets = append(s.targets, &target{statement: st})
	}
	return s
}

// Left are the statements that have held in all calls that were shown.
func (s *Search) Left() (list []relations.Relation) {
	for _, t := range s.targets {
		list = append(list, t.statement)
	}
	return list
}

// Show takes up what a call has shown. Statements that do not hold are dropped. Values of calls that come
// near are drawn from then on.
func (s *Search) Show(input *corpus.Input, row relations.Row) {
	vals, near := input.Values(), false
	s.tried[input.Key()] = true
	shape := shapeOf(vals)
	s.targets = slices.DeleteFunc(s.targets, func(t *target) bool {
		away := t.statement.Away(row)
		near = t.take(row, call{vals, shape, input.Len(), away}, s.r) || near
		return away == 0
	})
	if near {
		for _, v := range vals {
			s.pool.add(v)
		}
	}
}

// take notes a call if it comes near. Of calls with the same shape the one that comes nearest is kept, of these
// a small one. Of others that come as near any may take the place of another: what has led to nothing is left.
func (t *target) take(row relations.Row, c call, r *rand.Rand) bool {
	near := &t.near[0]
	if t.statement.Side(row) {
		near = &t.near[1]
	}
	at := slices.IndexFunc(*near, func(n call) bool { return n.shape == c.shape })
	switch {
	case at >= 0:
		if have := (*near)[at]; cmp.Or(cmp.Compare(c.away, have.away), c.size-have.size) >= 0 {
			return false
		}
	case len(*near) == nearMost:
		last := (*near)[nearMost-1].away
		if c.away > last || c.away == last && r.IntN(2) == 0 {
			return false
		}
		first := slices.IndexFunc(*near, func(n call) bool { return n.away == last })
		at = first + r.IntN(nearMost-first)
	}
	if at >= 0 {
		*near = slices.Delete(*near, at, at+1)
	}
	at, _ = slices.BinarySearchFunc(*near, c, func(a, b call) int { return cmp.Or(cmp.Compare(a.away, b.away), -1) })
	*near = slices.Insert(*near, at, c)
	return true
}

// Next makes inputs that were not tried, at most n; none: no statement is left.
func (s *Search) Next(n int) (list []*corpus.Input) {
	if len(s.targets) == 0 {
		return nil
	}
	for range n {
		in := corpus.Of(s.same(s.input())...)
		if key := in.Key(); !s.tried[key] && in.Len() <= s.opts.MaxLen {
			s.tried[key], list = true, append(list, in)
		}
	}
	return list
}

// input makes one: of a call that came near, of one of each side, or of values alone.
func (s *Search) input() []any {
	s.turn++
	t := s.targets[s.turn%len(s.targets)]
	side := s.r.IntN(2)
	if len(t.near[side]) == 0 {
		side = 1 - side
	}
	near, other := t.near[side], t.near[1-side]
	how := s.r.IntN(8)
	switch {
	case len(near) == 0 || how < 2:
		vals := make([]any, len(s.opts.Zero))
		for i, v := range s.opts.Zero {
			vals[i] = s.value(v)
		}
		return vals
	case len(other) > 0 && how < 5:
		return s.merged(near[s.r.IntN(len(near))].input, other[s.r.IntN(len(other))].input)
	}
	vals := slices.Clone(near[s.r.IntN(len(near))].input)
	if how == 7 {
		return s.change.Mutate(nil, vals, nil)
	}
	for range 1 + s.r.IntN(2) {
		i := s.r.IntN(len(vals))
		vals[i] = s.value(vals[i])
	}
	return vals
}

// merged makes an input that has something of two.
func (s *Search) merged(one, other []any) []any {
	vals := slices.Clone(one)
	for i := range vals {
		switch s.r.IntN(3) {
		case 0:
			vals[i] = other[i]
		case 1:
			vals[i] = s.pool.merge(one[i], other[i])
		}
	}
	return vals
}

// value makes one in place of another: of that, or of one that another call has taken.
func (s *Search) value(v any) any {
	typ := reflect.TypeOf(v)
	from := v
	if s.r.IntN(2) == 0 {
		from = s.pool.draw(typ, v)
	}
	switch s.r.IntN(4) {
	case 0:
		if list := specials(typ); len(list) > 0 {
			return list[s.r.IntN(len(list))]
		}
	case 1:
		if composed, ok := s.pool.compose(from); ok {
			return composed
		}
		if next, ok := s.pool.step(from); ok {
			return next
		}
	case 2:
		return s.change.Mutate(nil, []any{from}, nil)[0]
	}
	return s.pool.draw(typ, v)
}

// same often has an input hold the same twice: what is compared is compared with itself, too.
func (s *Search) same(vals []any) []any {
	half := len(vals) / 2
	switch s.r.IntN(4) {
	case 0:
		if len(vals) == 2*half && half > 0 && slices.EqualFunc(vals[:half], vals[half:], sameType) {
			copy(vals[half:], vals[:half])
			if s.r.IntN(2) == 0 {
				i := s.r.IntN(len(vals))
				vals[i] = s.value(vals[i])
			}
		}
	case 1:
		if i, j := s.r.IntN(len(vals)), s.r.IntN(len(vals)); sameType(vals[i], vals[j]) {
			vals[i] = vals[j]
		}
	}
	return vals
}

func sameType(a, b any) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) }
