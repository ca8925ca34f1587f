package filter

import (
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/budget"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
)

const (
	adaptiveK      = 16       // mutants per input, at most
	adaptiveFuel   = 1 << 20  // for the mutants of one input, as far as the original tells
	waitingMost    = 16 << 20 // bytes of the inputs that wait
	shareLeast     = 0.1      // of the original's fuel goes to mutants as long as that brings kills
	shareDry       = 0.02     // ... and when it no longer does
	shareMost      = 8
	shareStart     = 0.3
	shareStep      = 1.01
	bankMost       = 5e6
	cooledAttempts = 2_000 // runs without a kill after which a mutant has cooled down
)

// State is what the adaptive filter learns over the rounds.
type State struct {
	tried pairs // of mutant and path that were run
	// bank is the fuel that mutants may still spend. Every execution pays in a
	// share of what it burned.
	bank  float64
	share float64

	waiting []Waiting // the one that has waited longest first
	weight  int       // of those that wait, in bytes

	explored budget.Rate // inputs with new coverage, by the fuel of all inputs
	kept     budget.Rate // kills, by inputs with new coverage that mutants were run on
	hunted   budget.Rate // kills, by the fuel of mutants on other inputs
	drought  budget.Drought
}

// Waiting is an input that is kept for its coverage, and whose mutants have not
// been run.
type Waiting struct {
	Vals []any
	Path uint64
}

func NewState() *State {
	return &State{
		tried: newPairs(), share: shareStart,
		explored: budget.NewRate(1 << 14), kept: budget.NewRate(1 << 8), hunted: budget.NewRate(1 << 9),
	}
}

// Adaptive spends a bounded share of the work on mutants. An input with new
// coverage is kept whatever it kills, so that its mutants can wait until there is
// fuel for them; it goes before other inputs, though, for which many mutants are
// then dead. The share moves to where a unit of fuel brings more kills: to new
// coverage, or to mutants on inputs without, and falls to a floor when the last half of
// the work on the latter brought no kill. Pairs of mutant and path that were
// not run before come first, and mutants that were infected often and never
// killed cool down.
type Adaptive struct {
	state *State
	m     *mutants.Mutants
	rng   *havoc.Rand

	keeping bool // the input in progress is going to be kept
}

func (f *Adaptive) Trace(novel int) (now, later bool) {
	f.keeping = novel > 0
	return novel == 0 && f.state.bank > 0 && len(f.state.waiting) == 0, novel > 0
}

// Next takes the input that has waited longest, if there is one and there is fuel for
// its mutants.
func (f *Adaptive) Next() (w Waiting, ok bool) {
	s := f.state
	if s.bank <= 0 || len(s.waiting) == 0 {
		return Waiting{}, false
	}
	w = s.waiting[0]
	s.drop()
	return w, true
}

// Wait has an input wait. Should there be too many, those that have waited longest have
// their mutants run when the search is over.
func (s *State) Wait(w Waiting) {
	s.waiting = append(s.waiting, w)
	for s.weight += w.weight(); s.weight > waitingMost && len(s.waiting) > 1; {
		s.drop()
	}
}

func (s *State) drop() {
	s.weight -= s.waiting[0].weight()
	s.waiting[0] = Waiting{}
	s.waiting = s.waiting[1:]
}

// weight is about what an input takes, in bytes.
func (w Waiting) weight() int {
	n := 256
	for _, v := range w.Vals {
		switch v := v.(type) {
		case []byte:
			n += len(v)
		case string:
			n += len(v)
		}
	}
	return n
}

// pairs remembers pairs in a bounded room: of two that share a slot the one that came
// last. It holds of each what the slot does not tell.
type pairs []uint32

const pairSlots = 1 << 18

func newPairs() pairs { return make(pairs, pairSlots) }

// pairOf is the hash of a mutant and a path.
func pairOf(id uint32, path uint64) uint64 { return havoc.Mix(path ^ uint64(id)*0x9e3779b97f4a7c15) }

// add adds a pair, by its hash.
func (p pairs) add(hash uint64) { p[hash%pairSlots] = uint32(hash>>32) | 1 }

// has reports whether a pair is there.
func (p pairs) has(hash uint64) bool { return p[hash%pairSlots] == uint32(hash>>32)|1 }

func (f *Adaptive) Pick(ids []uint32, path uint64, cost int64) []uint32 {
	s := f.state
	fresh := ids[:0]
	for _, id := range ids {
		pair := pairOf(id, path)
		if s.tried.has(pair) {
			// The same path with other data may still kill, but less likely the
			// more often it did not.
			if f.rng.Intn(8+int(f.m.Executed[id]>>4)) != 0 {
				continue
			}
		} else {
			if n := f.m.Executed[id]; n > cooledAttempts && f.rng.Intn(int(n/cooledAttempts)+1) != 0 {
				continue
			}
			s.tried.add(pair)
		}
		fresh = append(fresh, id)
	}
	// An input that takes long is run with few, so that none stops the search.
	k := min(max(adaptiveFuel/(cost+exec.ExecutionFuel), 1), adaptiveK)
	return leastExecuted(fresh, int(k), f.m.Executed)
}

func (f *Adaptive) Spent(original, mutants int64, kills int) {
	s := f.state
	plain := float64(original + exec.ExecutionFuel)
	s.bank = min(s.bank+s.share*plain-float64(mutants), bankMost)
	if f.keeping {
		s.explored.Note(1, plain)
	} else {
		s.explored.Note(0, plain)
	}
	if mutants == 0 {
		return
	}
	s.hunted.Note(float64(kills), float64(mutants))
	s.drought.Note(kills > 0, mutants)
	switch {
	case s.drought.Dry():
		s.share = max(s.share/shareStep, shareDry)
	case s.hunted.Value() > s.explored.Value()*s.kept.Value():
		s.share = min(max(s.share, shareLeast)*shareStep, shareMost)
	default:
		s.share = max(s.share/shareStep, shareLeast)
	}
}

// Ran tells what the mutants of an input that waited have burned, and how many
// it kills.
func (f *Adaptive) Ran(mutants int64, kills float64) {
	f.state.bank -= float64(mutants)
	f.state.kept.Note(kills, 1)
}
