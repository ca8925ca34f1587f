// Package engine drives the workers of one fuzz test: it gives the rounds of fuzzing to
// them, takes in what they report, and asks who is to blame for what ends them.
//
// What is known is in parts, each a package with its own lock:
//
//	pool       the corpus as it grows, with the features and the energy of its entries
//	kills      what became of the mutants
//	failures   the stacks of failing inputs, and the failures that are flaky
//	processes  the workers, what they have in common, and what is said about them
//	alone      runs of the original on one input, to see whether it fails by itself
//	growth     inputs that may cost too much, and what they cost
//	evaluate   exact evaluations of given inputs
//	repair     failing inputs with mutants that make them pass
//	unittest   mutants run by the package's own tests
//
// Pool, kills and stacks only grow, so that merging what workers report is a union and a
// repeated message is harmless.
//
// Locks: those of the parts, that of the engine's own counters, and that of one call of
// Fuzz are leaves. None is acquired while another is held, and none is held while a worker
// is waited for. Config.OnFound is called with the pool's lock held, so that inputs are
// found in the order of the corpus; it must not call the engine.
//
// With one worker, a seed and a budget in executions, everything that the engine
// decides is a function of its input: no clock and no map order takes part.
package engine

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/alone"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/kills"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/pool"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Config says what an Engine works on.
type Config struct {
	Processes processes.Config
	Seed      uint64
	Filter    string // none, all, eager, random, least-executed, split, adaptive
	K         int    // of random and least-executed
	// NoStudy leaves the operands of comparisons alone: nothing but random changes
	// leads from one input to the next.
	NoStudy bool
	// Aim holds for the mutants that fuzzing is to kill, and that the status counts;
	// nil: all. Exact evaluations run the others, too.
	Aim func(m uint32) bool
	// Accepted holds for the mutants that may live: AllKilled does not wait for them; nil:
	// none.
	Accepted func(m uint32) bool

	// OnFound is called for each input that enters the corpus, and OnFailure for
	// each failing input that is worth keeping, as they are found; OnRound at the end of
	// each round, by any worker. Nil is not called.
	OnFound   func(*corpus.Input)
	OnFailure func(failures.Failure)
	OnRound   func()
	// OnInputs is given the inputs of each round, but for those that were too large to be
	// kept, which are counted, by any worker, and may run them elsewhere. An error of its
	// ends the run. Nil is not called.
	OnInputs func(ctx context.Context, inputs []*corpus.Input, lost int) error
}

// logMost bounds the bytes of the inputs of a round for Config.OnInputs.
const logMost = 1 << 20

// Engine drives one fuzz test. Its parts may be used at any time, but for what they say
// themselves.
type Engine struct {
	Processes *processes.Set
	Pool      *pool.Pool
	Kills     *kills.Set
	Failures  *failures.Collector
	Exact     *evaluate.Evaluator
	Growth    *growth.Collector

	cfg            Config
	alone          alone.Runner
	patient        patient
	hoards         hoards
	unsure         unsure
	aimed          []uint32 // mutants that fuzzing is to kill, and can
	work           work
	tries, samples tries // inputs from elsewhere
}

// New prepares an engine. It starts no process yet.
func New(cfg Config) *Engine {
	if cfg.OnRound == nil {
		cfg.OnRound = func() {}
	}
	if cfg.Aim == nil {
		cfg.Aim = func(uint32) bool { return true }
	}
	p := cfg.Processes.Program
	e := &Engine{
		Processes: processes.New(cfg.Processes),
		Pool:      pool.New(pool.Config{Blocks: len(p.Blocks), Mutants: len(p.Mutants), OnFound: cfg.OnFound}),
		Kills:     kills.New(len(p.Mutants)),
		Failures:  failures.New(cfg.OnFailure),
		cfg:       cfg,
		work:      work{discards: make(map[string]int64)},
	}
	e.Growth = growth.New(e.Processes)
	e.Exact = evaluate.New(e.Processes, e.Failures)
	e.alone = alone.Runner{Processes: e.Processes, Failures: e.Failures}
	for i := range p.Mutants {
		if m := &p.Mutants[i]; m.Status == instrument.StatusLive && m.FuncIndex >= 0 && cfg.Aim(uint32(i+1)) {
			e.aimed = append(e.aimed, uint32(i+1))
		}
	}
	return e
}

// Begin takes the inputs that a run begins with into the corpus, with their
// evaluation. Inputs that fail become failing inputs.
func (e *Engine) Begin(inputs []*corpus.Input, ev *evaluate.Evaluation) { e.take(inputs, ev, true) }

// Found takes inputs into the corpus that were found by other means.
func (e *Engine) Found(inputs []*corpus.Input, ev *evaluate.Evaluation) { e.take(inputs, ev, false) }

func (e *Engine) take(inputs []*corpus.Input, ev *evaluate.Evaluation, given bool) {
	hello := e.Processes.Greeting()
	values := hello != nil && hello.Values != ""
	added := make([]int, len(inputs)) // entries; -1: none
	for i, input := range inputs {
		r := &ev.Results[i]
		added[i] = -1
		if r.Outcome.Kind == wire.Slow {
			continue
		}
		if r.Outcome.Kind.Failed() {
			e.failed(failures.Failure{Input: input, Key: failure.Key(r.Outcome), Outcome: r.Outcome, Cause: r.Outcome.Message}, 1)
			continue
		}
		en := pool.Entry{Input: input, Features: r.Features, Cost: r.Cost, Given: given}
		if id, ok := e.Pool.Add(en, values && r.Outcome.Kind == wire.Skip); ok {
			added[i] = id
		}
	}
	e.Credit(ev)
	if e.cfg.Filter != "none" {
		for i, id := range added {
			if id >= 0 {
				e.Pool.Infects(id, ev.Results[i].Infected)
			}
		}
	}
	e.Kills.Count(&ev.Counts)
}

// Credit takes in the kills of inputs that are in the corpus already.
func (e *Engine) Credit(ev *evaluate.Evaluation) {
	list := make([]kills.Kill, len(ev.Kills))
	for i, k := range ev.Kills {
		list[i] = kills.Kill{Kill: k.Kill}
		if k.Input != evaluate.NoInput {
			list[i].Input = ev.Inputs[k.Input]
		}
	}
	e.kill(list...)
}

// Clean notes the inputs of an evaluation that were run with every mutant that lived then. It
// must have excluded none that lives.
func (e *Engine) Clean(ev *evaluate.Evaluation) {
	if len(ev.NotRun) > 0 {
		return
	}
	for i, input := range ev.Inputs[:ev.AllDone()] {
		if r := &ev.Results[i]; r.Select == wire.SelectAlive && !r.Outcome.Kind.Failed() {
			e.Kills.Clean(input)
		}
	}
}

// kill notes the deaths of mutants, and returns how many lived until now.
func (e *Engine) kill(list ...kills.Kill) int {
	fresh := e.Kills.Kill(list...)
	e.Pool.Killed(fresh)
	return len(fresh)
}

// of says that an input has shown kills.
func of(input *corpus.Input, list []wire.Kill) []kills.Kill {
	with := make([]kills.Kill, len(list))
	for i, k := range list {
		with[i] = kills.Kill{Kill: k, Input: input}
	}
	return with
}

// failed puts a failing input into its stack.
func (e *Engine) failed(f failures.Failure, count int64) {
	f.Known = e.Pool.Size().Entries
	e.Failures.Add(f, count)
}

// AllKilled reports whether fuzzing has killed all mutants that it is to kill, but for those
// that are accepted. If there are none at all, it has not.
func (e *Engine) AllKilled() bool {
	if len(e.aimed) == 0 || e.cfg.Filter == "none" {
		return false
	}
	return !slices.ContainsFunc(e.aimed, func(m uint32) bool { return !e.Kills.Dead(int(m)) && !e.accepted(m) })
}

func (e *Engine) accepted(m uint32) bool { return e.cfg.Accepted != nil && e.cfg.Accepted(m) }

// Living counts the accepted mutants that fuzzing has not killed.
func (e *Engine) Living() (n int) {
	for _, m := range e.aimed {
		if e.accepted(m) && !e.Kills.Dead(int(m)) {
			n++
		}
	}
	return n
}

// Status is a look at a run in progress.
type Status struct {
	Inputs, Execs, MutantExecs int64
	Corpus, Added              int
	Killed, Reached, Mutants   int
	Covered, Blocks            int
	Stacks                     int
	// Evaluated of Evaluating inputs have been run by the evaluation in progress;
	// zero while there is none.
	Evaluated, Evaluating int
}

// Status returns how far the run has come. It may be called at any time.
func (e *Engine) Status() Status {
	c := e.Processes.Counts()
	size := e.Pool.Size()
	s := Status{
		Inputs: int64(c.Inputs), Execs: int64(c.Execs), MutantExecs: int64(c.MutantExecs),
		Corpus: size.Entries, Added: size.Added, Mutants: len(e.aimed),
		Covered: size.Covered, Blocks: len(e.cfg.Processes.Program.Blocks), Stacks: e.Failures.Len(),
	}
	s.Killed, s.Reached = e.Kills.Size()
	s.Evaluated, s.Evaluating = e.Exact.Progress()
	return s
}
