package lockstep

import "github.com/fuzzmut/fuzzmut/instrument/rt/wire"

// MoreWork stands for a difference that no value shows: new code does much more work.
const MoreWork = "more work"

// Work is what an input makes one side do. Fuel is calls and turns of loops in rewritten
// code, a number that is the same in every run. It leaves out what the Go runtime and
// packages that are not rewritten do, so that code which does by a loop what it left to one
// of them before seems to do more: hence the bounds below. Bytes are those that all code
// allocates; 0: they are not measured.
type Work struct{ Fuel, Bytes int64 }

// A Measure says when new code does much more work than old code.
type Measure struct {
	Factor float64 // by which the fuel has to grow; 0: work is not compared
}

// Over ten pairs of releases of public modules, seven of them refactorings, no input that
// shows the same values grew by more than 2.6 times, or by more than 11 units for each of
// its bytes; in the refactorings by more than 1.5 times, or by more than 122 units.
const (
	// leastMore is the growth below which nothing counts, in units of fuel: some ten
	// microseconds. Tables that are filled on the first call are of this size.
	leastMore = 4096
	// leastMorePerByte is likewise, for each byte of the input: copy, append, ==, and the
	// functions of package strings burn nothing, and skip an input as often as its
	// few readers do. What grows faster than its input is soon beyond.
	leastMorePerByte = 32
	// leastBytes is the growth of allocated bytes below which nothing counts: a few buffers
	// of the usual sizes.
	leastBytes = 64 << 10
	// leastBytesPerByte is likewise, for each byte of the input: copies of it, as strings,
	// runes and tokens.
	leastBytesPerByte = 64
)

// More says whether the growth from before to now is a difference, for an input of size
// bytes.
func (m Measure) More(before, now Work, size int) bool {
	return m.MoreFuel(before, now, size) || m.MoreBytes(before, now, size)
}

// MoreFuel is More of the fuel alone.
func (m Measure) MoreFuel(before, now Work, size int) bool {
	return m.grows(before.Fuel, now.Fuel, max(leastMore, leastMorePerByte*int64(size)))
}

// MoreBytes is More of the allocated bytes alone.
func (m Measure) MoreBytes(before, now Work, size int) bool {
	return before.Bytes > 0 && now.Bytes > 0 && m.grows(before.Bytes, now.Bytes, max(leastBytes, leastBytesPerByte*int64(size)))
}

func (m Measure) grows(before, now, least int64) bool {
	return m.Factor > 0 && float64(now) > m.Factor*float64(before) && now-before > least
}

// moreWork says whether two runs that ended in the same way differ in their work.
func (l *Lockstep) moreWork(r *Result) bool {
	a, b := &r.Runs[0], &r.Runs[1]
	return a.Kind == b.Kind && !a.Kind.Failed() && l.Work.More(a.Work, b.Work, r.Input.Len())
}

// weigh says which inputs of a Replay have their allocated bytes measured.
func (l *Lockstep) weigh(how wire.Weigh) wire.Weigh {
	if l.Work.Factor == 0 {
		return wire.WeighNone
	}
	return how
}
