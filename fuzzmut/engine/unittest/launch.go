package unittest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument"
	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// process is a test binary that serves the tests.
type process struct {
	*worker.Process
	ctx    context.Context // of the run
	ledger *ledger
	hello  wire.Hello
	phase  string // that it was started in
}

// launcher starts the processes of a run.
type launcher struct {
	o      *Options
	ctx    context.Context
	temp   string // directory, removed in the end, with the files of tests that a mutant ended
	init   wire.Init
	ledger *ledger

	startLimit time.Duration // of the code before the first test
	startFuel  int64         // burned by that code; 0 until the first process has told
}

// newLauncher makes a launcher, whose directory the caller removes.
func newLauncher(ctx context.Context, o *Options, ledger *ledger) (*launcher, error) {
	temp, err := os.MkdirTemp(o.TempDir, "fm-")
	if err != nil {
		return nil, fmt.Errorf("making a directory for the tests: %w", err)
	}
	l := &launcher{o: o, ctx: ctx, temp: temp, ledger: ledger, startLimit: baselineLimit}
	if o.Timeout > 0 {
		l.startLimit = max(o.Timeout, startLeast)
	}
	l.init = wire.Init{Counters: len(o.Program.Blocks), Funcs: len(o.Program.Funcs), Views: o.Program.Views}
	for i := range o.Program.Mutants {
		m := &o.Program.Mutants[i]
		fn := int32(m.FuncIndex)
		if m.Status != instrument.StatusLive {
			fn = -1
		}
		l.init.MutantFunc = append(l.init.MutantFunc, fn)
	}
	return l, nil
}

// Before its first test a mutant may burn startFuelFactor times what the original does,
// and startFuelExtra more.
const (
	startFuelFactor = 100
	startFuelExtra  = 100_000
)

// abortGrace is how long a test may go on once the run is interrupted.
const abortGrace = time.Second

// startTries is how often a process without a mutant is started that dies before its
// first test.
const startTries = 3

// start starts a process and waits until its TestMain has called m.Run. When it
// dies before that each time, the error is a *worker.Death.
func (l *launcher) start() (p *process, err error) {
	for range startTries {
		p, err = l.startWith(false)
		if err == nil || l.ctx.Err() != nil {
			break
		}
		if _, fatal := deathOf(err); fatal != nil {
			break
		}
	}
	return p, err
}

// startWith starts a process in which mutants, if there are any, are active from the start,
// or one that tells which mutants are reached before the first test.
func (l *launcher) startWith(trace bool, mutants ...uint32) (*process, error) {
	init := l.init
	cfg := worker.Config{
		Binary: l.o.Binary, Run: l.o.Run, Skip: l.o.Skip, Short: l.o.Short, Args: l.o.Args, Dir: l.o.Dir, Env: l.o.Env,
		TempDir: l.temp, Temp: l.temp, MemLimit: l.o.MemLimit, StartTimeout: l.startLimit, Sites: len(l.o.Program.Sites),
	}
	if trace {
		cfg.Trace = len(l.init.MutantFunc)
	}
	if len(mutants) > 0 {
		init.MutantFunc = nil // nothing is switched
		cfg.Static.Fuel = l.startFuel*startFuelFactor + startFuelExtra
	}
	for _, m := range mutants {
		cfg.Static.Mutants = append(cfg.Static.Mutants, wire.StaticMutant{Mutant: m, Func: l.o.Program.Mutants[m-1].FuncIndex})
	}
	p, err := worker.Start(cfg)
	if err != nil {
		return nil, err
	}
	l.ledger.count(func(res *Result) { res.Processes++ })
	proc := &process{Process: p, ctx: l.ctx, ledger: l.ledger, phase: l.ledger.phaseNow()}
	stop := proc.abortLate()
	defer stop()
	hello, err := p.Init(l.ctx, &init)
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
	done, err := p.Tests(p.ctx, req, worker.TestsEvents{TestRan: ran})
	p.account(done)
	return err
}

// mutants runs mutants with tests.
func (p *process) mutants(req *wire.Try, tried func(*wire.Tried)) error {
	defer p.abortLate()()
	done, err := p.Try(p.ctx, req, worker.TryEvents{Tried: tried})
	p.account(done)
	return err
}

// observe runs mutants with tests while what their calls return is observed.
func (p *process) observe(req *wire.Observe, observed func(*wire.Observed)) error {
	defer p.abortLate()()
	done, err := p.Observe(p.ctx, req, worker.ObserveEvents{Observed: observed})
	p.account(done)
	return err
}

// abortLate ends the process if the run is interrupted, and a request goes on for
// abortGrace after that. The request calls the function returned when it is done.
func (p *process) abortLate() (done func()) {
	over := make(chan struct{})
	forget := context.AfterFunc(p.ctx, func() {
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

// account adds the executions of a request, unless the process died over it.
func (p *process) account(done *wire.Ran) {
	if done == nil {
		return
	}
	p.ledger.count(func(res *Result) {
		res.Executions += done.Stats.Execs
		res.MutantRuns += done.Stats.MutantExecs
	})
}

// Close ends the process and accounts for its time.
func (p *process) Close() {
	p.Process.Close()
	p.ledger.ended(p.phase, p.CPU())
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

// killOf says what kind of kill a mutant's death is.
func killOf(d *worker.Death) (kind oracle.Kind, detail string) {
	detail = d.Cause
	switch {
	case d.Memory:
		kind = oracle.Memory
	case d.TimedOut, strings.Contains(d.Cause, "all goroutines are asleep"):
		kind = oracle.Timeout
	case fuzzmutrt.Doom(d.State.Doom) == fuzzmutrt.OutOfFuel || strings.Contains(d.Cause, wire.StartOutOfFuel):
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
