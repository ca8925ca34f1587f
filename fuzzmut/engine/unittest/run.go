package unittest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Run judges the mutants of a test binary. When the context is cancelled it
// returns what is done. Tests that fail without any mutant are a *BaselineError.
func Run(ctx context.Context, o Options) (*Result, error) { return runWith(ctx, o, false) }

// runWith is Run, but may have every mutant run in a process of its own.
func runWith(ctx context.Context, o Options, aloneOnly bool) (*Result, error) {
	start := time.Now()
	r, err := newRun(ctx, o)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(r.temp)
	r.aloneOnly = aloneOnly
	err = r.all()
	if ctx.Err() != nil && !panics.Is(err) {
		r.result.Interrupted, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	return r.finish(start), nil
}

// run is the state of one Run.
type run struct {
	o    Options
	ctx  context.Context
	temp string // directory, removed in the end with what tests leave behind because a mutant ended them
	// aloneOnly has every mutant run in a process of its own.
	aloneOnly bool
	outside   queue // of items that are tried once more
	init      wire.Init

	startLimit time.Duration // of the code before the first test
	tests      []*test
	startFuel  int64 // burned by that code
	// Mutants that it reaches and infects.
	startReached, startInfected bitset.Set
	baselines                   baselines

	mu       sync.Mutex // guards what follows
	result   Result
	progress Progress
	told     time.Time // of the last progress

	telling sync.Mutex // one call of Options.Verdicts at a time
}

// test is one test of the package and what is known of it.
type test struct {
	Test
	index             int           // in the process's own order
	leaked            int           // goroutines
	allocs            int64         // allocations
	traced            time.Duration // taken by the first trace
	reached, infected bitset.Set
	once              bool // passes only once in a process
}

func newRun(ctx context.Context, o Options) (*run, error) {
	if o.Verdicts == nil {
		o.Verdicts = func(Verdict) {}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Parallel == 0 {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
	r := &run{o: o, ctx: ctx, startLimit: baselineLimit}
	var err error
	if r.temp, err = os.MkdirTemp(o.TempDir, "fm-"); err != nil {
		return nil, fmt.Errorf("making a directory for the tests: %w", err)
	}
	r.init = wire.Init{Counters: len(o.Program.Blocks), Funcs: len(o.Program.Funcs)}
	for i := range o.Program.Mutants {
		m := &o.Program.Mutants[i]
		fn := int32(m.FuncIndex)
		if m.Status != instrument.StatusLive {
			fn = -1
		}
		r.init.MutantFunc = append(r.init.MutantFunc, fn)
	}
	return r, nil
}

// all runs the phases.
func (r *run) all() error {
	if err := r.baseline(); err != nil {
		return err
	}
	p := r.plan()
	if err := r.runShared(p); err != nil {
		return err
	}
	return r.runAlone(p)
}

// finish puts the result together.
func (r *run) finish(start time.Time) *Result {
	res := &r.result
	for _, t := range r.tests {
		res.Tests = append(res.Tests, t.Test)
	}
	slices.SortFunc(res.Verdicts, func(a, b Verdict) int { return cmp.Compare(a.Mutant, b.Mutant) })
	res.Wall = time.Since(start)
	return res
}

// count changes the result under its lock.
func (r *run) count(f func(res *Result)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.result)
}

// progressInterval is how often progress is told at most.
const progressInterval = 100 * time.Millisecond

// phase tells that something new begins.
func (r *run) phase(name string) {
	r.mu.Lock()
	r.progress.Phase = name
	p := r.progress
	r.told = time.Now()
	r.mu.Unlock()
	r.o.Progress(p)
}

// decide makes a verdict final.
func (r *run) decide(v Verdict) {
	r.telling.Lock()
	defer r.telling.Unlock()
	r.mu.Lock()
	r.result.Verdicts = append(r.result.Verdicts, v)
	r.progress.Done++
	switch v.Status {
	case StatusKilled:
		r.progress.Killed++
		for _, t := range r.tests {
			if t.Name == v.Test {
				t.Kills++
			}
		}
	case StatusSurvived:
		r.progress.Survived++
	}
	p, tell := r.progress, time.Since(r.told) > progressInterval
	if tell {
		r.told = time.Now()
	}
	r.mu.Unlock()
	r.o.Verdicts(v)
	if tell {
		r.o.Progress(p)
	}
}

// parallel calls work on n goroutines, one for each process. The first
// error is returned; the others are asked to stop by stop becoming true.
func (r *run) parallel(n int, work func(stop func() bool) error) error {
	var mu sync.Mutex
	var first error
	stop := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return first != nil || r.ctx.Err() != nil
	}
	g, _ := panics.NewGroup(r.ctx)
	for range n {
		g.Go(func() error {
			err := panics.Do(func() error { return work(stop) })
			mu.Lock()
			defer mu.Unlock()
			if first == nil {
				first = err
			}
			return err
		})
	}
	if err := g.Wait(); panics.Is(err) {
		return err
	}
	return first
}
