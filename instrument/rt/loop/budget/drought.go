package budget

// A Drought tells when something has stopped to bring anything: when more than half of
// all work on it came after the last gain. Gains that come ever more slowly, each after
// twice the work as the one before, are on the edge of that.
type Drought struct {
	all, since int64 // fuel
}

// droughtLeast is the fuel before which nothing is dry: a few seconds of mutants, each of
// which burns little and is observed and compared, and half a second of long executions.
const droughtLeast = 1 << 25

// Note adds work, and whether it brought anything.
func (d *Drought) Note(gain bool, fuel int64) {
	d.all += fuel
	if d.since += fuel; gain {
		d.since = 0
	}
}

// Dry reports whether it has stopped to bring anything.
func (d *Drought) Dry() bool { return d.since > max(d.all/2, droughtLeast) }
