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
	// Deaths ends the run earlier, once the original has ended that many processes or blocked
	// in them: each costs a hundred executions or more. 0: it never does.
	Deaths int
	// DeathInputs allows one more process to end for each such number of inputs that were
	// run. One that blocks takes much longer, and has no such allowance. 0: there is none.
	DeathInputs int64
	// Patience ends the run earlier, once fewer than News were new for that long: mutants
	// killed, blocks covered, stacks of failing inputs. At most one of Time and Inputs is set;
	// the zero value never does.
	Patience struct {
		Time   time.Duration
		Inputs int64
		News   int // 0: 1
	}
}

// An End is what ended a call of Fuzz.
type End int

const (
	Exhausted End = iota // the budget is used up, or the context cancelled
	Killed               // AllKilled holds
	Stale                // less was new than Budget.Patience asks for
	Deadly               // more processes have ended than Budget.Deaths and DeathInputs allow
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
	return e.NewSearch(b).Run(ctx, b.Time, b.Inputs)
}

// A Search is fuzzing that may be done in parts, with something else in between. Its random
// choices and its patience go on from one part to the next; its processes end with each.
type Search struct{ rounds *rounds }

// NewSearch begins a search. Of the budget, Time and Inputs are what it may expect in all;
// each part has a budget as well.
func (e *Engine) NewSearch(b Budget) *Search {
	e.tries.add(b.Try)
	e.samples.add(b.fewSamples())
	r := &rounds{
		e: e, schedule: e.Pool.NewSchedule(e.cfg.Seed + b.Part*partSeed),
		allowance: allowance{budget: b, filter: e.cfg.Filter, k: e.cfg.K},
	}
	r.ahead.begin(b.Time, e.cfg.Processes.CostShare, e.Processes.Parallel())
	return &Search{r}
}

// Run is one part of the search, as Fuzz is the whole: for a time or a number of inputs.
// Exactly one is set.
func (s *Search) Run(ctx context.Context, t time.Duration, inputs int64) (End, error) {
	if t > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t)
		defer cancel()
	}
	r := s.rounds
	r.allowance.begin(t, inputs)
	defer r.allowance.rest()
	g, ctx := panics.NewGroup(ctx)
	for range r.e.Processes.Parallel() {
		g.Go(func() error {
			s := &slot{rounds: r, e: r.e, finds: r.takeUnstudied()}
			return s.run(ctx)
		})
	}
	err := g.Wait()
	return r.allowance.end, err
}

// rounds is one search: what its slots share.
type rounds struct {
	e         *Engine
	schedule  *pool.Schedule
	allowance allowance
	ahead     ahead
	deadly    deadly

	mu        sync.Mutex
	unstudied []int // entries that the slots of the part before had not studied yet
	later     []*ended
}

// takeUnstudied gives the entries to study that were left to one slot.
func (r *rounds) takeUnstudied() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := r.unstudied
	r.unstudied = nil
	return ids
}

// leaveUnstudied leaves entries to study to the next part.
func (r *rounds) leaveUnstudied(ids ...int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unstudied = append(r.unstudied, ids...)
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
	budget Budget // Inputs: of all parts so far; Time: of this one
	start  time.Time
	before struct { // the part in progress
		time   time.Duration
		issued int64
	}
	filter string
	k      int

	mu     sync.Mutex // guards what follows
	issued int64      // inputs given out
	deaths int        // of the original
	blocks int        // of these, those in which it blocked
	taken  struct {   // as of the last intake
		time   time.Time
		issued int64
		busy   bool // one is in progress
	}
	end      End
	progress progress
}

// begin begins a part.
func (a *allowance) begin(t time.Duration, inputs int64) {
	a.start, a.end, a.before.issued = time.Now(), Exhausted, a.issued
	a.taken.time, a.taken.issued = time.Time{}, a.issued
	a.budget.Time, a.budget.Inputs = t, 0
	if inputs > 0 {
		a.budget.Inputs = a.issued + inputs
	}
}

// rest ends a part: the time until the next one does not count.
func (a *allowance) rest() { a.before.time, a.start = a.now().time, time.Time{} }

// now is how far the search has come. The caller holds the lock, if there are slots.
func (a *allowance) now() moment {
	m := moment{time: a.before.time, issued: a.issued}
	if !a.start.IsZero() {
		m.time += time.Since(a.start)
	}
	return m
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
	if a.deadly() {
		end = Deadly
	}
	if end != Exhausted {
		a.end = end
	}
	return end != Exhausted
}

// deadly reports whether too many processes have ended. The caller holds the lock.
func (a *allowance) deadly() bool {
	b := &a.budget
	if b.Deaths == 0 {
		return false
	}
	most := int64(b.Deaths)
	if b.DeathInputs > 0 {
		most += a.issued / b.DeathInputs
	}
	return a.blocks >= b.Deaths || int64(a.deaths) >= most
}

// died notes that the original has ended a process, or blocked in it.
func (a *allowance) died(blocked bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.deaths++
	if blocked {
		a.blocks++
	}
}

// news counts what fuzzing is for: killed mutants, covered blocks, stacks of failures. It
// does not fall.
func (e *Engine) news() int {
	killed, _ := e.Kills.Size()
	return killed + e.Pool.Size().Covered + e.Failures.Len()
}

// stale reports whether less was new than the budget's patience asks for, in the time or the
// inputs that it lasts. news is what there is by now.
func (a *allowance) stale(news int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, p := a.now(), &a.budget.Patience
	a.progress.note(now, news)
	if p.Time > 0 && now.time >= p.Time {
		return a.progress.since(func(m moment) bool { return m.time <= now.time-p.Time }) < max(p.News, 1)
	}
	if p.Inputs > 0 && now.issued >= p.Inputs {
		return a.progress.since(func(m moment) bool { return m.issued <= now.issued-p.Inputs }) < max(p.News, 1)
	}
	return false
}

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
	if p := a.budget.Patience; p.Inputs > 0 {
		req.Execs = min(req.Execs, a.patientFor(p.Inputs, p.News))
	}
	a.issued += req.Execs
	req.Filter, req.K = a.filterNow()
	return true
}

// patienceParts is how often patience that asks for several is looked at while it lasts.
const patienceParts = 8

// patientFor is how many inputs a round has at most, where patience lasts for a number of them.
func (a *allowance) patientFor(inputs int64, news int) int64 {
	if news > 1 {
		return max(inputs/patienceParts, 1)
	}
	return max(inputs-(a.issued-a.progress.last().issued), 1)
}

// giveBack takes inputs back that were not run.
func (a *allowance) giveBack(n int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.issued -= n
}

// filterNow resolves split: coverage only for the first half of the budget, of each part if
// there are several. The caller holds the lock.
func (a *allowance) filterNow() (string, int) {
	if a.budget.Plain {
		return "none", 0
	}
	if a.filter != "split" {
		return a.filter, a.k
	}
	first := a.issued-a.before.issued <= a.budget.Inputs-a.issued
	if a.budget.Time > 0 {
		first = time.Since(a.start)*2 < a.budget.Time
	}
	if first {
		return "none", 0
	}
	return "all", 0
}
