package exec

import fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"

// onDoom is called by the runtime, on whatever goroutine the target runs, when
// the execution has to end from inside.
func (x *Executor) onDoom(reason fuzzmutrt.Doom, _ int) (more bool) {
	if x.Calling() {
		return reason == fuzzmutrt.OutOfFuel && x.Refuel() // else the panic that follows ends the method only
	}
	if reason == fuzzmutrt.OutOfFuel && (x.dooms.Spare() || x.refuel()) {
		return true
	}
	if x.doom == fuzzmutrt.NotDoomed {
		x.doom = reason
		x.shared.SetDoom(uint8(reason))
		if reason == fuzzmutrt.OutOfFuel {
			x.run.stack = x.window.last()
		}
		if x.run.stack == nil {
			x.run.capture(2)
		}
	}
	x.dooms.Panic()
	return false
}

// refuel hands out more fuel, if there is some, and reports whether there was.
func (x *Executor) refuel() bool {
	if x.hot != nil && x.hot.enter() || x.litter.enter() {
		return true
	}
	if x.litter.out {
		x.window.shorten(x.litter.used / windowShare)
	}
	return x.window.enter() || x.ration.enter()
}
