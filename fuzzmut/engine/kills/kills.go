// Package kills holds what became of the mutants of a program while fuzzing: which are
// reached and killed, how often inputs came with them how far, and which are not run any
// more since they damage the process they run in. Kills only grow.
package kills

import (
	"slices"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Counts count, by mutant, the inputs that reached it, that infected it, and that it was
// run on. Number 0 stands for the original.
type Counts struct {
	Reached, Infected, Executed []int64
}

// NewCounts returns counts of zero for mutants 1 to n.
func NewCounts(n int) Counts {
	return Counts{Reached: make([]int64, n+1), Infected: make([]int64, n+1), Executed: make([]int64, n+1)}
}

// Add adds other counts of as many mutants.
func (c *Counts) Add(o *Counts) {
	for i := range c.Reached {
		c.Reached[i] += o.Reached[i]
		c.Infected[i] += o.Infected[i]
		c.Executed[i] += o.Executed[i]
	}
}

// Run counts an input that was run with a mutant.
func (c *Counts) Run(m uint32) {
	c.Reached[m]++
	c.Infected[m]++
	c.Executed[m]++
}

// Kill is the first kill of a mutant: what was seen, and on which input.
type Kill struct {
	wire.Kill               // Item is of no account
	Input     *corpus.Input // nil if it is not known
	// Blocked says that the mutant was ended by the clock: it may have been slow for once.
	Blocked bool
}

// Sure reports whether the kill need not be confirmed: its kind is dear, and the worker or
// process that saw it has already run the mutant again, with more fuel or in a separate process.
func (k *Kill) Sure() bool { return k.Kind.Dear() && !k.Blocked }

// Set is the state of the mutants of one program. It may be used by several goroutines at
// a time. Its lock is a leaf.
type Set struct {
	mu       sync.Mutex
	dead     []bool // by mutant
	deaths   []uint32
	first    map[uint32]Kill // of those dead
	clean    map[string]bool // inputs, by key
	reached  []bool
	nReached int
	damaging []bool
	counts   Counts
}

// New returns the state of mutants 1 to n before anything was run.
func New(n int) *Set {
	return &Set{dead: make([]bool, n+1), reached: make([]bool, n+1), damaging: make([]bool, n+1), counts: NewCounts(n), first: make(map[uint32]Kill), clean: make(map[string]bool)}
}

// Kill notes kills, and returns the mutants that lived until now.
func (s *Set) Kill(kills ...Kill) (fresh []uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range kills {
		m := k.Mutant
		if s.dead[m] {
			continue
		}
		s.first[m] = k
		s.reach(m) // the round's counts come later
		s.dead[m] = true
		fresh = append(fresh, m)
	}
	s.deaths = append(s.deaths, fresh...)
	return fresh
}

// reach notes that a mutant was reached. The caller holds the lock.
func (s *Set) reach(m uint32) {
	if !s.reached[m] {
		s.reached[m] = true
		s.nReached++
	}
}

// Dead reports whether a mutant was killed.
func (s *Set) Dead(m int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dead[m]
}

// First returns the first kill of a mutant; ok says whether there is one.
func (s *Set) First(m uint32) (k Kill, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok = s.first[m]
	return k, ok
}

// Clean notes that every mutant that lived was run on an input: what lives now survives it.
func (s *Set) Clean(input *corpus.Input) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clean[input.Key()] = true
}

// IsClean reports whether Clean was called for an input.
func (s *Set) IsClean(input *corpus.Input) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clean[input.Key()]
}

// Since returns the mutants killed after the first n, in order of their deaths, and how
// many are killed now.
func (s *Set) Since(n int) (deaths []uint32, now int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.deaths[n:]), len(s.deaths)
}

// Damage notes that mutants damage the process they are run in.
func (s *Set) Damage(mutants ...uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range mutants {
		s.damaging[m] = true
	}
}

// Done returns the mutants that are no longer to be run, as of now: those dead, and
// those that damage their process.
func (s *Set) Done() func(m uint32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := slices.Clone(s.dead)
	for m, damages := range s.damaging {
		done[m] = done[m] || damages
	}
	return func(m uint32) bool { return done[m] }
}

// Count adds counts of exact evaluations.
func (s *Set) Count(c *Counts) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for m, n := range c.Reached {
		if n > 0 {
			s.reach(uint32(m))
		}
	}
	s.counts.Add(c)
}

// Tally adds what a worker has counted.
func (s *Set) Tally(st *wire.Stats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range st.Reached {
		s.counts.Reached[c[0]] += int64(c[1])
		s.reach(c[0])
	}
	for _, c := range st.Infected {
		s.counts.Infected[c[0]] += int64(c[1])
	}
	for _, c := range st.Executed {
		s.counts.Executed[c[0]] += int64(c[1])
	}
}

// Counts returns a copy of the counts.
func (s *Set) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Counts{
		Reached: slices.Clone(s.counts.Reached), Infected: slices.Clone(s.counts.Infected), Executed: slices.Clone(s.counts.Executed),
	}
}

// Size returns how many mutants are killed and how many reached.
func (s *Set) Size() (killed, reached int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.deaths), s.nReached
}
