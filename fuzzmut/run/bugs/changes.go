package bugs

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// mostBeforeDeciding is how many changes come before the condition that decides whether the failing line
// is reached, at most: it is among the five that are shown.
const mostBeforeDeciding = 4

// Changes are those to read of a bucket, most at most, each with its place: ranked, which are its repairs, and what
// breaks something.
// They are at different lines: several ways to repair one statement tell no more of where the bug is
// than the first of them. What breaks something near the failure comes before repairs of fewer than half of
// the inputs, which have more to do with these inputs than with the bug, unless a test of the package that fails
// passes with one. The condition that decides
// whether the failing line is reached is among the first ones: a guard says that a value is wrong there, and that
// condition often says what it has to be.
func (l *Localiser) Changes(items []int, ranked []report.RankedRepair, most int) (repairs, noisy []report.RankedRepair) {
	var many, few, near, elsewhere, rest []report.RankedRepair
	isFew := l.few(items)
	for _, r := range ranked {
		if isFew(r.Here) && l.nowPass(r) == 0 {
			few = append(few, r)
		} else {
			many = append(many, r)
		}
	}
	for _, r := range l.Noisy(items) {
		switch {
		case r.Elsewhere:
			elsewhere = append(elsewhere, r)
		case isFew(r.Here):
			rest = append(rest, r)
		default:
			near = append(near, r)
		}
	}
	list := l.decidingAmongFirst(items, l.onePerLine(slices.Concat(many, near, few, elsewhere, rest)))
	for i, r := range list[:min(most, len(list))] {
		if r.Place = i + 1; l.Listed[r.Repair].Counts {
			repairs = append(repairs, r)
		} else {
			noisy = append(noisy, r)
		}
	}
	return repairs, noisy
}

// CostlyChanges are those to read of a bucket of costly inputs: ranked, which are its repairs, bounds first, and of
// what breaks something that near the loop.
func (l *Localiser) CostlyChanges(items []int, ranked []report.RankedRepair, most int) (repairs, noisy []report.RankedRepair) {
	repairs = ranked[:min(most, len(ranked))]
	noisy = slices.DeleteFunc(l.Noisy(items), func(r report.RankedRepair) bool { return r.Elsewhere })
	return repairs, noisy[:min(most-len(repairs), len(noisy))]
}

// few returns what reports whether a change makes fewer than half of the inputs pass that were run with all mutants; of
// all inputs, if none was.
func (l *Localiser) few(items []int) func(here int) bool {
	n := 0
	for _, item := range items {
		if l.sort.Inputs[l.sort.Cases[item]].Repairs.Done {
			n++
		}
	}
	if n == 0 {
		n = len(items)
	}
	return func(here int) bool { return 2*here < n }
}

// decidingAmongFirst moves the condition that decides whether the failing line is reached up, unless it is
// among the first ones.
func (l *Localiser) decidingAmongFirst(items []int, list []report.RankedRepair) []report.RankedRepair {
	decides := l.deciding(items)
	at := slices.IndexFunc(list, func(r report.RankedRepair) bool { return r.Repair == decides })
	if at < 0 {
		return list
	}
	r := list[at]
	r.Decides = true
	return slices.Insert(slices.Delete(list, at, at+1), min(at, mostBeforeDeciding), r)
}

// onePerLine leaves the first change of each line.
func (l *Localiser) onePerLine(ranked []report.RankedRepair) (list []report.RankedRepair) {
	seen := make(map[place]bool)
	for _, r := range ranked {
		at := &l.Listed[r.Repair]
		if line := (place{at.File, at.Line, at.Line}); !seen[line] {
			seen[line] = true
			list = append(list, r)
		}
	}
	return list
}

// deciding is the condition that decides whether the failing line is reached, by its place in the
// list of repairs: the nearest one above it in its function with which at least half of the inputs pass
// if it is negated. If there is none, it is that above the line of the call, and so on; -1 if there is
// none at all.
func (l *Localiser) deciding(items []int) int {
	frames := l.sort.Inputs[l.sort.Cases[items[0]]].Frames()
	among, isFew := bitset.Of(items...), l.few(items)
	best, nearest := -1, []int{len(frames)}
	for number, m := range l.mutants {
		at, listed := l.at[m]
		mutant := &l.sort.trial.Package.Program.Mutants[m-1]
		if !listed || mutant.Operator != operator.ConditionNegation || isFew(l.spectrum.Mutants[number].Repairs.Shared(among)) {
			continue
		}
		deep := l.depth(m, frames)
		if deep == len(frames) {
			continue
		}
		_, failing := trial.PositionOf(frames[deep])
		if near := []int{deep, failing - mutant.Line}; mutant.Line <= failing && slices.Compare(near, nearest) < 0 {
			best, nearest = at, near
		}
	}
	return best
}
