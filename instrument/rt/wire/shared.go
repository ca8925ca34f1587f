package wire

import (
	"encoding/binary"
	"sync/atomic"
	"time"
	"unsafe"
)

// Shared is the memory that coordinator and worker both map. Before every
// execution the worker writes there what it is about to run, so that any death
// can be attributed to an input and a mutant. The coordinator reads it at any time
// and, after the worker's death, at leisure. Each word has one owner, who alone writes
// it: see header.
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

// header is what stands at the beginning of the memory. The type of a word says how it is
// accessed, and there is no other way. The 64-bit words come first: atomic access needs
// them aligned on 32-bit systems too.
type header struct {
	// The worker's, of the goroutine that executes.
	Inputs      owned64 // inputs bred and run, over the life of the process
	Execs       owned64 // executions of the original, re-runs included
	MutantExecs owned64
	InputLen    [2]owned64 // of the encoded inputs; the parts that fit are there

	// The worker's. The heartbeat is written after all else that describes an execution.
	Heartbeat atomic.Uint64 // goes up by one with every execution
	Limit     atomic.Uint64 // of the execution by the clock, in nanoseconds; 0: the coordinator's own
	Idle      atomic.Uint64 // how long nothing may run, in nanoseconds; 0: as long as it likes
	CPU       atomic.Uint64 // processor time that it may take, in nanoseconds; 0: as much as it likes

	// The worker's, of the goroutine that executes.
	Active  owned32 // mutant in progress
	Last    owned32 // mutant that was run last, the one in progress included
	Before  owned32 // another mutant, that was run before that
	Running owned32 // 1 while the target runs

	// The worker's. Any goroutine of the target may write Doom.
	Doom atomic.Uint32 // why the execution was ended from inside
	Slot atomic.Uint32 // which of the inputs is the one in progress
	Test atomic.Uint32 // of the package's own, in progress

	// The coordinator's.
	Stop atomic.Uint32 // end the round early
}

// An owned word is written by one goroutine of the worker, before the heartbeat or the slot,
// which makes it visible; that an execution has ended may be seen late. The writes are plain:
// atomic ones cost as much as part of a small target, before every execution, and nobody else
// writes. The coordinator reads it with load, and in the order in which loads are written.
type (
	owned64 uint64
	owned32 uint32
)

func (w *owned64) increment()   { *w++ }
func (w *owned64) set(v uint64) { *w = owned64(v) }
func (w *owned64) own() uint64  { return uint64(*w) } // for the owner
func (w *owned64) load() uint64 { return atomic.LoadUint64((*uint64)(w)) }
func (w *owned32) set(v uint32) { *w = owned32(v) }
func (w *owned32) own() uint32  { return uint32(*w) } // for the owner
func (w *owned32) load() uint32 { return atomic.LoadUint32((*uint32)(w)) }

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
	if h.Doom.Load() != 0 {
		h.Doom.Store(0)
	}
	h.Active.set(mutant)
	if mutant == 0 {
		h.Execs.increment()
	} else {
		h.MutantExecs.increment()
		if last := h.Last.own(); last != mutant {
			h.Before.set(last)
			h.Last.set(mutant)
		}
	}
	// The heartbeat goes last: who sees it sees the rest.
	h.Running.set(1)
	h.Heartbeat.Add(1)
}

// BeginTest records that a test is about to be run with the mutant active.
func (s *Shared) BeginTest(mutant uint32, test int, bounds Bounds) {
	s.h.Test.Store(uint32(test))
	s.h.Limit.Store(uint64(bounds.Limit))
	s.h.Idle.Store(uint64(bounds.Idle))
	s.h.CPU.Store(uint64(bounds.CPU))
	s.Begin(mutant)
}

// End records that the target has returned.
func (s *Shared) End() { s.h.Running.set(0) }

// SetInput stores the values that the following executions run on.
func (s *Shared) SetInput(vals []any) {
	// Encoding into the mapping itself saves a copy; what does not fit is cut, and
	// InputLen tells. It also tells when an input is being written, and there is
	// none: a process may be killed at any moment. What it has written until then is there, in
	// the order of these statements: encodeInto is a call, across which the compiler moves none.
	slot := 1 - s.h.Slot.Load()&1
	s.h.InputLen[slot].set(noInput)
	_, full := encodeInto(s.inputs[slot], vals)
	s.h.InputLen[slot].set(uint64(full))
	s.h.Slot.Store(slot)
}

// InputSize returns the length in bytes of the current input, encoded.
func (s *Shared) InputSize() int { return int(s.h.InputLen[s.h.Slot.Load()&1].own()) }

// SetDoom records why the execution in progress is being ended from inside.
func (s *Shared) SetDoom(reason uint8) { s.h.Doom.Store(uint32(reason)) }

// NextInput counts an input bred by the fuzzing loop.
func (s *Shared) NextInput() { s.h.Inputs.increment() }

// State is a consistent enough copy of what a worker was doing.
type State struct {
	Counts
	Doom     uint8
	Input    []byte // encoded; nil when it did not fit
	Previous []byte // the input before it, likewise; nil if there was none
	// The mutant that was run last, the one in progress included, and another one
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
	heartbeat, inputs := s.h.Heartbeat.Load(), s.h.Inputs.load()
	return Counts{
		Heartbeat: heartbeat, Inputs: inputs, Execs: s.h.Execs.load(), MutantExecs: s.h.MutantExecs.load(),
		Running: s.h.Running.load() == 1, Mutant: s.h.Active.load(), Test: int(s.h.Test.Load()),
		Bounds: Bounds{time.Duration(s.h.Limit.Load()), time.Duration(s.h.Idle.Load()), time.Duration(s.h.CPU.Load())},
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
	slot := s.h.Slot.Load() & 1
	return State{
		Counts: s.Counts(), Doom: uint8(s.h.Doom.Load()), Last: s.h.Last.load(), Before: s.h.Before.load(),
		Input: s.input(slot), Previous: s.input(1 - slot),
	}
}

func (s *Shared) input(slot uint32) []byte {
	n := s.h.InputLen[slot].load()
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
	s.h.Stop.Store(v)
}

// Stopping reports whether the coordinator wants the round to end.
func (s *Shared) Stopping() bool { return s.h.Stop.Load() != 0 }

func putUint(b []byte, v uint64) { binary.LittleEndian.PutUint64(b, v) }
