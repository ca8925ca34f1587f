package worker

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// ending is why this side has ended a process.
type ending struct {
	why string
	how endKind
}

type endKind uint8

const (
	notEnded endKind = iota
	timedOut
	outOfMemory
	garbled
	failed  // our own fault
	givenUp // it did not stop when its time was over
)

// State is what a worker was doing, with the inputs decoded.
type State struct {
	wire.State
	Input    *corpus.Input // nil if it is not known
	Previous *corpus.Input // the input before it, likewise; nil if there was none
}

// Death is a worker that ended in the middle of a request.
type Death struct {
	State    State  // what it was doing
	Cause    string // one line: "fatal error: stack overflow", "not finished within 10s"
	TimedOut bool   // ended by the watchdog
	Memory   bool   // ended for its memory
	Killed   bool   // ended by SIGKILL, which the watchdog has not sent
	Damaged  bool   // ended itself, after a Damaged reply or a doom that was swallowed for too long
	Internal bool   // the loop itself failed
	// Garbled says that the program under test has written to descriptors or memory, or
	// closed descriptors, that are not its own but the worker's. State is what is left.
	Garbled bool
	Waited  time.Duration // nothing had happened for about so long
	Output  string        // head and tail of what the process printed
}

func (d *Death) Error() string {
	s := "worker ended: " + d.Cause
	if d.Internal {
		s += "\n" + d.Output
	}
	return s
}

// Silent reports whether the process ended as if all was well, without a word.
func (d *Death) Silent() bool { return d.Cause == causeSilent }

// Causes of garbled deaths. They are the same in every run, since they distinguish
// failing inputs.
const (
	causeGarbled = "the replies of the test binary are damaged: the program under test writes to file descriptors it did not open, or overwrites memory"
	causeShared  = "memory of the test binary is overwritten: the program under test writes to memory it did not allocate"
	causeBroken  = "the test binary lost its connection: the program under test closes or reads file descriptors it did not open, or overwrites memory"
)

// causeSilent is that of a process that has ended as if all was well.
const causeSilent = "exit status 0"

var errOverwritten = errors.New("the counters in the shared memory are not those of a worker")

// death waits for the process's end and describes it, as a *Death if it is not our own
// fault.
func (p *Process) death(cause error) error {
	damaged := errors.Is(cause, wire.ErrGarbled) || errors.Is(cause, errReply)
	switch {
	case errors.Is(cause, errOverwritten):
		p.end(ending{why: causeShared, how: garbled})
	case damaged:
		p.end(ending{why: causeGarbled, how: garbled})
	}
	select {
	case <-p.exited:
	case <-time.After(quitGrace + time.Second):
		p.end(ending{why: "closed its side of the conversation", how: timedOut})
		<-p.exited
	}
	defer p.release()
	if err := p.faulty(); err != nil {
		return err
	}
	d := &Death{Output: p.stderr.String()}
	var sound bool
	d.State, sound = p.state()
	p.mu.Lock()
	ended := p.ended
	d.Waited = p.waited
	p.mu.Unlock()
	switch code := p.cmd.ProcessState.ExitCode(); {
	case ended.how != notEnded:
		d.Cause = ended.why
		d.TimedOut, d.Memory = ended.how == timedOut, ended.how == outOfMemory
		d.Garbled, d.Internal = ended.how == garbled, ended.how == failed
	case code == wire.ExitDamaged:
		d.Damaged = true
		d.Cause = "state damaged"
	case code == wire.ExitBroken:
		d.Garbled, d.Cause = true, causeBroken
	case code == wire.ExitInternal:
		d.Internal = true
		d.Cause = fmt.Sprintf("internal error: %v", cause)
	default:
		d.Cause = causeOf(d.Output, p.err)
		d.Killed = system.KilledFromOutside(p.cmd.ProcessState)
		if !sound {
			d.Garbled = true
		}
	}
	if d.Garbled && !errors.Is(cause, io.EOF) {
		d.Output += fmt.Sprintf("\nfuzzmut: %v\n", cause)
	}
	return d
}

// state returns what the worker was doing, as far as that can be told: what the target
// has overwritten is left out.
func (p *Process) state() (st State, sound bool) {
	p.mu.Lock()
	last := p.last
	p.mu.Unlock()
	st.State = p.shared.State()
	sound = st.Sound(&last)
	if !sound {
		mutant, test := st.Mutant, st.Test
		st.Counts, st.Doom = last, 0
		st.Mutant, st.Test = mutant, test
	}
	sound = p.known.clean(&st) && sound
	if p.about != nil {
		st.Input = p.about
	}
	return st, sound
}

// panicAddress is how the runtime prints a panic's value of any but a basic type.
// The address is another one in each run.
var panicAddress = regexp.MustCompile(`^(panic: \(.+\)) 0x[0-9a-f]+`)

// causeOf finds the line by which the runtime says why it gives up.
func causeOf(output string, err error) string {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "panic: ") ||
			strings.HasPrefix(line, "runtime: out of memory") || strings.HasPrefix(line, "SIG") {
			return panicAddress.ReplaceAllString(line, "$1")
		}
	}
	if err != nil {
		return err.Error()
	}
	return causeSilent
}
