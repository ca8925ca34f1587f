// Package budget bounds what a part of the work takes, and tells what it brings for that.
package budget

import "github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"

// A Budget bounds what one part of the work takes: the first so many executions, and
// then a share of all there are; and the same in fuel.
type Budget struct {
	first       int64 // executions
	share       int64 // one in so many
	execs, fuel int64 // taken
}

// New returns a budget of so many executions at first, and then of one in share.
func New(first, share int64) Budget { return Budget{first: first, share: share} }

// typicalFuel is what an execution is taken to cost as long as there were few.
const typicalFuel = 3 * exec.ExecutionFuel

// Left reports whether more may be taken of so many executions and so much fuel.
func (b *Budget) Left(execs, fuel int64) bool {
	return b.execs < b.first+execs/b.share && b.fuel < b.first*typicalFuel+fuel/b.share
}

// Book counts an execution, and the fuel that is spent until the returned function is
// called.
func (b *Budget) Book(spent *int64) func() {
	before := *spent
	return func() {
		b.execs++
		b.fuel += *spent - before
	}
}
