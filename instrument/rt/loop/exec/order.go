package exec

import (
	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
)

// The order in which maps are ranged over is part of what an execution depends on, so
// it is numbered. A mutant is compared with the original in the same order, number 0:
// what the order decides is no difference between them. Whether the original depends
// on the order is found out by running it in others.

// newExecution makes an execution depend on nothing that the ones before it have left
// to package sync or drawn, and puts maps into an order until the next call.
func newExecution(order uint64) {
	EmptyPools()
	SetOrder(order)
}

// EmptyPools has no sync.Pool return what was put before.
func EmptyPools() {
	if fuzzmutrt.NewPools != nil {
		fuzzmutrt.NewPools()
	}
}

// Orders is how many orders, counted from 1, show all that one range over a map of up
// to eight entries can do: it begins at another entry in each.
const Orders = 8

// SetOrder puts maps into an order until the next call. In order 0 all ranges begin alike, since a mutant may leave one out,
// and those after it are to be the original's; in others they differ, as they do without fuzzmut.
func SetOrder(number uint64) {
	if fuzzmutrt.SetOrder == nil {
		return
	}
	const set = 1 << 63 // 0 would leave the order to chance
	order := set | havoc.Mix(number)<<3&^fuzzmutrt.Varied | number%Orders
	if number > 0 {
		order |= fuzzmutrt.Varied
	}
	fuzzmutrt.SetOrder(order)
}

// Ordered makes an execution with maps in another order than that of mutants.
func (x *Executor) Ordered(number uint64, run func() Execution) Execution {
	x.order = number
	ex := run()
	x.order = 0
	return ex
}
