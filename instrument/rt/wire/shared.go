package wire

import (
	"encoding/binary"
	"sync/atomic"
	"time"
	"unsafe"
)

// Shared is the memory that coordinator and worker both map. Before every
// execution the worker writes there what it is about to run, so that any death
// can be attributed to an input and a mutant. The worker owns every field but
// Stop, which the coordinator sets; the coordinator reads the rest at any time
// and, after the worker's death, at leisure.
type Shared struct {
	h      *header
	inputs [2][]byte
}

const (
	// SharedSize is the size of the mapping: a header, and room for the input under
	// way and for the one before, whose goroutines may still be there.
	SharedSize = 8 << 20
	// InputMost is how long an encoded input may be to fit.
	InputMost = SharedSize/2 - 4096

	// noInput is the length of an input that is being written.
	noInput = 1 << 63
)

// header has its 64-bit fields first: atomic access needs them aligned on 32-bit
// systems too.
type header struct {
	Inputs      uint64 // inputs bred and run, over the life of the process
	Execs       uint64 // executions of the original, re-runs included
	MutantExecs uint64
	Heartbeat   uint64    // goes up by one with every execution
	InputLen    [2]uint64 // of the encoded inputs; the parts that fit are there
	Limit       uint64    // of the execution by the clock, in nanoseconds; 0: the coordinator's own
	Idle        uint64    // how long nothing may run, in nanoseconds; 0: as long as it likes
	Active      uint32    // mutant under way
	Last        uint32    // mutant that was run last, the one under way included
	Before      uint32    // another mutant, that was run before that
	Running     uint32    // 1 while the target runs
	Doom        uint32    // why the execution was ended from inside
	Stop        uint32    // set by the coordinator: end the round early
	Slot        uint32    // which of the inputs is the one under way
	Test        uint32    // of the package's own, under way
}

const headerSize = unsafe.Sizeof(header{})

// NewShared lays a Shared over mem, which must be SharedSize bytes long and
// aligned to 8.
func NewShared(mem []byte) *Shared {
	s := &Shared{h: (*header)(unsafe.Pointer(unsafe.SliceData(mem)))}
	first := headerSize + InputMost
	s.inputs[0], s.inputs[1] = mem[headerSize:first], mem[first:first+InputMost]
	return s
}

// Begin records that the input, encoded as values, is about to be run with the
// mutant active.
func (s *Shared) Begin(mutant uint32) {
	h := s.h
	h.Active = mutant
	h.Doom = 0
	if mutant == 0 {
		h.Execs++
	} else {
		h.MutantExecs++
		if h.Last != mutant {
			h.Before, h.Last = h.Last, mutant
		}
	}
	// The heartbeat goes last: who sees it sees the rest.
	atomic.StoreUint32(&h.Running, 1)
	atomic.AddUint64(&h.Heartbeat, 1)
}

// BeginTest records that a test is about to be run with the mutant active.
func (s *Shared) BeginTest(mutant uint32, test int, bounds Bounds) {
	atomic.StoreUint32(&s.h.Test, uint32(test))
	atomic.StoreUint64(&s.h.Limit, uint64(bounds.Limit))
	atomic.StoreUint64(&s.h.Idle, uint64(bounds.Idle))
	s.Begin(mutant)
}

// End records that the target has returned.
func (s *Shared) End() { atomic.StoreUint32(&s.h.Running, 0) }

// SetInput stores the values that the following executions run on.
func (s *Shared) SetInput(vals []any) {
	// Encoding into the mapping itself saves a copy; what does not fit is cut,
	// and InputLen tells. It tells too that there is none while it is being written:
	// a process may be killed at any moment.
	slot := 1 - s.h.Slot&1
	atomic.StoreUint64(&s.h.InputLen[slot], noInput)
	_, full := encodeInto(s.inputs[slot], vals)
	atomic.StoreUint64(&s.h.InputLen[slot], uint64(full))
	atomic.StoreUint32(&s.h.Slot, slot)
}

// SetDoom records why the execution under way is being ended from inside.
func (s *Shared) SetDoom(reason uint8) { atomic.StoreUint32(&s.h.Doom, uint32(reason)) }

// NextInput counts an input bred by the fuzzing loop.
func (s *Shared) NextInput() { s.h.Inputs++ }

// State is a consistent enough copy of what a worker was doing.
type State struct {
	Counts
	Doom     uint8
	Input    []byte // encoded; nil when it did not fit
	Previous []byte // the input before it, likewise; nil if there was none
	// The mutant that was run last, the one under way included, and another one
	// before that; 0 if there was none.
	Last, Before uint32
}

// Counts are the counters of a process's life so far.
type Counts struct {
	Inputs, Execs, MutantExecs, Heartbeat uint64
	Running                               bool   // the target is being run
	Mutant                                uint32 // with this mutant
	Test                                  int    // with this test, of the package's own
	Bounds                                       // of the execution
}

// Counts returns the counters alone: cheap enough for a status line.
func (s *Shared) Counts() Counts {
	// In the order of Plausible: what goes up first is read last.
	heartbeat, inputs := atomic.LoadUint64(&s.h.Heartbeat), atomic.LoadUint64(&s.h.Inputs)
	return Counts{
		Heartbeat: heartbeat, Inputs: inputs, Execs: atomic.LoadUint64(&s.h.Execs),
		MutantExecs: atomic.LoadUint64(&s.h.MutantExecs),
		Running:     atomic.LoadUint32(&s.h.Running) == 1, Mutant: atomic.LoadUint32(&s.h.Active),
		Test:   int(atomic.LoadUint32(&s.h.Test)),
		Bounds: Bounds{time.Duration(atomic.LoadUint64(&s.h.Limit)), time.Duration(atomic.LoadUint64(&s.h.Idle))},
	}
}

// Sound reports whether counters that were read at rest may be those of a worker, and
// have gone up from earlier ones, if at all. The target can write to the memory, too.
func (c *Counts) Sound(before *Counts) bool {
	runs := c.Execs + c.MutantExecs
	return c.Plausible(before) && (runs == c.Heartbeat || runs == c.Heartbeat+1)
}

// Plausible is Sound for counters that were read while the worker runs: it may have
// begun executions between one reading and the next.
func (c *Counts) Plausible(before *Counts) bool {
	const most = 1 << 56 // executions, in a million years
	return c.Inputs >= before.Inputs && c.Execs >= before.Execs && c.MutantExecs >= before.MutantExecs &&
		c.Heartbeat >= before.Heartbeat && c.Execs < most && c.MutantExecs < most &&
		c.Heartbeat <= c.Execs+c.MutantExecs && c.Inputs <= c.Execs+1
}

// State returns what the worker was doing. Only after its death is it exact.
func (s *Shared) State() State {
	slot := s.h.Slot & 1
	return State{
		Counts: s.Counts(), Doom: uint8(s.h.Doom), Last: s.h.Last, Before: s.h.Before,
		Input: s.input(slot), Previous: s.input(1 - slot),
	}
}

func (s *Shared) input(slot uint32) []byte {
	n := s.h.InputLen[slot]
	if n > uint64(len(s.inputs[slot])) {
		return nil
	}
	return append([]byte(nil), s.inputs[slot][:n]...)
}

// RequestStop asks the worker to end its round at the next execution.
func (s *Shared) RequestStop(stop bool) {
	v := uint32(0)
	if stop {
		v = 1
	}
	atomic.StoreUint32(&s.h.Stop, v)
}

// Stopping reports whether the coordinator wants the round to end.
func (s *Shared) Stopping() bool { return atomic.LoadUint32(&s.h.Stop) != 0 }

// Reset prepares the mapping for a new process.
func (s *Shared) Reset() { *s.h = header{} }

func putUint(b []byte, v uint64) { binary.LittleEndian.PutUint64(b, v) }
