package bugs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// effect is what is known of a mutant that does something to a failing input.
type effect struct {
	repairs bool   // some failing input
	breaks  int    // passing inputs
	test    string // of the package's own
	tested  bool   // reached by one of them that passes
	untried bool   // with the package's own tests, for lack of time
	// Tests of the package that fail without it: those that pass with it, and those that reach it and fail all the same.
	nowPass, stillFail []string

	reason string // why it counts as no repair; "" if it does, or repairs nothing
}

// counts reports whether a mutant is a repair that breaks nothing.
func (e *effect) counts() bool { return e != nil && e.repairs && e.reason == "" }

// The parts of the time by whose ends it is to be known which inputs cost too much, the
// matrix is to be there, and what repairs break is to be known. Where something fails, what the
// inputs that pass cost matters less.
const (
	costShare   = 0.4
	costBeside  = 0.1
	matrixShare = 0.6
	oracleShare = 0.9
)

// Options say how inputs are sorted.
type Options struct {
	// Time bounds the work. What has not been run by then is sorted by other evidence.
	Time time.Duration
	// First is the name of the input that the ranking begins with; "" leaves the choice
	// to package triage.
	First string
	// NoTests leaves the package's own tests out of what a repair must not break.
	NoTests bool
	// Costs has inputs that pass and cost too much for their length sorted as well.
	Costs bool
	// exclude holds for mutants that are not tried; nil: for none.
	exclude func(m uint32) bool
}

// Sorting finds out what mutants make of the inputs of a fuzz test, and sorts those
// that fail by it.
type Sorting struct {
	trial  *trial.Trial
	opts   Options
	Inputs []Input
	Cases  []int // the inputs that are sorted, in the order that package triage wants

	Passing []*corpus.Input
	cost    int64 // fuel burned by the dearest of them
	mutants map[uint32]*effect
	Tests   int // of the package's own, that repairs must not break
	failed  failingTests
	Matrix  time.Duration
	// Raced reports whether inputs that pass were run under the race detector, each RaceRuns times at least.
	Raced    bool
	RaceRuns int
	Sorted   triage.Sorted
	time     *spending
	known    func(in *corpus.Input, fuel int64) (repair.Result, bool) // nil: others say nothing
}

// Know names a function that returns what other processes have found out about a failing input with
// all mutants, if a run with one may burn that much fuel; nil: they say nothing.
func (t *Sorting) Know(known func(in *corpus.Input, fuel int64) (repair.Result, bool)) {
	t.known = known
}

// New makes a sorting without inputs.
func New(t *trial.Trial, opts Options) *Sorting {
	return &Sorting{trial: t, opts: opts, mutants: make(map[uint32]*effect)}
}

// Analyse runs the inputs, those that fail with mutants, too, and sorts these.
func (t *Sorting) Analyse(ctx context.Context) error {
	if err := t.prepare(ctx); err != nil {
		return err
	}
	if err := t.findRepairs(ctx); err != nil {
		return err
	}
	if err := t.checkRepairs(ctx); err != nil {
		return err
	}
	t.rank()
	return t.runFailing(ctx)
}

// prepare runs the inputs without mutants.
func (t *Sorting) prepare(ctx context.Context) error {
	t.time = newSpending(t.trial.Engine.Processes, t.opts.Time)
	t.dropDuplicates()
	if err := t.split(ctx); err != nil {
		return err
	}
	if err := t.nameHangs(ctx); err != nil {
		return err
	}
	if err := t.findCosts(ctx); err != nil {
		return err
	}
	if err := t.findRaces(ctx); err != nil {
		return err
	}
	t.notePassing()
	return nil
}

// againRuns is how often an input is run again that was given as failing and passes.
const againRuns = 5

// runAgain runs inputs again that were given as failing and pass.
func (t *Sorting) runAgain(ctx context.Context) error {
	var list []int
	var inputs []*corpus.Input
	for i := range t.Inputs {
		if f := &t.Inputs[i]; f.Asked && f.Status == report.Passes && f.Result.Outcome.Kind != wire.Slow {
			for range againRuns {
				list, inputs = append(list, i), append(inputs, f.Entry.Input)
			}
		}
	}
	if len(inputs) == 0 {
		return nil
	}
	ev, err := t.trial.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err != nil && !Stopped(ctx, err) {
		return t.trial.EngineError(err)
	}
	for i, at := range list {
		if f := &t.Inputs[at]; ev.Results[i].Outcome.Kind.Failed() {
			f.Status, f.Reason = report.Flaky, "it fails in some runs and passes in others"
		}
	}
	return nil
}

// Stopped reports whether err is only that there was no more time.
func Stopped(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled))
}

// failing lists the inputs that fail, by size, and as queries those that were not run with mutants
// yet: different failures take turns, the smallest inputs first.
func (t *Sorting) failing() (list, order []int, queries []repair.Failing) {
	for i := range t.Inputs {
		if t.Inputs[i].Status == "" {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return t.Inputs[a].Entry.Input.Compare(t.Inputs[b].Entry.Input)
	})
	identities := make([]string, len(list))
	for i, at := range list {
		identities[i] = failure.Identity(t.Inputs[at].Result.Outcome)
	}
	for _, i := range triage.InTurns(identities) {
		f := &t.Inputs[list[i]]
		q := repair.Failing{Input: f.Entry.Input, Outcome: f.Result.Outcome, Cost: f.Result.Cost, Passing: t.cost}
		if !f.tried && t.known != nil && q.Divisible() {
			f.Repairs, f.tried = t.known(q.Input, q.Fuel())
		}
		if !f.tried {
			order, queries = append(order, list[i]), append(queries, q)
		}
	}
	return list, order, queries
}

// findRepairs runs the failing inputs with mutants.
func (t *Sorting) findRepairs(ctx context.Context) error {
	list, order, queries := t.failing()
	if err := t.tryMutants(ctx, order, queries); err != nil {
		return err
	}
	t.Cases = nil
	for _, at := range list {
		f := &t.Inputs[at]
		if r := &f.Repairs; r.Unsteady {
			f.Status, f.Reason = report.Flaky, r.Reason
			continue
		}
		t.Cases = append(t.Cases, at)
	}
	return nil
}

// rank ranks the failing inputs and puts them into buckets.
func (t *Sorting) rank() {
	first := -1
	var cases []triage.Case
	for i, at := range t.Cases {
		f := &t.Inputs[at]
		cases = append(cases, t.CaseOf(f))
		if t.opts.First != "" && f.Entry.Name == t.opts.First {
			first = i
		}
	}
	if t.opts.First != "" && first < 0 {
		t.trial.Warn(fmt.Sprintf("-first %s is not a failing input of this fuzz test; it is ignored", t.opts.First))
	}
	t.Sorted = triage.Sort(cases, triage.Options{First: first})
}

func (t *Sorting) CaseOf(f *Input) triage.Case {
	c := triage.Case{Token: failure.Identity(f.Result.Outcome), Stack: stackOf(f.Result.Outcome)}
	switch {
	case f.Cost != nil:
		c = t.caseOfCost(f)
	case f.Result.Outcome.Kind.Asked():
		c.Token = failure.Key(f.Result.Outcome) // by lines: the start of a goroutine, an operation, a pair of places
	}
	if f.Repairs.Done && f.Result.Outcome.Kind == wire.Fuel {
		c.Token = f.Repairs.Identity // seen with as much fuel as other hangs, whatever the clock said
	}
	c.Loop = failure.LoopOf(c.Token)
	c.Asserted = f.Result.Outcome.Kind == wire.Fail
	for _, m := range f.Repairs.Repaired {
		if t.mutants[m].counts() {
			c.Repaired.Add(int(m))
		}
	}
	for _, m := range f.Repairs.Changed {
		if t.mutants[m].counts() {
			c.Changed.Add(int(m))
		}
	}
	for _, feature := range f.Result.Features {
		c.Covered.Add(feature.Block())
	}
	if f.Result.Features == nil {
		for _, counter := range f.Repairs.Counters {
			c.Covered.Add(int(counter))
		}
	}
	return c
}

// stackOf is the stack of a failure as other tools see it: functions without lines.
func stackOf(o wire.Outcome) triage.Stack {
	s := triage.Stack{Kind: trial.FailureKind(o)}
	if o.Kind != wire.Fail { // what an assertion says are often values
		s.Kind += ": " + failure.Template(o.Message)
	}
	for _, f := range o.Frames {
		s.Frames = append(s.Frames, trial.FunctionOf(f))
	}
	return s
}
