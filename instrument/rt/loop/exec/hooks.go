package exec

import (
	"os"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// onDoom is called by the runtime, on whatever goroutine the target runs, when
// the execution has to end from inside.
func (x *Executor) onDoom(reason fuzzmutrt.Doom, _ int) {
	if x.aside.calling {
		return // the panic that follows ends the method only
	}
	if reason == fuzzmutrt.OutOfFuel && (x.window.enter() || x.ration.enter()) {
		return
	}
	if x.doom == fuzzmutrt.NotDoomed {
		x.doom = reason
		x.shared.SetDoom(uint8(reason))
		if x.run.stack == nil {
			x.run.capture(2)
		}
	}
	if x.dooms++; x.dooms > SwallowedDooms {
		os.Exit(wire.ExitDamaged) // the coordinator reads the doom from the mapping
	}
}

// onObserve records observed values. Package observe may itself use what is
// mutated (strconv, say), so every mutant is off while it works.
func (x *Executor) onObserve(site uint32, vals []any) {
	if x.aside.in {
		return // a method called for an observation is not the target's doing
	}
	x.aside = aside{in: true, active: fuzzmutrt.Active, tracing: fuzzmutrt.Tracing, fuel: fuzzmutrt.Fuel}
	fuzzmutrt.Active, fuzzmutrt.Tracing, fuzzmutrt.Fuel = 0, false, NoFuelLimit
	x.show(site, vals)
	fuzzmutrt.Active, fuzzmutrt.Tracing, fuzzmutrt.Fuel = x.aside.active, x.aside.tracing, x.aside.fuel
	x.aside = aside{}
}

// methodFuel is what an Error or Equal method of an observed value may burn.
const methodFuel = 1_000_000

// guard calls a method of an observed value, with separate fuel. While the target
// runs, the method runs as the target would have run it, mutant and all: what an
// error says is part of what is observed.
func (x *Executor) guard(call func()) (panicked any) {
	if x.aside.in {
		fuzzmutrt.Active, fuzzmutrt.Tracing = x.aside.active, x.aside.tracing
	}
	x.aside.calling = true
	fuzzmutrt.Fuel = methodFuel
	returned := false
	defer func() {
		if panicked = recover(); panicked == nil && !returned {
			panicked = PanicText(nil)
		}
		x.aside.calling = false
		fuzzmutrt.Active, fuzzmutrt.Tracing, fuzzmutrt.Fuel = 0, false, NoFuelLimit
	}()
	call()
	returned = true
	return nil
}
