package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// effect is what is known of a mutant that does something to a failing input.
type effect struct {
	repairs bool   // some failing input
	breaks  int    // passing inputs
	test    string // of the package's own
	untried bool   // with the package's own tests, for want of time
	reason  string // why it counts as no repair; "" if it does, or repairs nothing
}

// counts reports whether a mutant is a repair that breaks nothing.
func (e *effect) counts() bool { return e != nil && e.repairs && e.reason == "" }

// The parts of the time by whose ends the matrix is to be there, and what repairs
// break is to be known.
const (
	matrixShare = 0.6
	oracleShare = 0.9
)

// sortOptions say how inputs are sorted.
type sortOptions struct {
	// time bounds the work. What has not been run by then is sorted by other evidence.
	time time.Duration
	// first is the name of the input that the ranking begins with; "" leaves the choice
	// to package triage.
	first string
	// noTests leaves the package's own tests out of what a repair must not break.
	noTests bool
	// exclude holds for mutants that are not tried; nil: for none.
	exclude func(m uint32) bool
}

// sorting finds out what mutants make of the inputs of a fuzz test, and sorts those
// that fail by it.
type sorting struct {
	trial  *trial
	opts   sortOptions
	inputs []failing
	cases  []int // the inputs that are sorted, in the order that package triage wants

	passing  [][]byte // inputs
	cost     int64    // fuel burned by the dearest of them
	mutants  map[uint32]*effect
	tests    int // of the package's own, that repairs must not break
	matrix   time.Duration
	sorted   triage.Sorted
	deadline time.Time
}

// newSorting makes a sorting without inputs.
func newSorting(t *trial, opts sortOptions) *sorting {
	return &sorting{trial: t, opts: opts, mutants: make(map[uint32]*effect)}
}

// analyse runs the inputs, those that fail with mutants, too, and sorts these.
func (t *sorting) analyse(ctx context.Context) error {
	t.deadline = time.Now().Add(t.opts.time)
	t.dropDuplicates()
	if err := t.split(ctx); err != nil {
		return err
	}
	if err := t.findRepairs(ctx); err != nil {
		return err
	}
	if err := t.judgeRepairs(ctx); err != nil {
		return err
	}
	t.rank()
	return nil
}

// until returns a context that ends when a share of the time is over, with a little
// time left in any case.
func (t *sorting) until(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	const least = time.Second
	end := t.deadline.Add(-time.Duration(float64(t.opts.time) * (1 - share)))
	if soon := time.Now().Add(least); end.Before(soon) {
		end = soon
	}
	return context.WithDeadline(ctx, end)
}

// split runs the inputs without mutants of which it is not known that they fail, and
// finds out which ones do.
func (t *sorting) split(ctx context.Context) error {
	var list []int
	var inputs [][]byte
	for i := range t.inputs {
		if f := &t.inputs[i]; f.status == "" && !f.result.Outcome.Kind.Failed() {
			list, inputs = append(list, i), append(inputs, f.input)
		}
	}
	t.trial.phase("running %s", report.Plural(len(inputs), "input"))
	ctx, cancel := t.until(ctx, matrixShare)
	defer cancel()
	ev, err := t.trial.eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err != nil && !stopped(ctx, err) {
		return t.trial.engineError(err)
	}
	for i, at := range list {
		f := &t.inputs[at]
		f.result = ev.Results[i]
		switch {
		case f.result.Outcome.Kind.Failed():
		case f.result.Features == nil && ctx.Err() != nil:
			f.status, f.reason = report.NotRun, "there was no time to run it"
		default:
			f.status = report.Passes
		}
	}
	if err := t.doubt(ctx); err != nil {
		return err
	}
	for i := range t.inputs {
		if f := &t.inputs[i]; f.status == report.Passes && f.result.Outcome.Kind == wire.Pass {
			t.passing = append(t.passing, f.input)
			t.cost = max(t.cost, f.result.Cost)
		}
	}
	return nil
}

// doubtRuns is how often an input is run again that was given as failing and passes.
const doubtRuns = 5

// doubt runs inputs again that were given as failing and pass.
func (t *sorting) doubt(ctx context.Context) error {
	var list []int
	var inputs [][]byte
	for i := range t.inputs {
		if f := &t.inputs[i]; f.asked && f.status == report.Passes {
			for range doubtRuns {
				list, inputs = append(list, i), append(inputs, f.input)
			}
		}
	}
	if len(inputs) == 0 {
		return nil
	}
	ev, err := t.trial.eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err != nil && !stopped(ctx, err) {
		return t.trial.engineError(err)
	}
	for i, at := range list {
		if f := &t.inputs[at]; ev.Results[i].Outcome.Kind.Failed() {
			f.status, f.reason = report.Flaky, "it fails in some runs, and passes in others"
		}
	}
	return nil
}

// stopped reports whether err is only that there was no more time.
func stopped(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled))
}

// findRepairs runs the failing inputs with mutants. Different failures take turns,
// the smallest inputs first.
func (t *sorting) findRepairs(ctx context.Context) error {
	var list []int
	for i := range t.inputs {
		if t.inputs[i].status == "" {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return triage.BySize(string(t.inputs[a].input), string(t.inputs[b].input))
	})
	identities := make([]string, len(list))
	for i, at := range list {
		identities[i] = failure.Identity(t.inputs[at].result.Outcome)
	}
	var order []int
	var queries []repair.Failing
	for _, i := range triage.InTurns(identities) {
		f := &t.inputs[list[i]]
		if f.treated {
			continue
		}
		order = append(order, list[i])
		queries = append(queries, repair.Failing{Input: f.input, Outcome: f.result.Outcome, Cost: f.result.Cost, Passing: t.cost})
	}
	if err := t.treat(ctx, order, queries); err != nil {
		return err
	}
	t.cases = nil
	for _, at := range list {
		f := &t.inputs[at]
		if r := &f.repairs; r.Unsteady {
			f.status, f.reason = report.Flaky, r.Reason
			continue
		}
		t.cases = append(t.cases, at)
	}
	return nil
}

// treat runs some of the inputs with mutants.
func (t *sorting) treat(ctx context.Context, order []int, queries []repair.Failing) error {
	if len(queries) == 0 {
		return nil
	}
	t.trial.phase("running %s with the mutants that they infect", report.Plural(len(queries), "failing input"))
	begin := t.trial.eng.Processes.CPU()
	ctx, cancel := t.until(ctx, matrixShare)
	defer cancel()
	results, err := repair.All(ctx, t.trial.eng.Processes, queries, t.opts.exclude)
	t.matrix = t.trial.eng.Processes.CPU() - begin
	if err != nil {
		return t.trial.engineError(err)
	}
	for i, at := range order {
		t.inputs[at].repairs = results[i]
	}
	return nil
}

// rank ranks the failing inputs and puts them into buckets.
func (t *sorting) rank() {
	first := -1
	var cases []triage.Case
	for i, at := range t.cases {
		f := &t.inputs[at]
		cases = append(cases, t.caseOf(f))
		if t.opts.first != "" && f.entry.Name == t.opts.first {
			first = i
		}
	}
	if t.opts.first != "" && first < 0 {
		t.trial.warning(fmt.Sprintf("-first %s names no failing input of this fuzz test; the ranking begins where it likes", t.opts.first))
	}
	t.sorted = triage.Sort(cases, triage.Options{First: first})
}

func (t *sorting) caseOf(f *failing) triage.Case {
	c := triage.Case{Token: failure.Identity(f.result.Outcome), Stack: stackOf(f.result.Outcome)}
	if f.repairs.Done && f.result.Outcome.Kind == wire.Fuel {
		c.Token = f.repairs.Identity // seen with as much fuel as other hangs, whatever the clock said
	}
	for _, m := range f.repairs.Repaired {
		if t.mutants[m].counts() {
			c.Repaired.Add(int(m))
		}
	}
	for _, m := range f.repairs.Changed {
		if t.mutants[m].counts() {
			c.Changed.Add(int(m))
		}
	}
	for _, feature := range f.result.Features {
		c.Covered.Add(feature.Block())
	}
	if f.result.Features == nil {
		for _, counter := range f.repairs.Counters {
			c.Covered.Add(int(counter))
		}
	}
	return c
}

// stackOf is the stack of a failure as other tools see it: functions without lines.
func stackOf(o wire.Outcome) triage.Stack {
	s := triage.Stack{Kind: crashKind(o) + ": " + failure.Template(o.Message)}
	for _, f := range o.Frames {
		s.Frames = append(s.Frames, functionOf(f))
	}
	return s
}
