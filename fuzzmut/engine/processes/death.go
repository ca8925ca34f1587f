package processes

import (
	"errors"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// OutOfFuel reports whether a worker was ended from inside since the fuel was used up.
func OutOfFuel(d *worker.Death) bool { return fuzzmutrt.Doom(d.State.Doom) == fuzzmutrt.OutOfFuel }

// KillKind is the kind of kill that a mutant's death is.
func KillKind(d *worker.Death) oracle.Kind {
	if d.TimedOut || OutOfFuel(d) {
		return oracle.Fuel
	}
	return oracle.Exit
}

// KillDetail says how a mutant ended its process, the same in every run.
func KillDetail(d *worker.Death) string {
	switch fuzzmutrt.Doom(d.State.Doom) {
	case fuzzmutrt.OutOfFuel:
		return "does not end: out of fuel, in another goroutine"
	case fuzzmutrt.Exited:
		return "the process would have ended, in another goroutine"
	}
	return d.Cause
}

// Outcome describes an input that ends the process of the original.
func (s *Set) Outcome(d *worker.Death) wire.Outcome {
	o := wire.Outcome{Kind: wire.Death, Message: d.Cause, Frames: worker.Frames(d.Output, s.init.UserPackages)}
	switch {
	case d.TimedOut:
		o.Kind = wire.Fuel // it blocks: fuel can't see that, but it is a hang all the same
	case OutOfFuel(d):
		o.Kind, o.Message = wire.Fuel, "does not end: out of fuel, in another goroutine"
	case fuzzmutrt.Doom(d.State.Doom) == fuzzmutrt.Exited:
		o.Kind, o.Message = wire.Exit, "the process would have ended: os.Exit or log.Fatal was called, in another goroutine"
	case fuzzmutrt.Doom(d.State.Doom) == fuzzmutrt.OutOfMemory:
		o.Kind, o.Message = wire.Memory, "it asks for more memory at once than there may be, in another goroutine"
	}
	return o
}

// Hoards returns where a process says that most of its memory was asked for, as frames; nil if it does not.
func (s *Set) Hoards(d *worker.Death) []string {
	_, text, _ := strings.Cut(d.Output, wire.HoardText)
	return worker.Frames(text, s.init.UserPackages)
}

// Suspects are the mutants that may have ended a process: the one that was run last, and
// the one before.
func Suspects(d *worker.Death) []uint32 {
	var list []uint32
	for _, m := range []uint32{d.State.Last, d.State.Before} {
		if m != 0 {
			list = append(list, m)
		}
	}
	return list
}

// Outside are the deaths of workers that nothing which they ran explains.
type Outside struct {
	Deaths int
	Cause  string        // of the first
	Input  *corpus.Input // that it was running
}

// Outside returns the deaths so far that came from outside.
func (s *Set) Outside() Outside {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.outside
}

// FromOutside counts a worker that was killed from outside.
func (s *Set) FromOutside(d *worker.Death) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.outside.Deaths++; s.outside.Deaths == 1 {
		s.outside.Cause, s.outside.Input = d.Cause, d.State.Input
	}
}

// Again calls do once more when a worker that it has started was killed from outside, at
// most LaunchTries times in all. What is killed each time ends itself so, or takes more
// memory than the system has: its last error is returned.
func (s *Set) Again(do func() error) error {
	for try := 1; ; try++ {
		err := do()
		var d *worker.Death
		if !errors.As(err, &d) || !d.Killed || try == LaunchTries {
			return err
		}
		s.LogDeath(d)
		s.FromOutside(d)
	}
}
