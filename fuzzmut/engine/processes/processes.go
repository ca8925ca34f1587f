// Package processes starts the worker processes of one fuzz test, greets them, and keeps
// what they have in common: the counters and the processor time of all, living or not,
// the observed values that do not count, and the deaths that came from outside.
//
// A Set may be used by several goroutines at a time. Its locks are leaves: nothing but the
// log is called while one is held.
package processes

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Config says what the processes of a Set run.
type Config struct {
	Program  *instrument.Program
	Fuzz     instrument.FuzzTest
	Worker   worker.Config
	Parallel int // processes at a time that do work; 0 means 1

	Record    int  // see wire.Init
	CostShare int  // see wire.Init
	CostKills bool // likewise
	Leaks     bool // likewise
	Overflows bool // likewise
	// NoiseOfInputs: see wire.Init. Unstable does not have what is left out for inputs alone.
	NoiseOfInputs bool
	RenewContext  bool // the test uses T.Context
	Dict          [][]byte
	MaxLen        int   // of inputs, in bytes; 0 means 1 MiB
	HangFuel      int64 // see wire.Init
	TextTimes     int   // likewise
	// Inputs says how inputs that are values are bred: see wire.Init. "" means default.
	Inputs string
	// Constants are those of the types of such inputs.
	Constants []wire.Constants

	OnWarning func(text string) // is called for what the user should know; nil discards
	Log       io.Writer         // gets a line for each worker that ends early; nil discards
}

// A Set starts the processes of one fuzz test.
type Set struct {
	cfg Config

	mu       sync.Mutex // guards what follows
	init     wire.Init  // of a process that runs all mutants; only Dict changes
	hello    *wire.Hello
	live     []*worker.Process
	gone     wire.Counts // of processes that have ended
	goneCPU  time.Duration
	unstable []Unstable
	noise    wire.Noise
	forgiven int
	outside  Outside
	hurried  bool // an input is known to block

	notices *notices
}

// New prepares a set. It starts no process yet.
func New(cfg Config) *Set {
	cfg.Parallel = max(cfg.Parallel, 1)
	cfg.Worker.Sites = len(cfg.Program.Sites)
	if cfg.Worker.Timeout == 0 {
		cfg.Worker.Timeout = worker.DefaultTimeout
	}
	return &Set{cfg: cfg, init: newInit(&cfg), notices: newNotices(&cfg)}
}

// Program returns the program that the processes run.
func (s *Set) Program() *instrument.Program { return s.cfg.Program }

// Parallel returns how many processes are to work at a time, at least 1.
func (s *Set) Parallel() int { return s.cfg.Parallel }

// Worker returns the configuration that processes are started with, for Launch.
func (s *Set) Worker() worker.Config { return s.cfg.Worker }

// Everything excludes every mutant: a process with it runs the original alone.
func Everything(uint32) bool { return true }

// Nothing excludes no mutant.
func Nothing(uint32) bool { return false }

// hurry divides the time of an execution once an input is known to block: its like will
// be bred again and again, and each costs a process.
const hurry = 8

// Hurry notes that an input is known to block, and reports whether that was known
// before. From then on Start gives an execution less time, but for patient processes.
func (s *Set) Hurry() (known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, s.hurried = s.hurried, true
	return known
}

// Start starts a worker and greets it; Retire ends it. The mutants for which exclude
// holds are never run by it. A patient one gives an execution all its time even if an
// input is known that blocks: verdicts are those of a run that knows of no such input.
func (s *Set) Start(ctx context.Context, patient bool, exclude func(m uint32) bool) (*worker.Process, error) {
	return s.StartWithin(ctx, 0, patient, exclude)
}

// StartWithin is Start with a bound on the time of an execution; 0: as usual.
func (s *Set) StartWithin(ctx context.Context, limit time.Duration, patient bool, exclude func(m uint32) bool) (*worker.Process, error) {
	cfg := s.cfg.Worker
	if limit > 0 {
		cfg.Timeout, patient = limit, true
	}
	s.mu.Lock()
	if s.hurried && !patient {
		cfg.Timeout /= hurry
	}
	s.mu.Unlock()
	p, hello, err := s.Launch(ctx, cfg, exclude, nil)
	if err != nil {
		return nil, err
	}
	s.greeted(hello)
	return p, nil
}

// LaunchTries bounds the processes started for one worker while something outside kills
// them.
const LaunchTries = 5

// Launch is Start with a configuration that may differ from the usual one. The values in
// noise are left out of the oracle, too.
func (s *Set) Launch(ctx context.Context, cfg worker.Config, exclude func(m uint32) bool, noise []wire.Value) (*worker.Process, *wire.Hello, error) {
	init := s.Init(exclude)
	init.Excluded = append(init.Excluded, noise...)
	return s.launch(ctx, cfg, &init)
}

func (s *Set) launch(ctx context.Context, cfg worker.Config, init *wire.Init) (*worker.Process, *wire.Hello, error) {
	for try := 1; ; try++ {
		p, hello, err := s.launchOnce(ctx, cfg, init)
		var d *worker.Death
		if !errors.As(err, &d) || !d.Killed || try == LaunchTries {
			return p, hello, err
		}
		s.LogDeath(d)
	}
}

func (s *Set) launchOnce(ctx context.Context, cfg worker.Config, init *wire.Init) (*worker.Process, *wire.Hello, error) {
	p, err := worker.Start(cfg)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	s.live = append(s.live, p)
	s.mu.Unlock()
	hello, err := p.Init(context.WithoutCancel(ctx), init)
	if err != nil {
		s.Retire(p)
		return nil, nil, err
	}
	return p, hello, nil
}

// Retire ends a worker and keeps its counts.
func (s *Set) Retire(p *worker.Process) {
	p.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.live, p)
	if i < 0 {
		return
	}
	s.live = slices.Delete(s.live, i, i+1)
	s.gone = sum(s.gone, p.Counts())
	s.goneCPU += p.CPU()
}

// sum adds the counters of two processes that count work.
func sum(a, b wire.Counts) wire.Counts {
	return wire.Counts{Inputs: a.Inputs + b.Inputs, Execs: a.Execs + b.Execs, MutantExecs: a.MutantExecs + b.MutantExecs}
}

// Counts returns what all workers have done so far. It may be called at any time.
func (s *Set) Counts() wire.Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.gone
	for _, p := range s.live {
		c = sum(c, p.Counts())
	}
	return c
}

// AddInputs counts inputs that were run by other means.
func (s *Set) AddInputs(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone.Inputs += uint64(n)
}

// CPU returns the processor time of all workers so far.
func (s *Set) CPU() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := s.goneCPU
	for _, p := range s.live {
		sum += p.CPU()
	}
	return sum
}

// Hello returns what the fuzz test told about itself: argument types and seeds.
// It starts a worker to ask, and ends it.
func (s *Set) Hello(ctx context.Context) (*wire.Hello, error) {
	init := s.Init(Nothing)
	init.Seeds = true
	p, hello, err := s.launch(ctx, s.cfg.Worker, &init)
	if err != nil {
		return nil, err
	}
	s.Retire(p)
	s.greeted(hello)
	return hello, nil
}

func (s *Set) greeted(hello *wire.Hello) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hello = hello
}

// Greeting returns what the worker said that was started last; nil before. It has the seeds only if Hello has started that.
func (s *Set) Greeting() *wire.Hello {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hello
}

// Unstable is an observed value that is left out of the oracle, or a field in one.
type Unstable struct {
	Value   wire.Value
	Outcome bool // not a value: passing or failing itself changes
	Text    string
}

// Note notes of an input that was checked whether some of its values differ from run to run.
func (s *Set) Note(noisy bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.noise.Checked++; noisy {
		s.noise.Noisy++
	}
}

// forgivenMost is how many inputs Forgives forgives. One that is forgiven costs a process.
const forgivenMost = 3

// Forgives says whether an input alone is left out, on which a value differs that no mutant has changed. With
// Config.NoiseOfInputs the first few are; without it, and after that, the value is.
func (s *Set) Forgives() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.cfg.NoiseOfInputs || s.forgiven == forgivenMost {
		return false
	}
	s.forgiven++
	return true
}

// Exclude notes that a value does not count for the processes started from now on.
func (s *Set) Exclude(u wire.Unstable) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := func(have Unstable) bool { return have.Outcome == u.Outcome && (u.Outcome || have.Value == u.Value) }
	if !slices.ContainsFunc(s.unstable, known) {
		s.unstable = append(s.unstable, Unstable{Value: u.Value, Outcome: u.Outcome, Text: u.Text})
	}
}

// Unstable returns the observed values left out of the oracle, by site and value: workers
// find them in any order.
func (s *Set) Unstable() []Unstable {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedStableFunc(slices.Values(s.unstable), func(a, b Unstable) int {
		return cmp.Or(cmp.Compare(a.Value.Site, b.Value.Site), cmp.Compare(a.Value.Value, b.Value.Value), cmp.Compare(a.Value.Field, b.Value.Field))
	})
}
