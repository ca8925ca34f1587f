package campaign

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// bug is what the failing inputs of a run are reported by: inputs that are taken to
// show the same one, however they fail.
type bug struct {
	outcome wire.Outcome // of the first input
	inputs  [][]byte     // the representative first
	count   int64        // failing executions
	stacks  int          // buckets of the engine
	repairs []report.Repair
	first   int // the first of these buckets
}

// bugsOf takes each of the engine's buckets for a bug.
func bugsOf(buckets []*failures.Bucket) []bug {
	var list []bug
	for i, b := range buckets {
		list = append(list, bug{outcome: b.Outcome, inputs: b.Inputs, count: b.Count, stacks: 1, first: i})
	}
	return list
}

// Bounds on the triage at the end of a run: the inputs of each bucket that take
// part, and the time where the run is bounded by time: a part of that.
const (
	joinInputs  = 4
	joinHangs   = 2 // of a bucket of hangs, where mutants take long
	joinShare   = 4
	joinAtLeast = 2 * time.Second
	joinAtMost  = 20 * time.Second
	joinRepairs = 2 // that are reported of each bug
	// joinCost is what a failing input is taken to burn: how much it is was not kept.
	joinCost = 200_000
)

// joinTime bounds the triage at the end of a run of so long.
func joinTime(d time.Duration) time.Duration { return min(max(joinAtLeast, d/joinShare), joinAtMost) }

// bugs sorts the failing inputs of the run by the bugs they show. If they were placed
// while it went on, their buckets are compared; else they are sorted with the mutants
// that are there: some of those that triage would try.
func (s *session) bugs(ctx context.Context, final []corpus.Entry, placed bool) ([]bug, error) {
	buckets := s.eng.Failures.Buckets()
	switch {
	case placed:
		return s.intake.bugs(ctx, final)
	case len(buckets) == 0 || s.unmutated || ctx.Err() != nil:
		return bugsOf(buckets), nil
	}
	s.phase(s.b.program.Test.ImportPath, "%s: sorting failing inputs of %s", s.test.Name, report.Plural(len(buckets), "bucket"))
	t := &triager{session: s, opts: &TriageOptions{Time: s.sortTime(), NoTests: true}, exclude: s.noRepair}
	owner := t.takeBuckets(final, buckets)
	if err := t.analyse(ctx); err != nil {
		return bugsOf(buckets), err
	}
	return t.bugs(buckets, owner), nil
}

// sortTime bounds the triage at the end of the run: where executions bound the run, no
// clock is to decide.
func (s *session) sortTime() time.Duration {
	if d := s.opts.FuzzTime.Duration; d > 0 {
		return joinTime(d)
	}
	return time.Hour
}

// noRepair holds for the mutants that triage would not try.
func (s *session) noRepair(m uint32) bool {
	return !slices.Contains(strings.Split(TriageOperators, ","), s.b.program.Mutants[m-1].Operator)
}

// joinable is how many inputs of a bucket take part. What ends or blocks the process
// takes one for each mutant: that is left to the user's own triage.
func joinable(o wire.Outcome) int {
	switch {
	case o.Kind == wire.Death, repair.Blocks(o):
		return 0
	case o.Kind == wire.Fuel:
		return joinHangs
	}
	return joinInputs
}

// takeBuckets makes inputs of the corpus and of the buckets. It returns the buckets
// of the latter, by their places among the inputs.
func (t *triager) takeBuckets(final []corpus.Entry, buckets []*failures.Bucket) map[int]int {
	for _, e := range final {
		t.add(e, false)
	}
	owner := make(map[int]int)
	for i, b := range buckets {
		for _, input := range b.Inputs[:min(joinable(b.Outcome), len(b.Inputs))] {
			vals, err := wire.Decode(input)
			if err != nil {
				continue // never: a worker encoded it
			}
			owner[len(t.inputs)] = i
			t.add(corpus.NewFound(vals), true)
			t.inputs[len(t.inputs)-1].result = wire.Result{Outcome: b.Outcome, Cost: joinCost}
		}
	}
	return owner
}

// bugs lists the bugs in the order in which the run met them.
func (t *triager) bugs(buckets []*failures.Bucket, owner map[int]int) []bug {
	l := t.newLocaliser()
	placed := make(map[int]bool) // buckets whose count and further inputs have found their bug
	var list []bug
	for _, items := range t.sorted.Buckets {
		list = append(list, t.bug(l, items, buckets, owner, placed))
	}
	for _, b := range bugsOf(buckets) {
		if !placed[b.first] {
			list = append(list, b) // what does not fail in the same way each time
		}
	}
	slices.SortStableFunc(list, func(a, b bug) int { return a.first - b.first })
	return list
}

func (t *triager) bug(l *localiser, items []int, buckets []*failures.Bucket, owner map[int]int, placed map[int]bool) bug {
	best := &t.inputs[t.cases[slices.Min(items)]] // cases are sorted by size
	b := bug{outcome: best.result.Outcome, inputs: [][]byte{best.input}, first: len(buckets)}
	have := map[string]bool{string(best.input): true}
	stacks := make(map[int]bool)
	for _, item := range items {
		at := t.cases[item]
		i := owner[at]
		stacks[i] = true
		b.first = min(b.first, i)
		inputs := [][]byte{t.inputs[at].input}
		if !placed[i] {
			placed[i] = true
			b.count += buckets[i].Count
			inputs = buckets[i].Inputs
		}
		for _, input := range inputs {
			if !have[string(input)] {
				have[string(input)] = true
				b.inputs = append(b.inputs, input)
			}
		}
	}
	b.count, b.stacks = max(b.count, int64(len(items))), len(stacks)
	b.repairs = l.best(items)
	return b
}

// best returns the repairs of a bug that are worth reporting.
func (l *localiser) best(items []int) (list []report.Repair) {
	ranked := l.repairs(items)
	for _, r := range ranked[:min(joinRepairs, len(ranked))] {
		l.showDiff(r.Repair)
		list = append(list, l.listed[r.Repair])
	}
	return list
}
