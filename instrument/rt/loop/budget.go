package loop

// A budget bounds what one part of the work takes: the first so many executions, and
// then a share of all there are; and the same in fuel.
type budget struct {
	first       int64 // executions
	share       int64 // one in so many
	execs, fuel int64 // taken
}

// typicalFuel is what an execution is taken to cost as long as there were few.
const typicalFuel = 3 * executionFuel

// left reports whether more may be taken of so many executions and so much fuel.
func (b *budget) left(execs, fuel int64) bool {
	return b.execs < b.first+execs/b.share && b.fuel < b.first*typicalFuel+fuel/b.share
}

// book counts an execution, and the fuel that is spent until the returned function is
// called.
func (b *budget) book(spent *int64) func() {
	before := *spent
	return func() {
		b.execs++
		b.fuel += *spent - before
	}
}
