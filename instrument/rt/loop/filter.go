package loop

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
)

// A filter decides which mutants an input is run with: Mu2 §3.4.3, after the
// sound pruning of dead, unreached and uninfected ones.
type filter interface {
	// trace reports whether the input is worth a traced run of the original, at
	// once or, if it is going to be kept, later. novel counts its new coverage
	// features.
	trace(novel int) (now, later bool)
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

func (filterNone) trace(int) (now, later bool)           { return false, false }
func (filterNone) pick([]uint32, uint64, int64) []uint32 { return nil }
func (filterNone) spent(int64, int64, int)               {}

// filterAll is Mu2's default.
type filterAll struct{}

func (filterAll) trace(int) (now, later bool)                   { return true, false }
func (filterAll) pick(ids []uint32, _ uint64, _ int64) []uint32 { return ids }
func (filterAll) spent(original, mutants int64, kk int)         {}

// filterRandom is Mu2's k-random.
type filterRandom struct {
	k   int
	rng *havoc.Rand
}

func (f *filterRandom) trace(int) (now, later bool) { return true, false }
func (f *filterRandom) spent(int64, int64, int)     {}

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

func (f *filterLeast) trace(int) (now, later bool) { return true, false }
func (f *filterLeast) spent(int64, int64, int)     {}

func (f *filterLeast) pick(ids []uint32, _ uint64, _ int64) []uint32 {
	return leastExecuted(ids, f.k, f.m.executed)
}

func leastExecuted(ids []uint32, k int, executed []uint32) []uint32 {
	slices.SortStableFunc(ids, func(a, b uint32) int { return int(executed[a]) - int(executed[b]) })
	return ids[:min(k, len(ids))]
}
