// Package engine drives the workers of one fuzz test: it owns the corpus, the
// set of killed mutants, the buckets of failing inputs, and the schedule. The
// corpus and the kills only grow, so that merging what workers report is a union
// and a repeated message is harmless.
//
// With one worker, a seed and a budget in executions, everything that the engine
// decides is a function of its input: no clock and no map order takes part.
package engine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Config says what an Engine works on.
type Config struct {
	Program      *instrument.Program
	Fuzz         instrument.FuzzTest
	Worker       worker.Config
	Parallel     int // workers; 0 means 1
	Seed         uint64
	Filter       string // none, all, random, least-executed, split, adaptive
	K            int    // of random and least-executed
	RenewContext bool   // the test uses T.Context
	Dict         [][]byte
	MaxLen       int // of inputs, in bytes; 0 means 1 MiB
	// Inputs says how inputs that are values are bred: see wire.Init. "" means default.
	Inputs string
	// Constants are those of the types of such inputs.
	Constants []wire.Constants
	// NoStudy leaves the operands of comparisons alone: nothing but random changes
	// leads from one input to the next.
	NoStudy bool
	// Aim holds for the mutants that fuzzing is to kill, and that the status counts;
	// nil: all. Evaluate runs the others, too.
	Aim func(m uint32) bool

	// OnFound is called for each input that enters the corpus, and OnFailure for
	// each failing input that is worth keeping, as they are found; OnWarning for
	// what the user should know; OnRound at the end of each round, by any worker.
	// Nil means nobody cares.
	OnFound   func(input []byte)
	OnFailure func(Failure)
	OnWarning func(text string)
	OnRound   func()
	Log       io.Writer // is told of workers that end; nil discards
}

// Entry is one input of the corpus.
type Entry struct {
	ID       int
	Input    []byte // encoded for the wire
	Features wire.Features
	Cost     int64 // fuel burned by the original
	Kills    int   // mutants it was the first to kill while fuzzing
	Given    bool  // part of the corpus the run began with
	dropped  bool  // ends the process: not to be run again
	discard  bool  // a value of which the fuzz test says nothing

	owned   int   // features that it shows at the least price
	rare    int64 // their rarity
	nearest int   // living mutants that it infects at the least price
	chosen  int   // rounds it was a parent in
	fuel    int64 // burned by its children
	brought int64 // by them: features, kills, infections
	touched bool  // in Engine.touched

	pupil    bool // some worker studies it, or has done so
	orphaned bool // ... and died
}

// Failure is one failing input.
type Failure struct {
	Input   []byte
	Key     string
	Outcome wire.Outcome
	Cause   string // of a death
	First   bool   // of its bucket
	Known   int    // entries of the corpus when it was found
	Cost    int64  // fuel that it burned; 0 if it is not known
}

// Bucket gathers the failing inputs of one bug, as far as kind and frames tell.
type Bucket struct {
	Key     string
	Outcome wire.Outcome // of the first
	Inputs  [][]byte     // kept, the smallest first
	Count   int64        // executions
}

// Engine drives one fuzz test.
type Engine struct {
	cfg   Config
	init  wire.Init
	hello *wire.Hello

	mu       sync.Mutex
	entries  []*Entry
	features []feature     // by number
	infector []*Entry      // by living mutant: the entry nearest to its kill
	seen     wire.Features // features in the order in which they were first seen
	touched  []*Entry      // whose energy has to be weighed anew
	inputs   map[string]*Entry
	blocks   []bool // covered counters
	covered  int
	dead     []bool // by mutant
	killed   int
	deaths   []uint32 // mutants in order of their deaths
	reached  []bool
	nReached int
	stats    Totals
	buckets  []*Bucket
	byKey    map[string]*Bucket
	unstable []Unstable
	flaky    []*Flaky // in order of appearance
	outside  Outside
	damaging []uint32
	live     []*worker.Process // for counts and CPU time
	gone     wire.Counts       // of processes that have ended
	goneCPU  time.Duration
	warned   map[string]bool
	bred     int64 // inputs that are values
	discards map[string]int64

	impatient bool // an input is known to block

	// Of the evaluation under way: how many inputs, and how many of them are done
	// by all workers together, each of which runs all.
	evalInputs, evalWorkers, evalDone atomic.Int64
}

// Totals are sums over all workers.
type Totals struct {
	Inputs      int64 // inputs bred and run
	Execs       int64 // runs of the original, re-runs included
	MutantExecs int64
	// Spent by workers in rounds of fuzzing, and the part of it in the fuzz target.
	Time, Inside time.Duration
	Reached      []int64 // by mutant
	Infected     []int64
	Executed     []int64
}

// Outside are the deaths of workers that nothing which they ran explains.
type Outside struct {
	Deaths int
	Cause  string // of the first
	Input  []byte // that it was running
}

// Outside returns them.
func (e *Engine) Outside() Outside {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.outside
}

// fromOutside counts a worker that was killed from outside.
func (e *Engine) fromOutside(d *worker.Death) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.outside.Deaths++; e.outside.Deaths == 1 {
		e.outside.Cause, e.outside.Input = d.Cause, d.State.Input
	}
}

// Unstable is an observed value that is left out of the oracle.
type Unstable struct {
	Value   wire.Value
	Outcome bool // not a value: passing or failing itself changes
	Text    string
}

// New prepares an engine. It starts no process yet.
func New(cfg Config) *Engine {
	p := cfg.Program
	n := len(p.Mutants) + 1
	e := &Engine{
		cfg: cfg, inputs: make(map[string]*Entry), features: make([]feature, len(p.Blocks)*wire.Buckets),
		blocks: make([]bool, len(p.Blocks)), dead: make([]bool, n), reached: make([]bool, n), infector: make([]*Entry, n),
		byKey: make(map[string]*Bucket), warned: make(map[string]bool),
		discards: make(map[string]int64),
	}
	e.cfg.Parallel = max(e.cfg.Parallel, 1)
	e.cfg.Worker.Sites = len(p.Sites)
	if e.cfg.Worker.Timeout == 0 {
		e.cfg.Worker.Timeout = worker.DefaultTimeout
	}
	e.stats.Reached, e.stats.Infected, e.stats.Executed = make([]int64, n), make([]int64, n), make([]int64, n)
	e.init = wire.Init{
		Counters: len(p.Blocks), Funcs: len(p.Funcs), Comparisons: p.Comparisons, RenewContext: cfg.RenewContext,
		Dict: cfg.Dict, MaxLen: cfg.MaxLen, UserPackages: userPackages(p),
		Inputs: cmp.Or(cfg.Inputs, "default"), Constants: cfg.Constants,
	}
	for _, f := range p.Funcs {
		e.init.Places = append(e.init.Places, wire.Place{File: f.File, Line: f.Line, EndLine: f.EndLine})
	}
	for _, b := range p.Blocks {
		e.init.CounterFunc = append(e.init.CounterFunc, int32(b.Func))
	}
	for _, m := range p.Mutants {
		f := int32(m.FuncIndex)
		if m.Status != instrument.StatusLive {
			f = -1
		}
		e.init.MutantFunc = append(e.init.MutantFunc, f)
	}
	return e
}

// userPackages are the prefixes by which frames are known as the user's.
func userPackages(p *instrument.Program) []string {
	list := []string{p.Test.ImportPath}
	if p.Test.ModulePath != "" {
		list = append(list, p.Test.ModulePath)
	}
	for _, pkg := range p.Packages {
		list = append(list, pkg.ImportPath)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// start starts a worker and greets it. The mutants for which exclude holds are
// never run by it. A patient one gives an execution all its time even if an input
// is known that blocks.
func (e *Engine) start(ctx context.Context, patient bool, exclude func(m uint32) bool) (*worker.Process, error) {
	cfg := e.cfg.Worker
	e.mu.Lock()
	if e.impatient && !patient {
		cfg.Timeout /= impatience
	}
	e.mu.Unlock()
	p, hello, err := e.launch(ctx, cfg, exclude, nil)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	e.hello = hello
	e.mu.Unlock()
	return p, nil
}

// locked calls f with the engine's lock, which it gives up if f panics as well: what was
// found must still be read then.
func (e *Engine) locked(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f()
}

// initFor is what a worker that is not to run some mutants is told about the
// program. The caller holds the lock.
func (e *Engine) initFor(exclude func(m uint32) bool) wire.Init {
	init := e.init
	for _, u := range e.unstable {
		if !u.Outcome {
			init.Excluded = append(init.Excluded, u.Value)
		}
	}
	for m := uint32(1); int(m) < len(e.dead); m++ {
		if exclude(m) {
			init.Dead = append(init.Dead, m)
		}
	}
	return init
}

// retire ends a worker and keeps its counts.
func (e *Engine) retire(p *worker.Process) {
	p.Close()
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.Index(e.live, p)
	if i < 0 {
		return
	}
	e.live = slices.Delete(e.live, i, i+1)
	c := p.Counts()
	e.gone.Inputs += c.Inputs
	e.gone.Execs += c.Execs
	e.gone.MutantExecs += c.MutantExecs
	e.goneCPU += p.CPU()
}

// Status is a look at a run under way.
type Status struct {
	Inputs, Execs, MutantExecs int64
	Corpus, Added              int
	Killed, Reached, Mutants   int
	Covered, Blocks            int
	Buckets                    int
	// Evaluated of Evaluating inputs have been run by the evaluation under way;
	// zero while there is none.
	Evaluated, Evaluating int
}

// Status returns how far the run has come. It may be called at any time.
func (e *Engine) Status() Status {
	e.mu.Lock()
	defer e.mu.Unlock()
	c := e.gone
	for _, p := range e.live {
		n := p.Counts()
		c.Inputs += n.Inputs
		c.Execs += n.Execs
		c.MutantExecs += n.MutantExecs
	}
	s := Status{
		Inputs: int64(c.Inputs), Execs: int64(c.Execs), MutantExecs: int64(c.MutantExecs),
		Corpus: len(e.entries), Killed: e.killed, Reached: e.nReached,
		Covered: e.covered, Blocks: len(e.blocks), Buckets: len(e.buckets),
	}
	if n := e.evalWorkers.Load(); n > 0 {
		s.Evaluating, s.Evaluated = int(e.evalInputs.Load()), int(e.evalDone.Load()/n)
	}
	for _, en := range e.entries {
		if !en.Given {
			s.Added++
		}
	}
	for i, f := range e.init.MutantFunc {
		if f >= 0 && e.aims(uint32(i+1)) {
			s.Mutants++
		}
	}
	return s
}

// CPU returns the processor time of all workers so far.
func (e *Engine) CPU() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	sum := e.goneCPU
	for _, p := range e.live {
		sum += p.CPU()
	}
	return sum
}

// Hello returns what the fuzz test told about itself: argument types and seeds.
// It starts a worker to ask, and ends it.
func (e *Engine) Hello(ctx context.Context) (*wire.Hello, error) {
	p, err := e.start(ctx, true, func(uint32) bool { return false })
	if err != nil {
		return nil, err
	}
	e.retire(p)
	return e.hello, nil
}

// AddTokens adds tokens to the dictionary of the workers started from now on.
func (e *Engine) AddTokens(tokens [][]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.init.Dict = slices.Concat(e.init.Dict, tokens)
}

// Begin takes the inputs that a run begins with into the corpus, with what their
// evaluation came to. Inputs that fail become failing inputs.
func (e *Engine) Begin(inputs [][]byte, ev *Evaluation) { e.take(inputs, ev, true) }

// Found takes inputs into the corpus that were found by other means.
func (e *Engine) Found(inputs [][]byte, ev *Evaluation) { e.take(inputs, ev, false) }

func (e *Engine) take(inputs [][]byte, ev *Evaluation, given bool) {
	added := make([]*Entry, len(inputs))
	for i, input := range inputs {
		r := &ev.Results[i]
		if r.Outcome.Kind.Failed() {
			e.failure(input, failure.Key(r.Outcome), r.Outcome, r.Outcome.Message, 1)
			continue
		}
		e.locked(func() {
			added[i] = e.add(input, r.Features, r.Cost, given)
			if added[i] != nil && e.hello != nil && e.hello.Values != "" {
				added[i].discard = r.Outcome.Kind == wire.Skip
			}
		})
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, k := range ev.Kills {
		e.kill(k.Mutant)
	}
	if e.cfg.Filter != "none" {
		for i, en := range added {
			if en != nil {
				e.infects(en, ev.Results[i].Infected)
			}
		}
	}
	for m, n := range ev.Stats.Reached {
		if n > 0 {
			e.reach(uint32(m))
		}
	}
	e.stats.add(&ev.Stats)
}

// Entries returns the corpus in the order in which it grew.
func (e *Engine) Entries() []*Entry { return e.entries }

// Inputs returns the first n inputs of the corpus, the cheapest first, and what the
// dearest burns. It may be called at any time.
func (e *Engine) Inputs(n int) (inputs [][]byte, most int64) {
	e.mu.Lock()
	entries := slices.Clone(e.entries[:min(n, len(e.entries))])
	e.mu.Unlock()
	slices.SortStableFunc(entries, func(a, b *Entry) int { return cmp.Compare(a.Cost, b.Cost) })
	for _, en := range entries {
		inputs, most = append(inputs, en.Input), en.Cost
	}
	return inputs, most
}

// Buckets returns the buckets of failing inputs in order of appearance.
func (e *Engine) Buckets() []*Bucket { return e.buckets }

// Unstable returns the observed values left out of the oracle. Workers find them
// in any order.
func (e *Engine) Unstable() []Unstable {
	return slices.SortedStableFunc(slices.Values(e.unstable), func(a, b Unstable) int {
		return cmp.Or(cmp.Compare(a.Value.Site, b.Value.Site), cmp.Compare(a.Value.Value, b.Value.Value))
	})
}

// Totals returns the work done so far; call it when nothing is under way.
func (e *Engine) Totals() Totals { return e.stats }

// aims says whether fuzzing is to kill a mutant.
func (e *Engine) aims(m uint32) bool { return e.cfg.Aim == nil || e.cfg.Aim(m) }

// Dead reports whether a mutant was killed while fuzzing.
func (e *Engine) Dead(m int) bool { return e.dead[m] }

// warn tells the user something, once.
func (e *Engine) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	e.mu.Lock()
	seen := e.warned[text]
	e.warned[text] = true
	e.mu.Unlock()
	if !seen && e.cfg.OnWarning != nil {
		e.cfg.OnWarning(text)
	}
}

// addStats adds what a worker reports. The caller holds the lock.
func (e *Engine) addStats(s wire.Stats) {
	e.stats.Execs += s.Execs
	e.stats.MutantExecs += s.MutantExecs
	e.addDiscards(&s)
	e.stats.Time += s.Time
	e.stats.Inside += s.Inside
	for _, c := range s.Reached {
		e.stats.Reached[c[0]] += int64(c[1])
		e.reach(c[0])
	}
	for _, c := range s.Infected {
		e.stats.Infected[c[0]] += int64(c[1])
	}
	for _, c := range s.Executed {
		e.stats.Executed[c[0]] += int64(c[1])
	}
}

// add takes an input into the corpus. It returns nil when the input is there
// already. The caller holds the lock.
func (e *Engine) add(input []byte, features wire.Features, cost int64, given bool) *Entry {
	if e.inputs[string(input)] != nil {
		return nil
	}
	en := &Entry{ID: len(e.entries), Input: input, Features: features, Cost: cost, Given: given}
	e.entries = append(e.entries, en)
	e.inputs[string(input)] = en
	e.touch(en)
	if !given && e.cfg.OnFound != nil {
		e.cfg.OnFound(input)
	}
	for _, f := range features {
		if !e.has(f) {
			e.seen = append(e.seen, f)
		}
		e.show(en, f)
		if b := f.Block(); b < len(e.blocks) && !e.blocks[b] {
			e.blocks[b] = true
			e.covered++
		}
	}
	return en
}

// Kills takes in the kills of inputs that are in the corpus already.
func (e *Engine) Kills(ev *Evaluation) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, k := range ev.Kills {
		e.kill(k.Mutant)
	}
}

// reach notes that a mutant was reached. The caller holds the lock.
func (e *Engine) reach(m uint32) {
	if !e.reached[m] {
		e.reached[m] = true
		e.nReached++
	}
}

// kill notes a mutant's death. The caller holds the lock.
func (e *Engine) kill(m uint32) bool {
	if e.dead[m] {
		return false
	}
	e.reach(m) // the round's counts come later
	e.dead[m] = true
	e.bury(m)
	e.killed++
	e.deaths = append(e.deaths, m)
	return true
}
