package worker

import (
	"context"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// The requests, each with the events that it brings and the reply that closes it: the
// rows of wire.ExchangeOf, as calls. What holds for all of them:
//
//   - One call at a time. The first is Init, once.
//   - Events come in the order in which the worker sends them, on the goroutine of the
//     caller, before the call returns. A callback that is nil leaves its events out.
//   - The numbers in replies have been checked: they are those of the program and of the
//     request. Inputs have been decoded, and are the fuzz target's.
//   - When ctx is cancelled, the worker is asked to stop. The call goes on until it has. If
//     that takes more than a second, the worker is ended, and the error is that of ctx.
//   - When the process dies, the error is a *Death; when the watch over it panics, that
//     panic. Events up to then have been handed over. The process is gone: only Close,
//     CPU and Counts may be called.

// Init tells a fresh worker about the program, and waits until it has reached f.Fuzz or
// m.Run. The limit on memory is that of the Config.
func (p *Process) Init(ctx context.Context, req *wire.Init) (*wire.Hello, error) {
	init := *req
	init.MemLimit = p.cfg.MemLimit
	r, err := p.call(ctx, &wire.Request{Init: &init}, func(*reply) {})
	if err == nil && p.cfg.Fuzz != "" && p.cfg.MemLimit > 0 {
		system.BoundSpace(p.cmd.Process.Pid, spaceMost)
	}
	return r.Hello, err
}

// spaceMost is how many bytes of addresses a fuzz target may reserve. With more Go's runtime
// works for seconds before it finds no memory, for one input: a slice with a size that was
// drawn. The bound is large since programs reserve addresses that they do not use.
const spaceMost = 1 << 40

// RunEvents take what a Run brings.
type RunEvents struct {
	Result   func(*wire.Result) // one for each item that is done, in order
	Kill     func(*wire.Kill)   // before the Result of its item
	Unstable func(*wire.Unstable)
	Damaged  func(*Damaged) // the last event: the process ends
}

// Run does exact work on given inputs. If ctx is not cancelled, all items are done.
func (p *Process) Run(ctx context.Context, req *wire.Run, on RunEvents) (*wire.Ran, error) {
	r, err := p.call(ctx, &wire.Request{Run: req}, func(r *reply) {
		hand(on.Result, r.Result)
		hand(on.Kill, r.Kill)
		hand(on.Unstable, r.Unstable)
		hand(on.Damaged, r.damaged())
	})
	return r.Ran, err
}

// FuzzEvents take what a round of fuzzing brings.
type FuzzEvents struct {
	Found   func(*Found)
	Failure func(*Failure)
	Flaky   func(*Flaky)
	Costly  func(*Costly)
	Damaged func(*Damaged) // the last event: the process ends
}

// Fuzz runs a round of fuzzing.
func (p *Process) Fuzz(ctx context.Context, req *wire.Fuzz, on FuzzEvents) (*Fuzzed, error) {
	r, err := p.call(ctx, &wire.Request{Fuzz: req}, func(r *reply) {
		hand(on.Found, r.found())
		hand(on.Failure, r.failure())
		hand(on.Flaky, r.flaky())
		hand(on.Costly, r.costly())
		hand(on.Damaged, r.damaged())
	})
	return r.fuzzed(), err
}

// Trim makes a failing input smaller.
func (p *Process) Trim(ctx context.Context, req *wire.Trim) (*Trimmed, error) {
	r, err := p.call(ctx, &wire.Request{Trim: req}, func(*reply) {})
	return r.trimmed(), err
}

// Grow measures what a growing input costs.
func (p *Process) Grow(ctx context.Context, req *wire.Grow) (*wire.Grown, error) {
	r, err := p.call(ctx, &wire.Request{Grow: req}, func(*reply) {})
	return r.Grown, err
}

// ReplayEvents take what a Replay brings.
type ReplayEvents struct {
	Recording func(*wire.Recording) // in the order of the items
	Kill      func(*wire.Kill)      // the last event: items after it are not run
}

// Replay runs inputs once each, in order, to record them or to compare them with
// recordings.
func (p *Process) Replay(ctx context.Context, req *wire.Replay, on ReplayEvents) (*wire.Replayed, error) {
	r, err := p.call(ctx, &wire.Request{Replay: req}, func(r *reply) {
		hand(on.Recording, r.Recording)
		hand(on.Kill, r.Kill)
	})
	return r.Replayed, err
}

// RepairEvents take what a Repair brings.
type RepairEvents struct {
	Effect    func(*wire.Effect)
	Diagnosis func(*wire.Diagnosis) // one for each item that is done, after its Effects
	Damaged   func(*Damaged)        // the last event: the process ends
}

// Repair looks for mutants with which failing inputs pass.
func (p *Process) Repair(ctx context.Context, req *wire.Repair, on RepairEvents) (*wire.Ran, error) {
	r, err := p.call(ctx, &wire.Request{Repair: req}, func(r *reply) {
		hand(on.Effect, r.Effect)
		hand(on.Diagnosis, r.Diagnosis)
		hand(on.Damaged, r.damaged())
	})
	return r.Ran, err
}

// TestsEvents take what a Tests brings.
type TestsEvents struct {
	TestRan func(*wire.TestRan) // in the order of the list
}

// Tests runs the package's own tests without a mutant.
func (p *Process) Tests(ctx context.Context, req *wire.Tests, on TestsEvents) (*wire.Ran, error) {
	r, err := p.call(ctx, &wire.Request{Tests: req}, func(r *reply) { hand(on.TestRan, r.TestRan) })
	return r.Ran, err
}

// TryEvents take what a Try brings.
type TryEvents struct {
	Tried func(*wire.Tried) // in the order of the items
}

// Try runs mutants with the package's own tests.
func (p *Process) Try(ctx context.Context, req *wire.Try, on TryEvents) (*wire.Ran, error) {
	r, err := p.call(ctx, &wire.Request{Try: req}, func(r *reply) { hand(on.Tried, r.Tried) })
	return r.Ran, err
}

// ObserveEvents are the events of Observe; nil ones are dropped.
type ObserveEvents struct {
	Observed func(*wire.Observed) // in the order of the items
}

// Observe tells what the calls in the package's own tests return with mutants.
func (p *Process) Observe(ctx context.Context, req *wire.Observe, on ObserveEvents) (*wire.Ran, error) {
	r, err := p.call(ctx, &wire.Request{Observe: req}, func(r *reply) { hand(on.Observed, r.Observed) })
	return r.Ran, err
}

// hand gives a callback its event, if the reply is one.
func hand[T any](to func(*T), event *T) {
	if to != nil && event != nil {
		to(event)
	}
}
