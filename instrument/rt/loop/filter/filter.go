// Package filter decides which mutants an input is run with.
package filter

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
)

// A Filter decides which mutants an input is run with: Mu2 §3.4.3, after the
// sound pruning of dead, unreached and uninfected ones.
type Filter interface {
	// Trace reports whether the input is worth a traced run of the original, at
	// once or, if it is going to be kept, later. novel counts its new coverage
	// features.
	Trace(novel int) (now, later bool)
	// Pick chooses among the live mutants that the input infects. path is the
	// hash of its coverage features, cost the fuel that the original burns on it.
	Pick(infected []uint32, path uint64, cost int64) []uint32
	// Spent tells what the decision cost, in fuel, and how many kills it brought.
	Spent(original, mutants int64, kills int)
}

// New makes the filter of a round. The state that adaptive needs lives
// with the worker, not with the round.
func New(name string, k int, m *mutants.Mutants, rng *havoc.Rand, state *State) Filter {
	switch name {
	case "all":
		return All{}
	case "random":
		return &random{k: k, rng: rng}
	case "least-executed":
		return &least{k: k, m: m}
	case "eager":
		return &eager{tried: state.tried, m: m, rng: rng}
	case "adaptive":
		return &Adaptive{state: state, m: m, rng: rng}
	}
	return none{}
}

// none runs no mutants: coverage only, the baseline.
type none struct{}

func (none) Trace(int) (now, later bool)           { return false, false }
func (none) Pick([]uint32, uint64, int64) []uint32 { return nil }
func (none) Spent(int64, int64, int)               {}

// All is Mu2's default.
type All struct{}

func (All) Trace(int) (now, later bool)                   { return true, false }
func (All) Pick(ids []uint32, _ uint64, _ int64) []uint32 { return ids }
func (All) Spent(original, mutants int64, kk int)         {}

// random is Mu2's k-random.
type random struct {
	k   int
	rng *havoc.Rand
}

func (f *random) Trace(int) (now, later bool) { return true, false }
func (f *random) Spent(int64, int64, int)     {}

func (f *random) Pick(ids []uint32, _ uint64, _ int64) []uint32 {
	// A partial Fisher-Yates shuffle of the caller's own list.
	n := min(f.k, len(ids))
	for i := range n {
		j := i + f.rng.Intn(len(ids)-i)
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids[:n]
}

// least is Mu2's k-least-executed: never-executed mutants first, in list
// order, then by ascending count; the count goes up only for those selected.
type least struct {
	k int
	m *mutants.Mutants
}

func (f *least) Trace(int) (now, later bool) { return true, false }
func (f *least) Spent(int64, int64, int)     {}

func (f *least) Pick(ids []uint32, _ uint64, _ int64) []uint32 {
	return leastExecuted(ids, f.k, f.m.Executed)
}

func leastExecuted(ids []uint32, k int, executed []uint32) []uint32 {
	slices.SortStableFunc(ids, func(a, b uint32) int { return int(executed[a]) - int(executed[b]) })
	return ids[:min(k, len(ids))]
}
