package engine

import (
	"context"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/pool"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Budget bounds a run. Exactly one of Time and Inputs is set.
type Budget struct {
	Time   time.Duration
	Inputs int64
	// Part numbers the calls of Fuzz for one engine: each makes different random choices.
	Part uint64
	// Try are inputs from elsewhere that are run in between: each third input is one of them.
	// Samples come after them, as often as they bring more than what is bred.
	Try, Samples []*corpus.Input
	// Intake is called between two rounds, by one worker at a time, to take in what was found
	// elsewhere: about each intakePause, or each intakeInputs if the budget is Inputs. An
	// error of its ends the run. nil is not called.
	Intake func(ctx context.Context) error
	// Plain runs no mutants: coverage alone leads the search.
	Plain bool
	// UntilKilled ends the run earlier, once AllKilled holds.
	UntilKilled bool
	// Patience ends the run earlier, once nothing was new for that long: no mutant killed,
	// no block covered, no stack of a failing input. At most one field is set; the zero
	// value never does.
	Patience struct {
		Time   time.Duration
		Inputs int64
		// Half says that nothing was new for half of the time since the call began, and
		// halfLeast at least: somebody else has more to find in the time that is left.
		Half bool
	}
}

// An End is what ended a call of Fuzz.
type End int

const (
	Exhausted End = iota // the budget is used up, or the context cancelled
	Killed               // AllKilled holds
	Stale                // nothing was new for as long as Budget.Patience lasts
)

const (
	intakePause  = 10 * time.Second
	intakeInputs = 5000
)

// samplesMost is the part of a number of inputs that samples may be, as one in that number.
const samplesMost = 8

// fewSamples returns the samples that the search has room for: the first of them, if inputs
// are few. What they bring shows only after a while, and a search of some hundred inputs would
// be over.
func (b *Budget) fewSamples() []*corpus.Input {
	if b.Inputs == 0 {
		return b.Samples
	}
	return b.Samples[:min(int64(len(b.Samples)), b.Inputs/samplesMost)]
}

// partSeed is what the seeds of two calls of Fuzz differ by.
const partSeed = 0x9e3779b97f4a7c15

// A MistakeError says what a function of the user's did wrong that makes values for
// the inputs of a fuzz test.
type MistakeError struct{ What string }

func (e *MistakeError) Error() string { return e.What }

// Fuzz grows the corpus until the budget is used up or ctx is cancelled; that is
// not an error. Worker deaths are survived: the input at fault becomes a failing
// input, or a kill.
func (e *Engine) Fuzz(ctx context.Context, b Budget) (End, error) {
	if b.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Time)
		defer cancel()
	}
	r := &rounds{
		e: e, schedule: e.Pool.NewSchedule(e.cfg.Seed + b.Part*partSeed),
		allowance: allowance{budget: b, start: time.Now(), filter: e.cfg.Filter, k: e.cfg.K},
	}
	e.tries.add(b.Try)
	e.samples.add(b.fewSamples())
	g, ctx := panics.NewGroup(ctx)
	for range e.Processes.Parallel() {
		g.Go(func() error {
			s := &slot{rounds: r, e: e}
			return s.run(ctx)
		})
	}
	err := g.Wait()
	return r.allowance.end, err
}

// rounds is one call of Fuzz: what its slots share.
type rounds struct {
	e         *Engine
	schedule  *pool.Schedule
	allowance allowance
}

// plan plans a round. It returns false when the budget is used up, or nothing is left to
// do.
func (r *rounds) plan(careful bool) (*wire.Fuzz, bool) {
	if r.allowance.ends(r.e) {
		return nil, false
	}
	req := r.schedule.Round()
	req.Timed = r.allowance.budget.Time > 0
	if req.Careful = careful; careful {
		req.Execs = 1
	}
	if r.e.cfg.OnInputs != nil {
		req.Log = logMost
	}
	ok := r.allowance.grant(req)
	if ok {
		r.e.addTries(req)
	}
	return req, ok
}

// allowance gives a budget out, and says which filter its parts have.
type allowance struct {
	budget Budget
	start  time.Time
	filter string
	k      int

	mu     sync.Mutex // guards what follows
	issued int64      // inputs given out
	taken  struct {   // as of the last intake
		time   time.Time
		issued int64
		busy   bool // one is in progress
	}
	end  End
	news int      // as of last
	last struct { // when something was new
		time   time.Time
		issued int64
	}
}

// ends reports whether the call ends before the budget is used up.
func (a *allowance) ends(e *Engine) bool {
	end := Exhausted
	if a.budget.UntilKilled && e.AllKilled() {
		end = Killed
	} else if a.stale(e.news()) {
		end = Stale
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if end != Exhausted {
		a.end = end
	}
	return end != Exhausted
}

// news counts what fuzzing is for: killed mutants, covered blocks, stacks of failures. It
// does not fall.
func (e *Engine) news() int {
	killed, _ := e.Kills.Size()
	return killed + e.Pool.Size().Covered + e.Failures.Len()
}

// stale reports whether nothing was new for as long as the budget's patience lasts. news is
// what there is by now.
func (a *allowance) stale(news int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if news > a.news || a.last.time.IsZero() {
		a.news, a.last.time, a.last.issued = news, time.Now(), a.issued
		return false
	}
	p := &a.budget.Patience
	waited := time.Since(a.last.time)
	return p.Time > 0 && waited >= p.Time || p.Inputs > 0 && a.issued-a.last.issued >= p.Inputs ||
		p.Half && waited >= max(halfLeast, time.Since(a.start)/2)
}

// halfLeast is the least time without news that ends a call before its budget is used up.
const halfLeast = 3 * time.Second

// intake takes in what was found elsewhere, if it is time to.
func (r *rounds) intake(ctx context.Context) error {
	if r.allowance.budget.Intake == nil || !r.allowance.beginIntake() {
		return nil
	}
	defer r.allowance.endIntake()
	return r.allowance.budget.Intake(ctx)
}

// beginIntake reports whether it is time for an intake, which has begun then.
func (a *allowance) beginIntake() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.taken.time.IsZero() {
		a.taken.time = a.start
	}
	due := time.Since(a.taken.time) >= intakePause
	if a.budget.Inputs > 0 {
		due = a.issued-a.taken.issued >= intakeInputs
	}
	if !due || a.taken.busy {
		return false
	}
	a.taken.busy = true
	return true
}

// endIntake notes the end of an intake.
func (a *allowance) endIntake() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.taken.busy, a.taken.time, a.taken.issued = false, time.Now(), a.issued
}

// grant gives a round its inputs, as many as are left, and its filter. It returns false
// when none is left.
func (a *allowance) grant(req *wire.Fuzz) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.budget.Inputs > 0 {
		left := a.budget.Inputs - a.issued
		if left <= 0 {
			return false
		}
		req.Execs = min(req.Execs, left)
	}
	if p := a.budget.Patience.Inputs; p > 0 {
		req.Execs = min(req.Execs, max(p-(a.issued-a.last.issued), 1))
	}
	a.issued += req.Execs
	req.Filter, req.K = a.filterNow()
	return true
}

// giveBack takes inputs back that were not run.
func (a *allowance) giveBack(n int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.issued -= n
}

// filterNow resolves split: coverage only for the first half of the budget. The caller
// holds the lock.
func (a *allowance) filterNow() (string, int) {
	if a.budget.Plain {
		return "none", 0
	}
	if a.filter != "split" {
		return a.filter, a.k
	}
	first := a.issued*2 <= a.budget.Inputs
	if a.budget.Time > 0 {
		first = time.Since(a.start)*2 < a.budget.Time
	}
	if first {
		return "none", 0
	}
	return "all", 0
}
