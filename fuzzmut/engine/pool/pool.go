// Package pool holds the corpus of one fuzz test while it grows, and plans the rounds of
// fuzzing: which entries are parents, how often, and which are studied.
//
// The pool only grows: adding what several workers report is a union. Its plans are a
// function of a seed and of the calls made, in their order: no clock takes part, and no
// order of maps. One lock guards a pool and its schedules. It is a leaf: only OnFound is
// called while it is held.
package pool

import (
	"cmp"
	"slices"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Entry is what is known of one input of the corpus. Its facts stay what they are when
// it is added, but for Kills, which goes up.
type Entry struct {
	ID       int // index into the corpus
	Input    *corpus.Input
	Features wire.Features
	Cost     int64 // fuel burned by the original
	Kills    int   // mutants it was the first to kill while fuzzing
	Given    bool  // part of the corpus the run began with
}

// member is an entry with the state of the schedule.
type member struct {
	Entry
	dropped   bool // ends the process: not to be run again
	discarded bool // a value that the fuzz test says nothing about
	favoured  bool // see Favour

	owned   int   // features that it shows at least price
	rare    int64 // their rarity
	nearest int   // live mutants that it infects at least price
	chosen  int   // rounds it was a parent in
	fuel    int64 // burned by its children
	brought int64 // by them: features, kills, infections
	touched bool  // in Pool.touched

	assigned   bool // some worker studies it, or has done so
	reassigned int  // ... and died, so that another does: how often
}

// Config says what a Pool is for.
type Config struct {
	Blocks  int // of the program: features are numbers of these blocks, mostly
	Mutants int // numbered from 1
	// OnFound is called for each input that is added and was not given, in the order of
	// the corpus, with the pool's lock held: it must not call the pool. nil is not called.
	OnFound func(*corpus.Input)
}

// Pool is the corpus of one fuzz test. It may be used by several goroutines at a time.
type Pool struct {
	onFound func(*corpus.Input)

	mu       sync.Mutex // guards what follows, the members, and the schedules
	members  []*member
	byInput  map[string]*member // by key
	given    int                // members that were given
	features []feature          // by number
	seen     wire.Features      // features in the order in which they were first seen
	blocks   []bool             // covered counters
	covered  int
	infector []*member // by live mutant: the entry nearest to its kill
	killed   []bool    // by mutant
	touched  []*member // whose energy has to be weighed again
}

// New makes an empty pool.
func New(cfg Config) *Pool {
	if cfg.OnFound == nil {
		cfg.OnFound = func(*corpus.Input) {}
	}
	return &Pool{
		onFound: cfg.OnFound, byInput: make(map[string]*member), features: make([]feature, cfg.Blocks*wire.Buckets),
		blocks: make([]bool, cfg.Blocks), infector: make([]*member, cfg.Mutants+1), killed: make([]bool, cfg.Mutants+1),
	}
}

// Add takes an input into the corpus, and returns its number there. The ID of the entry
// given is of no account. It reports false when the input is there already.
func (p *Pool) Add(e Entry, discarded bool) (id int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.add(e)
	if m == nil {
		return 0, false
	}
	m.discarded = discarded
	return m.ID, true
}

// add returns nil when the input is there already. The caller holds the lock.
func (p *Pool) add(e Entry) *member {
	if p.byInput[e.Input.Key()] != nil {
		return nil
	}
	e.ID = len(p.members)
	m := &member{Entry: e}
	p.members = append(p.members, m)
	p.byInput[e.Input.Key()] = m
	p.touch(m)
	if e.Given {
		p.given++
	} else {
		p.onFound(e.Input)
	}
	for _, f := range e.Features {
		if !p.has(f) {
			p.seen = append(p.seen, f)
		}
		p.show(m, f)
		if b := f.Block(); b < len(p.blocks) && !p.blocks[b] {
			p.blocks[b] = true
			p.covered++
		}
	}
	return m
}

// Find adds what a worker has found and will study: an input that kills mutants which
// lived, or that shows a feature which no entry has yet. It reports false when another
// worker was sooner.
func (p *Pool) Find(in *corpus.Input, f *wire.Found, kills int) (id int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if kills == 0 && !p.anyNew(f.Features) {
		return 0, false
	}
	m := p.add(Entry{Input: in, Features: f.Features, Cost: f.Cost, Kills: kills})
	if m == nil {
		return 0, false
	}
	m.discarded = f.Discarded
	p.infects(m, f.Infects)
	m.assigned = true
	return m.ID, true
}

// anyNew reports whether one of the features is in no entry yet.
func (p *Pool) anyNew(features wire.Features) bool {
	return slices.ContainsFunc(features, func(f wire.Feature) bool { return !p.has(f) })
}

// Update takes in what mutants do on an input that was found before. Its entry may be
// another worker's, or there may be none, since another was sooner.
func (p *Pool) Update(in *corpus.Input, f *wire.Found, kills int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.byInput[in.Key()]
	if m == nil && kills > 0 {
		m = p.add(Entry{Input: in}) // its features are not told again: a worker learns them
	}
	if m != nil {
		m.Kills += kills
		p.infects(m, f.Infects)
	}
}

// Infects notes that an entry infects mutants without killing them.
func (p *Pool) Infects(id int, mutants []uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.infects(p.members[id], mutants)
}

// Favour gives entries more energy than what they cover and kill would: they are near to
// what the run is about. Inputs that are no entries do not count.
func (p *Pool) Favour(inputs []*corpus.Input) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, in := range inputs {
		if m := p.byInput[in.Key()]; m != nil && !m.favoured {
			m.favoured = true
			p.touch(m)
		}
	}
}

// Killed notes that mutants live no more: no entry is near their kills.
func (p *Pool) Killed(mutants []uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range mutants {
		p.killed[m] = true
		p.release(m)
	}
}

// Drop takes an entry out of the schedule that now ends the process: the next worker
// would not survive learning it. It stays an entry.
func (p *Pool) Drop(in *corpus.Input) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m := p.byInput[in.Key()]; m != nil {
		m.dropped = true
		p.disown(m)
	}
}

// Size counts the corpus.
type Size struct {
	Entries int
	Added   int // of these: not given
	Covered int // blocks
}

// Size returns how far the corpus has grown.
func (p *Pool) Size() Size {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Size{Entries: len(p.members), Added: len(p.members) - p.given, Covered: p.covered}
}

// Entries returns the corpus in the order in which it grew, those dropped included.
func (p *Pool) Entries() []Entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]Entry, len(p.members))
	for i, m := range p.members {
		list[i] = m.Entry
	}
	return list
}

// Since returns the entries that were added after the first n, in order.
func (p *Pool) Since(n int) []Entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]Entry, 0, len(p.members)-n)
	for _, m := range p.members[n:] {
		list = append(list, m.Entry)
	}
	return list
}

// Inputs returns the first n inputs of the corpus, the cheapest first, and what the
// dearest burns.
func (p *Pool) Inputs(n int) (inputs []*corpus.Input, most int64) {
	p.mu.Lock()
	first := slices.Clone(p.members[:min(n, len(p.members))])
	p.mu.Unlock()
	slices.SortStableFunc(first, func(a, b *member) int { return cmp.Compare(a.Cost, b.Cost) })
	for _, m := range first {
		inputs, most = append(inputs, m.Input), m.Cost
	}
	return inputs, most
}
