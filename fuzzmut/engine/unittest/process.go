package unittest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// process is a test binary that serves the tests.
type process struct {
	*worker.Process
	run   *run
	hello wire.Hello
}

// A mutant may burn so many times what the original burns before its first test,
// and so much more.
const (
	startFuelFactor = 100
	startFuelExtra  = 100_000
)

// abortGrace is how long a test may go on once the run is interrupted.
const abortGrace = time.Second

// start starts a process and waits until its TestMain has called m.Run. When it
// dies before that, the error is a *worker.Death.
func (r *run) start() (*process, error) { return r.startWith(0, false) }

// startWith starts a process in which a mutant is active from the start, if it is
// not 0, or one that tells which mutants are reached before the first test.
func (r *run) startWith(mutant uint32, trace bool) (*process, error) {
	init := r.init
	cfg := worker.Config{
		Binary: r.o.Binary, Run: r.o.Run, Dir: r.o.Dir, Env: r.o.Env,
		TempDir: r.temp, Temp: r.temp, MemLimit: r.o.MemLimit, StartTimeout: r.startLimit,
	}
	if trace {
		cfg.Trace = len(r.init.MutantFunc)
	}
	if mutant != 0 {
		init.MutantFunc = nil // nothing is switched
		cfg.Static = wire.Static{
			Mutant: mutant, Func: r.o.Program.Mutants[mutant-1].FuncIndex,
			Fuel: r.startFuel*startFuelFactor + startFuelExtra,
		}
	}
	p, err := worker.Start(cfg)
	if err != nil {
		return nil, err
	}
	r.count(func(res *Result) { res.Processes++ })
	proc := &process{Process: p, run: r}
	stop := proc.abortLate()
	defer stop()
	hello, err := p.Init(r.ctx, &init)
	if err != nil {
		proc.Close()
		return nil, err
	}
	proc.hello = *hello
	return proc, nil
}

// original runs tests without a mutant.
func (p *process) original(req *wire.Tests, ran func(*wire.TestRan)) error {
	defer p.abortLate()()
	done, err := p.Tests(p.run.ctx, req, worker.TestsEvents{TestRan: ran})
	p.account(done)
	return err
}

// mutants runs mutants with tests.
func (p *process) mutants(req *wire.Try, tried func(*wire.Tried)) error {
	defer p.abortLate()()
	done, err := p.Try(p.run.ctx, req, worker.TryEvents{Tried: tried})
	p.account(done)
	return err
}

// abortLate ends the process if the run is interrupted, and a request goes on for
// abortGrace after that. The request calls the function returned when it is done.
func (p *process) abortLate() (done func()) {
	over := make(chan struct{})
	forget := context.AfterFunc(p.run.ctx, func() {
		select {
		case <-time.After(abortGrace):
			p.Abort()
		case <-over:
		}
	})
	return func() {
		forget()
		close(over)
	}
}

// account adds what a request came to, unless the process died over it.
func (p *process) account(done *wire.Ran) {
	if done == nil {
		return
	}
	p.run.count(func(res *Result) {
		res.Executions += done.Stats.Execs
		res.MutantRuns += done.Stats.MutantExecs
	})
}

// Close ends the process and accounts for its time.
func (p *process) Close() {
	p.Process.Close()
	p.run.count(func(res *Result) { res.CPU += p.CPU() })
}

// deathOf returns the death that err is, or an error that ends the run: our own
// fault, not a mutant's.
func deathOf(err error) (*worker.Death, error) {
	var d *worker.Death
	if !errors.As(err, &d) || d.Internal {
		return nil, fmt.Errorf("running the tests: %w", err)
	}
	return d, nil
}

// doomFuel is fuzzmutrt.OutOfFuel as the mapping shows it.
const doomFuel = 1

// killOf says what kind of kill a mutant's death is.
func killOf(d *worker.Death) (kind oracle.Kind, detail string) {
	detail = d.Cause
	switch {
	case d.Memory:
		kind = oracle.Memory
	case d.TimedOut, strings.Contains(d.Cause, "all goroutines are asleep"):
		kind = oracle.Timeout
	case d.State.Doom == doomFuel || strings.Contains(d.Cause, wire.StartOutOfFuel):
		kind, detail = oracle.Fuel, "does not end: out of fuel"
	case strings.HasPrefix(d.Cause, "panic: "):
		kind = oracle.Panic
	default:
		kind = oracle.Exit
	}
	if d.State.Heartbeat == 0 {
		detail = "before the first test: " + detail
	}
	return kind, detail
}
