package engine

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/kills"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Totals are sums over all workers.
type Totals struct {
	Inputs      int64 // inputs bred and run
	Execs       int64 // runs of the original, re-runs included
	MutantExecs int64
	// Spent by workers in rounds of fuzzing, and the part of it in the fuzz target.
	Time, Inside time.Duration
	Hunted       time.Duration // processor time of the search for inputs that cost too much
	kills.Counts
}

// work counts what the rounds of fuzzing have done.
type work struct {
	mu       sync.Mutex
	totals   Totals // but for the counts by mutant, which Engine.Kills has
	bred     int64  // inputs that are values
	discards map[string]int64
}

func (w *work) addInputs(n int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.totals.Inputs += n
}

func (w *work) add(s *wire.Stats) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.totals.Execs += s.Execs
	w.totals.MutantExecs += s.MutantExecs
	w.totals.Time += s.Time
	w.totals.Inside += s.Inside
	w.totals.Hunted += s.Hunted
	w.bred += s.Bred
	for _, d := range s.Discards {
		w.discards[d.Place] += d.Inputs
	}
}

// addStats adds what a worker reports of a round.
func (e *Engine) addStats(s *wire.Stats) {
	e.work.add(s)
	e.Kills.Tally(s)
}

// Totals returns the work done so far.
func (e *Engine) Totals() Totals {
	e.work.mu.Lock()
	t := e.work.totals
	e.work.mu.Unlock()
	t.Counts = e.Kills.Counts()
	return t
}

// Discards counts the inputs bred that are values that the fuzz test says nothing about.
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

// Discards returns how many inputs were discarded so far, and where.
func (e *Engine) Discards() Discards {
	e.work.mu.Lock()
	defer e.work.mu.Unlock()
	d := Discards{Bred: e.work.bred}
	for place, n := range e.work.discards {
		d.Places = append(d.Places, wire.Discarding{Place: place, Inputs: n})
	}
	slices.SortFunc(d.Places, func(a, b wire.Discarding) int {
		return cmp.Or(cmp.Compare(b.Inputs, a.Inputs), cmp.Compare(a.Place, b.Place))
	})
	return d
}
