package bugs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds on the inputs that are looked at for what they cost.
const (
	// costlyMost is how many inputs are, those first that burn most.
	costlyMost = 64
	// costlyPrice is the fuel for each byte of an input from which on it is looked at though
	// nothing stands in it many times in a row.
	costlyPrice = 64
	// timedMost is the processor time of the longest length at which mutants are run on what grows by time.
	timedMost = 60 * time.Millisecond
)

// loop is what is known of a loop in which costly inputs do their work: it is measured once.
type loop struct {
	finding *costs.Finding // nil: it does not cost too much
	repairs repair.Result
}

// findCosts finds out which of the inputs that pass cost too much for their length: those that
// may have been made for it. They are sorted by the loop that grows, and by the mutants with
// which it no longer does.
func (t *Sorting) findCosts(ctx context.Context) error {
	if !t.opts.Costs {
		return nil
	}
	list := t.mayCost()
	if len(list) == 0 {
		return nil
	}
	t.trial.Phase("looking at what %s cost", report.Plural(len(list), "input"))
	within, cancel := t.time.until(ctx, t.costShare())
	defer cancel()
	cutter := growth.NewCutter(t.trial.Engine.Processes)
	defer cutter.Close()
	loops, bounds := make(map[string]*loop), costs.BoundsOf(t.trial)
	for i, at := range list {
		err := t.findCost(within, cutter, &t.Inputs[at], loops, bounds)
		switch {
		case err == nil:
		case Stopped(within, err):
			t.trial.Warn(fmt.Sprintf("out of time to look at what %s cost; raise -triagetime", report.Plural(len(list)-i, "input")))
			return nil
		default:
			return t.trial.EngineError(err)
		}
	}
	return nil
}

// costShare is the part of the time by whose end it is to be known what inputs cost.
func (t *Sorting) costShare() float64 {
	if slices.ContainsFunc(t.Inputs, func(f Input) bool { return f.Status == "" }) {
		return costBeside
	}
	return costShare
}

// mayCost lists the inputs that may cost too much. Among those that were given as failing are the ones that a
// search has found: they may be short.
func (t *Sorting) mayCost() (list []int) {
	for i := range t.Inputs {
		f := &t.Inputs[i]
		sure := f.Result.Outcome.Kind == wire.Slow || f.Asked
		if f.Status != report.Passes || !sure && (f.Result.Outcome.Kind != wire.Pass || f.Entry.Input.Len() < growth.RepeatedLeast) {
			continue
		}
		if sure || f.Result.Cost >= costlyPrice*int64(f.Entry.Input.Len()) || growth.Repeated(f.Entry.Input) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		x, y := &t.Inputs[a], &t.Inputs[b]
		return cmp.Or(cmp.Compare(y.Result.Cost, x.Result.Cost), x.Entry.Input.Compare(y.Entry.Input))
	})
	if n := len(list) - costlyMost; n > 0 {
		t.trial.Warn(fmt.Sprintf("%s more may cost too much, and %s not looked at", report.Plural(n, "input"), report.Verb(n, "is", "are")))
		list = list[:costlyMost]
	}
	return list
}

// findCost enters what an input costs, if that is too much.
func (t *Sorting) findCost(ctx context.Context, cutter *growth.Cutter, f *Input, loops map[string]*loop, bounds *costs.Bounds) error {
	n, err := cutter.Cut(ctx, f.Entry.Input)
	if err != nil || n == nil || bounds.Of(n.Frames) >= load.Any {
		return err
	}
	l := loops[n.Place]
	if l == nil {
		if l, err = t.measure(ctx, n, bounds); err != nil {
			return err
		}
		loops[n.Place] = l
	}
	if l.finding != nil {
		f.Cost, f.Repairs, f.Status, f.tried = l.finding, l.repairs, "", true
	}
	return nil
}

// measure measures an input of a loop with the clock, and then with mutants near the loop.
func (t *Sorting) measure(ctx context.Context, n *growth.Candidate, bounds *costs.Bounds) (*loop, error) {
	finding, err := costs.Weigh(ctx, t.trial, []growth.Candidate{*n}, bounds)
	if err != nil || finding == nil {
		return &loop{}, err
	}
	n = finding.Candidate // it may be a smaller one
	l := &loop{finding: finding, repairs: repair.Result{Done: true}}
	ok := func(m uint32) bool { return t.opts.exclude == nil || !t.opts.exclude(m) }
	near := finding.NearLoop(t.trial, func(m uint32) bool { return ok(m) && !t.bounds(m) })
	guards := finding.Around(t.trial, func(m uint32) bool { return ok(m) && t.bounds(m) })
	longer, short := finding.Verdict.Longer(n, finding.Sizes), n.Sizes
	if finding.Verdict.Grows == growth.Time {
		short = growth.Timed(finding.Sizes, timedMost) // no fuel ends a longer one
		longer = short
	}
	for _, c := range []struct {
		was     []wire.Size
		mutants []uint32
		same    func(a, b uint32) bool
	}{{longer, guards, t.sameLine}, {short, near, nil}} {
		var stopping []uint32
		stopping, err = t.trial.Engine.Growth.Stopping(ctx, n, c.was, nil, &finding.Verdict, finding.Bound, c.mutants, c.same)
		l.repairs.Repaired = append(l.repairs.Repaired, stopping...)
		l.repairs.Tried = append(l.repairs.Tried, c.mutants...)
		l.repairs.Runs += int64(len(c.mutants) * len(c.was))
		if err != nil {
			break
		}
	}
	slices.Sort(l.repairs.Repaired)
	slices.Sort(l.repairs.Tried)
	return l, err
}

// bounds reports whether a mutant bounds what costs too much: how often a loop turns, or how deep a
// function calls itself.
func (t *Sorting) bounds(m uint32) bool {
	name := t.trial.Package.Program.Mutants[m-1].Operator
	return name == operator.LoopGuard || name == operator.DepthGuard
}

// sameLine reports whether two mutants begin at one line.
func (t *Sorting) sameLine(a, b uint32) bool {
	list := t.trial.Package.Program.Mutants
	return list[a-1].File == list[b-1].File && list[a-1].Line == list[b-1].Line
}

// excluded reports whether a mutant is not tried on inputs that fail. A loop that does not end is
// ended by the guard of any loop around it.
func (t *Sorting) excluded(m uint32) bool {
	return t.trial.Package.Program.Mutants[m-1].Operator == operator.LoopGuard || t.opts.exclude != nil && t.opts.exclude(m)
}

// caseOfCost describes a costly input for package triage: by its loop.
func (t *Sorting) caseOfCost(f *Input) triage.Case {
	c := triage.Case{Token: "cost\n" + f.Cost.Verdict.Grows + "\n" + f.Cost.Place, Costly: true}
	c.Stack.Kind = "cost: " + f.Cost.Verdict.Grows
	for _, frame := range f.Cost.Frames {
		c.Stack.Frames = append(c.Stack.Frames, trial.FunctionOf(frame))
	}
	return c
}

// Frames are those of a failure, or of where a costly input does its work, innermost first.
func (f *Input) Frames() []string {
	if f.Cost != nil {
		return f.Cost.Frames
	}
	return f.Result.Outcome.Frames
}
