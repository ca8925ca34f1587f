// Package evaluate runs given inputs exactly, on the original and with mutants: what it
// answers does not depend on the number of workers, nor on what was run before.
//
// Evaluate switches mutants from input to input. EvaluateStart runs those that act before
// the first input, each in its own process. Observe records what the original does.
// What ends a process is attributed to an input or a mutant by runs in processes of their
// own.
package evaluate

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/alone"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/kills"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Query is a list of inputs to be run exactly as given.
type Query struct {
	Inputs []*corpus.Input
	// Select says which mutants are run: SelectAlive gives every mutant to the
	// first input that kills it, SelectInfected to every input that does, but
	// for kills that are dear (oracle.Kind.Dear): they count for the first. SelectListed
	// gives the mutants of Known to the inputs that it names, and no others.
	Select wire.Select
	// Known names inputs that are known to kill mutants, by index. With SelectAlive such a
	// mutant is run on the inputs before only: it may fall sooner.
	Known map[uint32]int
	// Tries is on about how many inputs that do not kill it a mutant is run, those in Ledger
	// included; 0: on all.
	Tries int64
	// Ledger holds pairs of mutant and input that are not run again, and gets those that were
	// run without a kill; nil: none.
	Ledger *Ledger
	// Exclude holds for mutants that are not to be run; nil: none.
	Exclude func(m uint32) bool
	// Trace has the ledger tell of all mutants which inputs infect them: of those that are
	// excluded and of those killed, too. Select is SelectAlive; results have no features.
	Trace bool
	// Explain has kills say what was seen. It takes several times as long.
	Explain bool
	// Check runs the original several times and leaves unstable values out.
	Check bool
	// Infected wants the results to say which mutants an input infects, and Reached which it
	// reaches.
	Infected, Reached bool
	// Fuel is about what the mutants of each worker may burn; what inputs are left
	// then are run without mutants. 0: no limit.
	Fuel int64
	// Limit bounds an execution by the clock; 0: as usual.
	Limit time.Duration
	// Failures and Cost end the evaluation after about as many inputs that fail, and once the original has
	// burned about as much, as if the time were over; 0: no limit. Select is SelectNone. An input that fails may
	// cost as much as thousands that pass.
	Failures int
	Cost     int64
}

// Evaluation is the answer to a Query.
type Evaluation struct {
	Inputs []*corpus.Input // of the query
	// Results are by input. They list no mutants but, if wanted, those reached, and those
	// infected without a kill. Of inputs that failed only Outcome is set.
	Results []wire.Result
	Kills   []Kill // by input, then in the order of mutants
	Counts  kills.Counts
	// NotRun holds the mutants that have no verdict: no input has killed them, and
	// there is one that they were not run on, since workers were killed from outside.
	NotRun map[uint32]bool
	// Unobserved counts the last inputs, that Extend has added: nobody has looked at their values.
	Unobserved int
	// Of Confirm: the mutants that were not run on all inputs that they may be killed on,
	// since the time was over, and those whose kill was known and not confirmed for that
	// reason.
	Late, Unconfirmed map[uint32]bool

	done     []int    // by share, how many inputs it has run: all, unless the time was over
	damaging []uint32 // mutants that damage state
}

// Done returns how many inputs, from the first on, were run with a mutant if they infect
// it: all, unless the time was over, or a query's Failures or Cost. Mutant 0 stands for the original.
func (ev *Evaluation) Done(m uint32) int { return ev.done[int(m)%len(ev.done)] }

// AllDone returns how many inputs, from the first on, were run with all mutants.
func (ev *Evaluation) AllDone() int { return slices.Min(ev.done) }

// Cut leaves out the inputs that were not run with all mutants.
func (ev *Evaluation) Cut() {
	n := ev.AllDone()
	ev.Inputs, ev.Results = ev.Inputs[:n], ev.Results[:n]
	ev.Kills = slices.DeleteFunc(ev.Kills, func(k Kill) bool { return k.Input >= n })
}

// Extend adds the inputs of another evaluation, which has run no mutants.
func (ev *Evaluation) Extend(more *Evaluation) {
	ev.Inputs = slices.Concat(ev.Inputs, more.Inputs)
	ev.Results = slices.Concat(ev.Results, more.Results)
	ev.Unobserved += len(more.Inputs)
	ev.done = []int{len(ev.Inputs)}
}

// Kill says which input told a mutant from the original.
type Kill struct {
	wire.Kill
	Input int // index into Query.Inputs
}

// Evaluator evaluates inputs with the processes of one program. Several evaluations may be
// in progress.
type Evaluator struct {
	// Weigh has Observe measure the bytes that inputs allocate. It is set before the first
	// call.
	Weigh bool
	// UntilBlocked has Observe end where the clock ends an input. It is set before the first
	// call.
	UntilBlocked bool

	procs *processes.Set
	alone alone.Runner

	// Of the evaluation in progress: how many inputs, and how many of them are done
	// by all workers together. Each runs all inputs.
	inputs, workers, done atomic.Int64

	observed atomic.Int64 // inputs that Observe has run
}

// New makes an evaluator. The failures that are flaky are noted in fails.
func New(procs *processes.Set, fails *failures.Collector) *Evaluator {
	return &Evaluator{procs: procs, alone: alone.Runner{Processes: procs, Failures: fails}}
}

// Progress returns how many of how many inputs the evaluation in progress has run; zero
// while there is none. It may be called at any time.
func (e *Evaluator) Progress() (done, of int) {
	n := e.workers.Load()
	if n == 0 {
		return 0, 0
	}
	return int(e.done.Load() / n), int(e.inputs.Load())
}

// Evaluate runs a Query on fresh workers. The mutants are dealt out to the
// workers. Each worker sees all inputs in order: so the answer does not depend
// on how many there are. Nor do the counts: a mutant counts in its own share, and
// until it is killed, since then its function may be traced no more. When ctx is
// cancelled it returns what it has and ctx's error.
func (e *Evaluator) Evaluate(ctx context.Context, q Query) (*Evaluation, error) {
	n := e.procs.Parallel()
	if q.Select == wire.SelectNone {
		n = 1
	}
	shares := make([]*share, n)
	e.done.Store(0)
	e.inputs.Store(int64(len(q.Inputs)))
	e.workers.Store(int64(n))
	defer e.workers.Store(0)
	g, ctx := panics.NewGroup(ctx)
	for i := range shares {
		shares[i] = newShare(e, &q, i, n)
		g.Go(func() error { return shares[i].run(ctx) })
	}
	err := g.Wait()
	if panics.Is(err) {
		return nil, err // the shares may still be at work
	}
	return e.collect(shares), err
}

// collect puts the shares together.
func (e *Evaluator) collect(shares []*share) *Evaluation {
	ev := &Evaluation{Inputs: shares[0].q.Inputs, Results: shares[0].results, Counts: kills.NewCounts(e.mutants()), NotRun: make(map[uint32]bool)}
	for _, s := range shares {
		ev.Kills = append(ev.Kills, s.kills...)
		ev.Counts.Add(&s.counts)
		ev.done = append(ev.done, s.done)
		for _, d := range s.damaging {
			ev.damaging = append(ev.damaging, d.mutant)
			s.q.Ledger.damage(d.mutant)
		}
		s.notRun(ev.NotRun)
		if s == shares[0] {
			continue
		}
		for i, r := range s.results {
			have := &ev.Results[i]
			if r.Select == wire.SelectNone {
				have.Select = wire.SelectNone // the fuel was out
			}
			have.Infected = append(have.Infected, r.Infected...)
			have.Reached = append(have.Reached, r.Reached...)
			if r.Outcome.Kind.Failed() && !have.Outcome.Kind.Failed() {
				have.Outcome = r.Outcome
			}
		}
	}
	slices.SortFunc(ev.Kills, func(a, b Kill) int {
		return cmp.Or(cmp.Compare(a.Input, b.Input), cmp.Compare(a.Mutant, b.Mutant))
	})
	return ev
}

// mutants returns the number of mutants, which go from 1 on.
func (e *Evaluator) mutants() int { return len(e.procs.Program().Mutants) }
