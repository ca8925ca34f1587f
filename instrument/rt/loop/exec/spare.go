package exec

import (
	"os"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// spareFuel is what a doomed execution may burn after each panic of ours: enough for what most
// packages defer, and SwallowedDooms times that are some tenths of a second.
const spareFuel = 500

// Dooms are the panics that end one doomed execution: more than one if the target recovers them,
// or if what it defers runs out of fuel, too.
type Dooms struct {
	panics int
	owed   bool // the last panic has not been given its fuel
}

// Spare gives a doomed execution a little fuel, once after each panic of ours, and reports whether
// it did. What the target defers can return then. Without, each deferred call of a recursion would
// panic within the panic before it, and the runtime walks over all of these each time: the time
// would grow with the square of the depth.
func (d *Dooms) Spare() bool {
	if d.owed {
		fuzzmutrt.Fuel = spareFuel
		d.owed = false
		return true
	}
	return false
}

// Panic counts a panic of ours that follows. A target that recovers too many ends the process.
func (d *Dooms) Panic() {
	d.owed = true
	if d.panics++; d.panics > SwallowedDooms {
		os.Exit(wire.ExitDamaged) // the coordinator reads the doom from the mapping
	}
}

// Left is what is left of the fuel, given what Fuel says at the end: of an execution that was
// doomed it is nothing. It is no more than there was: a goroutine of an execution before may put back what it has read
// when there was no limit, and then nothing is known of what was burned.
func (d *Dooms) Left(fuel, most int64) int64 {
	if d.panics > 0 {
		return min(fuel, -1)
	}
	return min(fuel, most)
}
