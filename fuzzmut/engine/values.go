package engine

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A MistakeError says what a function of the user's did wrong that makes values for
// the inputs of a fuzz test.
type MistakeError struct{ What string }

func (e *MistakeError) Error() string { return e.What }

// Discards counts the inputs bred that are values of which the fuzz test says nothing.
type Discards struct {
	Bred   int64             // values in all, discarded or not
	Places []wire.Discarding // where most were discarded comes first
}

// Discarded is the number of inputs discarded.
func (d *Discards) Discarded() (n int64) {
	for _, p := range d.Places {
		n += p.Inputs
	}
	return n
}

// Discards returns how many inputs were discarded so far, and where; call it when
// nothing is under way.
func (e *Engine) Discards() Discards {
	d := Discards{Bred: e.bred}
	for place, n := range e.discards {
		d.Places = append(d.Places, wire.Discarding{Place: place, Inputs: n})
	}
	slices.SortFunc(d.Places, func(a, b wire.Discarding) int {
		return cmp.Or(cmp.Compare(b.Inputs, a.Inputs), cmp.Compare(a.Place, b.Place))
	})
	return d
}

// addDiscards adds what a worker reports. The caller holds the lock.
func (e *Engine) addDiscards(s *wire.Stats) {
	e.bred += s.Bred
	for _, d := range s.Discards {
		e.discards[d.Place] += d.Inputs
	}
}

// discardShare divides the energy of an entry that is discarded: its children mostly
// are, too. As long as all are, it makes no difference (FuzzChick, §3.3, has those that
// pass come first).
const discardShare = 16
