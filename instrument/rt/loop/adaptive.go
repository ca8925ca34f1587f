package loop

import "github.com/fuzzmut/fuzzmut/instrument/rt/havoc"

const (
	adaptiveK      = 16       // mutants per input, at the most
	adaptiveFuel   = 1 << 20  // for the mutants of one input, as far as the original tells
	waitingMost    = 16 << 20 // bytes of the inputs that wait
	shareLeast     = 0.1      // of the original's fuel goes to mutants whatever happens
	shareMost      = 8
	shareStart     = 0.3
	shareStep      = 1.01
	executionFuel  = 60 // what an execution costs besides the fuel it burns
	traceFactor    = 6  // a traced run costs so many times a plain one
	recordFactor   = 10 // and one that hands over operands
	bankMost       = 5e6
	cooledAttempts = 2_000 // runs without a kill after which a mutant has cooled down
)

// adaptiveState is what the adaptive filter learns over the rounds.
type adaptiveState struct {
	tried pairs // of mutant and path that were run
	// bank is the fuel that mutants may still spend. Every execution pays in a
	// share of what it burned.
	bank  float64
	share float64

	waiting []waiting // the one that has waited longest first
	weight  int       // of those that wait, in bytes

	explored rate // inputs with new coverage, by the fuel of all inputs
	kept     rate // kills, by inputs with new coverage that mutants were run on
	hunted   rate // kills, by the fuel of mutants on other inputs
}

// waiting is an input that is kept for its coverage, and whose mutants have not
// been run.
type waiting struct {
	vals []any
	path uint64
}

func newAdaptiveState() *adaptiveState {
	return &adaptiveState{
		tried: newPairs(), share: shareStart,
		explored: rate{window: 1 << 14}, kept: rate{window: 1 << 8}, hunted: rate{window: 1 << 9},
	}
}

// rate is what something brings for what it costs, of late.
type rate struct {
	n, window  int
	gain, cost float64
}

func (r *rate) note(gain, cost float64) {
	if r.n == r.window {
		r.n, r.gain, r.cost = r.n/2, r.gain/2, r.cost/2
	}
	r.n++
	r.gain += gain
	r.cost += cost
}

// doubt is the part of a gain that may just have been missed.
const doubt = 0.5

func (r *rate) value() float64 {
	if r.cost == 0 {
		return 0
	}
	return (r.gain + doubt) / r.cost
}

// filterAdaptive spends a bounded share of the work on mutants. An input with new
// coverage is kept whatever it kills, so that its mutants can wait until there is
// fuel for them; it goes before other inputs, though, for which many mutants are
// then dead. The share moves to where a unit of fuel brings more kills: to new
// coverage, or to mutants on inputs without. Pairs of mutant and path that were
// not run before come first, and mutants that were infected often and never
// killed cool down.
type filterAdaptive struct {
	state *adaptiveState
	m     *mutants
	rng   *havoc.Rand

	keeping bool // the input under way is going to be kept
}

func (f *filterAdaptive) trace(novel int) (now, later bool) {
	f.keeping = novel > 0
	return novel == 0 && f.state.bank > 0 && len(f.state.waiting) == 0, novel > 0
}

// next takes the input that has waited longest, if there is one and there is fuel for
// its mutants.
func (f *filterAdaptive) next() (w waiting, ok bool) {
	s := f.state
	if s.bank <= 0 || len(s.waiting) == 0 {
		return waiting{}, false
	}
	w = s.waiting[0]
	s.drop()
	return w, true
}

// wait has an input wait. Should there be too many, those that have waited longest have
// their mutants run when the search is over.
func (s *adaptiveState) wait(w waiting) {
	s.waiting = append(s.waiting, w)
	for s.weight += w.weight(); s.weight > waitingMost && len(s.waiting) > 1; {
		s.drop()
	}
}

func (s *adaptiveState) drop() {
	s.weight -= s.waiting[0].weight()
	s.waiting[0] = waiting{}
	s.waiting = s.waiting[1:]
}

// weight is about what an input takes, in bytes.
func (w waiting) weight() int {
	n := 256
	for _, v := range w.vals {
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

// add adds a pair, by its hash.
func (p pairs) add(hash uint64) { p[hash%pairSlots] = uint32(hash>>32) | 1 }

// has reports whether a pair is there.
func (p pairs) has(hash uint64) bool { return p[hash%pairSlots] == uint32(hash>>32)|1 }

func (f *filterAdaptive) pick(ids []uint32, path uint64, cost int64) []uint32 {
	s := f.state
	fresh := ids[:0]
	for _, id := range ids {
		pair := havoc.Mix(path ^ uint64(id)*0x9e3779b97f4a7c15)
		if s.tried.has(pair) {
			// The same path with other data may still kill, but less likely the
			// more often it did not.
			if f.rng.Intn(8+int(f.m.executed[id]>>4)) != 0 {
				continue
			}
		} else {
			if n := f.m.executed[id]; n > cooledAttempts && f.rng.Intn(int(n/cooledAttempts)+1) != 0 {
				continue
			}
			s.tried.add(pair)
		}
		fresh = append(fresh, id)
	}
	// An input that takes long is run with few, so that none stops the search.
	k := min(max(adaptiveFuel/(cost+executionFuel), 1), adaptiveK)
	return leastExecuted(fresh, int(k), f.m.executed)
}

func (f *filterAdaptive) spent(original, mutants int64, kills int) {
	s := f.state
	plain := float64(original + executionFuel)
	s.bank = min(s.bank+s.share*plain-float64(mutants), bankMost)
	if f.keeping {
		s.explored.note(1, plain)
	} else {
		s.explored.note(0, plain)
	}
	if mutants == 0 {
		return
	}
	s.hunted.note(float64(kills), float64(mutants))
	if s.hunted.value() > s.explored.value()*s.kept.value() {
		s.share = min(s.share*shareStep, shareMost)
	} else {
		s.share = max(s.share/shareStep, shareLeast)
	}
}

// judged tells what the mutants of an input that waited have burned, and how many
// it kills.
func (f *filterAdaptive) judged(mutants int64, kills float64) {
	f.state.bank -= float64(mutants)
	f.state.kept.note(kills, 1)
}
