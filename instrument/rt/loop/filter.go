package loop

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
)

// A filter decides which mutants an input is run with: Mu2 §3.4.3, after the
// sound pruning of dead, unreached and uninfected ones.
type filter interface {
	// trace reports whether the input is worth a traced run of the original.
	// novel counts its new coverage features.
	trace(novel int) bool
	// pick chooses among the living mutants that the input infects. path is the
	// hash of its coverage features, cost the fuel that the original burns on it.
	pick(infected []uint32, path uint64, cost int64) []uint32
	// spent tells what the decision cost, in fuel, and how many kills it brought.
	spent(original, mutants int64, kills int)
}

// newFilter makes the filter of a round. The state that adaptive needs lives
// with the worker, not with the round.
func newFilter(name string, k int, m *mutants, rng *havoc.Rand, state *adaptiveState) filter {
	switch name {
	case "all":
		return filterAll{}
	case "random":
		return &filterRandom{k: k, rng: rng}
	case "least-executed":
		return &filterLeast{k: k, m: m}
	case "adaptive":
		return &filterAdaptive{state: state, m: m, rng: rng}
	}
	return filterNone{}
}

// filterNone runs no mutants: coverage only, the baseline.
type filterNone struct{}

func (filterNone) trace(int) bool                        { return false }
func (filterNone) pick([]uint32, uint64, int64) []uint32 { return nil }
func (filterNone) spent(int64, int64, int)               {}

// filterAll is Mu2's default.
type filterAll struct{}

func (filterAll) trace(int) bool                                { return true }
func (filterAll) pick(ids []uint32, _ uint64, _ int64) []uint32 { return ids }
func (filterAll) spent(original, mutants int64, kk int)         {}

// filterRandom is Mu2's k-random.
type filterRandom struct {
	k   int
	rng *havoc.Rand
}

func (f *filterRandom) trace(int) bool          { return true }
func (f *filterRandom) spent(int64, int64, int) {}

func (f *filterRandom) pick(ids []uint32, _ uint64, _ int64) []uint32 {
	// A partial Fisher-Yates shuffle of the caller's own list.
	n := min(f.k, len(ids))
	for i := range n {
		j := i + f.rng.Intn(len(ids)-i)
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids[:n]
}

// filterLeast is Mu2's k-least-executed: never-executed mutants first, in list
// order, then by ascending count; the count goes up only for those selected.
type filterLeast struct {
	k int
	m *mutants
}

func (f *filterLeast) trace(int) bool          { return true }
func (f *filterLeast) spent(int64, int64, int) {}

func (f *filterLeast) pick(ids []uint32, _ uint64, _ int64) []uint32 {
	return leastExecuted(ids, f.k, f.m.executed)
}

func leastExecuted(ids []uint32, k int, executed []uint32) []uint32 {
	slices.SortStableFunc(ids, func(a, b uint32) int { return int(executed[a]) - int(executed[b]) })
	return ids[:min(k, len(ids))]
}

// adaptiveState is what the adaptive filter learns over the rounds.
type adaptiveState struct {
	tried map[uint64]struct{} // (mutant, path) pairs that were run
	// bank is the fuel that mutants may still spend. Every execution pays in a
	// share of what it burned; a kill raises the share, barren work lowers it.
	bank  float64
	share float64
}

const (
	adaptiveK      = 16      // mutants per input, at the most
	adaptiveFuel   = 1 << 20 // for the mutants of one input, as far as the original tells
	adaptiveTried  = 1 << 20 // pairs remembered
	shareLeast     = 0.05    // of the original's fuel goes to mutants whatever happens
	shareMost      = 1.5
	shareStart     = 0.8
	shareUp        = 0.02
	shareDown      = 0.9999
	executionFuel  = 60 // what an execution costs besides the fuel it burns
	traceFactor    = 6  // a traced run costs so many times a plain one
	recordFactor   = 10 // and one that hands over operands
	bankMost       = 5e6
	cooledAttempts = 2_000 // runs without a kill after which a mutant has cooled down
)

func newAdaptiveState() *adaptiveState {
	return &adaptiveState{tried: make(map[uint64]struct{}), share: shareStart}
}

// filterAdaptive spends a bounded share of the work on mutants, moves the share
// with what it yields, prefers pairs of mutant and path that were not run
// before, and lets mutants that were infected often and never killed cool down.
type filterAdaptive struct {
	state *adaptiveState
	m     *mutants
	rng   *havoc.Rand
}

func (f *filterAdaptive) trace(novel int) bool {
	return novel > 0 || f.state.bank > 0
}

func (f *filterAdaptive) pick(ids []uint32, path uint64, cost int64) []uint32 {
	s := f.state
	if len(s.tried) > adaptiveTried {
		clear(s.tried)
	}
	fresh := ids[:0]
	for _, id := range ids {
		pair := mix(path ^ uint64(id)*0x9e3779b97f4a7c15)
		if _, done := s.tried[pair]; done {
			// The same path with other data may still kill, but less likely the
			// more often it did not.
			if f.rng.Intn(8+int(f.m.executed[id]>>4)) != 0 {
				continue
			}
		} else {
			if n := f.m.executed[id]; n > cooledAttempts && f.rng.Intn(int(n/cooledAttempts)+1) != 0 {
				continue
			}
			s.tried[pair] = struct{}{}
		}
		fresh = append(fresh, id)
	}
	// An input that takes long is run with few, so that none stops the search.
	k := min(max(adaptiveFuel/(cost+executionFuel), 1), adaptiveK)
	return leastExecuted(fresh, int(k), f.m.executed)
}

func (f *filterAdaptive) spent(original, mutants int64, kills int) {
	s := f.state
	s.bank = min(s.bank+s.share*float64(original+executionFuel)-float64(mutants), bankMost)
	switch {
	case kills > 0:
		s.share = min(s.share+shareUp*float64(kills), shareMost)
	case mutants > 0:
		s.share = max(s.share*shareDown, shareLeast)
	}
}
