package search

import (
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// worth is what changes of parts of a type have brought of late. Of a large input, most
// parts may be such that changing them changes little.
type worth struct{ gain, cost float64 }

func (w *worth) rate() float64 { return (w.gain + 0.2) / (w.cost + 10) }

// path is path, but for parts of a type that brought less it is looked for another one
// more often.
func (s *mix) path(x *term.Term, c term.Class) (p term.Path, ok bool) {
	const tries = 8
	for range tries {
		if p, ok = path(s.r, x, c); !ok {
			return nil, false
		}
		t := x.At(p).Type
		w := s.worth[t]
		if w == nil {
			w = &worth{}
			s.worth[t] = w
		}
		const least = 0.05 // of the best one's chance is every type's
		if s.r.Float64() < w.rate()/s.best+least {
			s.changed = append(s.changed, w)
			break
		}
	}
	return p, true
}

// weigh notes whether the changes brought anything new.
func (s *mix) weigh(fresh bool) {
	for _, w := range s.changed {
		w.gain, w.cost = w.gain*memory, w.cost*memory+1
		if fresh {
			w.gain++
		}
	}
	const often = 64
	if s.tests%often == 0 {
		s.best = 0
		for _, w := range s.worth {
			s.best = max(s.best, w.rate())
		}
	}
}

// recent remembers terms that were there, by their hashes, until others take their
// place.
type recent struct{ hashes []uint64 }

// add notes a term, and reports whether it is not among those remembered.
func (r *recent) add(x *term.Term) (isNew bool) {
	if r.hashes == nil {
		r.hashes = make([]uint64, 1<<18)
	}
	h := hash(hashStart, x)
	at := &r.hashes[h%uint64(len(r.hashes))]
	isNew = *at != h
	*at = h
	return isNew
}

// hash is a hash of what a term is, and of h.
func hash(h uint64, x *term.Term) uint64 {
	h = (h ^ x.Bits) * hashPrime
	h ^= h >> 29
	for i := range len(x.Text) {
		h = (h ^ uint64(x.Text[i])) * hashPrime
	}
	h = (h ^ uint64(len(x.Kids)+1)<<32 ^ uint64(len(x.Text))) * hashPrime
	for _, k := range x.Kids {
		h = hash(h, k)
	}
	return h
}
