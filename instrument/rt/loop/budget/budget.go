// Package budget bounds what a part of the work takes, and tells what it brings for that.
package budget

import "github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"

// A Budget bounds what one part of the work takes: a number of executions at first, and
// then a share of all there are; and the same in fuel. While it brings nothing, the share
// is smaller.
type Budget struct {
	share   int64 // of all work, one part in share may be taken
	drought Drought

	execs, fuel         int64   // taken
	mostExecs, mostFuel float64 // what may be taken
	allExecs, allFuel   int64   // of all work, as far as that counts in what may be taken
}

// New returns a budget of first executions, and then of one in share.
func New(first, share int64) Budget {
	return Budget{share: share, mostExecs: float64(first), mostFuel: float64(first) * typicalFuel}
}

// typicalFuel is what an execution is taken to cost as long as there were few.
const typicalFuel = 3 * exec.ExecutionFuel

// dryShare is by how much the share is smaller while it brings nothing.
const dryShare = 5

// Left reports whether more may be taken where execs and fuel are those of all work so far.
func (b *Budget) Left(execs, fuel int64) bool {
	share := b.share
	if b.drought.Dry() {
		share *= dryShare
	}
	b.mostExecs += float64(execs-b.allExecs) / float64(share)
	b.mostFuel += float64(fuel-b.allFuel) / float64(share)
	b.allExecs, b.allFuel = execs, fuel
	return float64(b.execs) < b.mostExecs && float64(b.fuel) < b.mostFuel
}

// Book counts an execution, and the fuel that is spent until the returned function is
// called with what it brought.
func (b *Budget) Book(spent *int64) func(gain bool) {
	before := *spent
	return func(gain bool) {
		b.execs++
		b.fuel += *spent - before
		b.drought.Note(gain, *spent-before)
	}
}
