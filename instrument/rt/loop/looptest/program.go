package looptest

import (
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The mutants of a Program, written by hand as the rewriter would.
const (
	Survivor   = iota + 1 // changes nothing that is observed
	Value                 // another result
	Assertion             // the test fails
	Panic                 // panics
	Endless               // loops for ever
	Swallow               // loops for ever and recovers its own panics
	Exit                  // os.Exit
	Skip                  // the test skips
	State                 // spoils global state, quietly
	Uninfected            // has the original's value
	Static                // can't be switched
)

// Program is a rewritten package by hand: one function, one counter.
type Program struct {
	Counters [1]uint8
	Slow     [1]bool
	State    int
	Mood     func() int // what the original adds to its result
}

func (p *Program) on(m uint32) bool { return p.Slow[0] && fuzzmutrt.Active == m }

func (p *Program) trace() {
	if !p.Slow[0] || !fuzzmutrt.Tracing {
		return
	}
	for m := uint32(1); m < Static; m++ {
		fuzzmutrt.Reached[m/64] |= 1 << (m % 64)
		if m != Uninfected {
			fuzzmutrt.Infected[m/64] |= 1 << (m % 64)
		}
	}
}

func (p *Program) tick() {
	if fuzzmutrt.Fuel--; fuzzmutrt.Fuel < 0 {
		fuzzmutrt.Out()
	}
}

// Run is the function under test.
func (p *Program) Run(t *testing.T, in []byte) {
	p.Counters[0]++
	p.trace()
	for range in {
		p.tick()
	}
	sum := len(in) + p.State
	if p.Mood != nil {
		sum += p.Mood()
	}
	switch {
	case p.on(Value):
		sum++
	case p.on(Assertion):
		t.Error("wrong")
	case p.on(Panic):
		panic("boom")
	case p.on(Endless):
		for {
			p.tick()
		}
	case p.on(Swallow):
		for {
			func() {
				defer func() { recover() }() //nolint:errcheck // as careless packages do
				p.tick()
			}()
			p.tick()
		}
	case p.on(Exit):
		fuzzmutrt.Exit(func(int) { panic("really exits") }, 3)
	case p.on(Skip):
		t.SkipNow()
	case p.on(State):
		p.State++
	}
	if fuzzmutrt.Observing {
		fuzzmutrt.ObserveHook(0, []any{sum})
	}
	in[0] = 'X' // a target may change its input
}

// Worker returns a worker of the program.
func (p *Program) Worker(tb testing.TB) *Worker {
	tb.Helper()
	init := &wire.Init{MutantFunc: make([]int32, Static)}
	init.MutantFunc[Static-1] = -1
	return New(tb, init, p.Run, p.Counters[:], p.Slow[:])
}
