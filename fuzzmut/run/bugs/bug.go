// Package bugs takes failing inputs from the engine to the bugs that they show.
//
// There is one way. The intake assigns inputs to buckets while the search goes on, with
// the mutants of a second binary. At the end the collector sorts the inputs whose
// evidence is complete by what mutants repair them, and makes bugs of the buckets.
// Without a second binary, each stack is a bucket, and the run's own mutants repair.
package bugs

import (
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bug is what the failing inputs of a run are reported by: inputs that are taken to
// show the same one, however they fail.
type Bug struct {
	Outcome wire.Outcome    // of the representative
	Inputs  []*corpus.Input // the representative first
	Count   int64           // failing executions
	Stacks  int             // buckets of the engine
	Ways    []wire.Outcome  // how it fails, one for each of them
	Repairs []report.Repair
	first   int // the first of these buckets
}

// Unsorted takes the engine's stacks for one bug that have the same identity: that of the
// failure and its place, whatever has called it.
func Unsorted(stacks []*failures.Stack) []Bug {
	var list []Bug
	for i := range stacks {
		list = append(list, ofStack(stacks, i))
	}
	return joinAlike(list)
}

// ofStack takes one of the engine's stacks for a bug.
func ofStack(stacks []*failures.Stack, i int) Bug {
	s := stacks[i]
	return Bug{Outcome: s.Outcome, Inputs: s.Inputs, Count: s.Count, Stacks: 1, Ways: []wire.Outcome{s.Outcome}, first: i}
}

// joinAlike makes one bug of those that fail alike, with the smallest of their inputs first.
func joinAlike(list []Bug) (joined []Bug) {
	at := make(map[string]int)
	for i := range list {
		b := &list[i]
		n, ok := at[failure.Identity(b.Outcome)]
		if !ok {
			at[failure.Identity(b.Outcome)] = len(joined)
			joined = append(joined, *b)
			continue
		}
		if have := joined[n].Inputs; len(b.Inputs) > 0 && (len(have) == 0 || b.Inputs[0].Compare(have[0]) < 0) {
			joined[n].Outcome = b.Outcome
		}
		joined[n].join(b)
		joined[n].smallestFirst()
	}
	return joined
}

// smallestFirst makes the smallest input the representative.
func (b *Bug) smallestFirst() {
	if len(b.Inputs) == 0 {
		return
	}
	b.Inputs = slices.Clone(b.Inputs) // it may be the engine's
	at := slices.Index(b.Inputs, slices.MinFunc(b.Inputs, (*corpus.Input).Compare))
	b.Inputs[0], b.Inputs[at] = b.Inputs[at], b.Inputs[0]
}

// Bounds on the triage at the end of a run: the inputs of each bucket that take
// part, and the time where the run is bounded by time: a part of that.
const (
	joinInputs = 4
	// joinAsserted is joinInputs where an assertion fails, while the search goes on.
	joinAsserted = 16
	joinHangs    = 2 // of a bucket of hangs, where mutants take long
	joinShare    = 4
	joinAtLeast  = 2 * time.Second
	joinAtMost   = 20 * time.Second
	joinRepairs  = 2 // that are reported of each bug
	// joinCost is what a failing input is taken to burn: how much it is was not kept.
	joinCost = 200_000
)

// joinTime bounds the triage at the end of a run of so long.
func joinTime(d time.Duration) time.Duration { return min(max(joinAtLeast, d/joinShare), joinAtMost) }

// timeFor bounds the triage at the end of the run of a fuzz test: where executions
// bound the run, no clock is to decide.
func timeFor(t *trial.Trial) time.Duration {
	if d := t.Project.Options.FuzzTime.Duration; d > 0 {
		return joinTime(d)
	}
	return time.Hour
}

// timeLeft is timeFor once the run has waited for failing inputs to be assigned, half of it at least.
func timeLeft(t *trial.Trial, waited time.Duration) time.Duration {
	all := timeFor(t)
	if t.Project.Options.FuzzTime.Duration <= 0 {
		return all
	}
	return max(all/2, all-waited)
}

// Operators are the operators whose mutants are tried as repairs: those that
// the paper advises (§8.2.2), and guards.
const Operators = "statement-deletion,condition-negation,guards"

// noRepair returns a function that holds for the mutants that triage would not try.
func noRepair(p *instrument.Program) func(m uint32) bool {
	tried := make(map[string]bool)
	ops, _ := operator.ByNames(Operators) // which are known
	for _, op := range ops {
		tried[op.Name] = true
	}
	return func(m uint32) bool { return !tried[p.Mutants[m-1].Operator] }
}

// best returns the repairs of a bug that are worth reporting.
func (l *Localiser) best(items []int) (list []report.Repair) {
	ranked := l.onePerLine(l.Repairs(items))
	for _, r := range ranked[:min(joinRepairs, len(ranked))] {
		l.ShowDiff(r.Repair)
		list = append(list, l.Listed[r.Repair])
	}
	return list
}
