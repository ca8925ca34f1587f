package triage

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

// shown is how many repairs and places of a bucket are worth reading (§6).
const shown = 5

// shown is how many of them are reported.
func (t *triager) shown() int { return cmp.Or(t.opts.Shown, shown) }

// describe makes the result.
func (t *triager) describe(ctx context.Context) error {
	p := t.trial.Package.Program
	r := &report.Triage{
		Package: p.Test.ImportPath, Name: t.trial.Test.Name, Operators: t.trial.Project.Options.Operators,
		Mutants: t.trial.Package.Live, Passing: len(t.sort.Passing), PackageTests: t.sort.Tests,
		Raced: t.sort.Raced, RaceRuns: t.sort.RaceRuns,
	}
	r.File, r.Line = t.trial.Place()
	t.result = r
	l := bugs.NewLocaliser(t.sort)
	r.Repairs = l.Listed
	smaller, err := t.joinSame(ctx)
	if err != nil {
		return err
	}
	t.describeInputs(l)
	for i, items := range t.sort.Sorted.Buckets {
		b, err := t.describeBucket(l, items, smaller[i])
		if err != nil {
			return err
		}
		b.Number = i + 1
		r.Buckets = append(r.Buckets, *b)
	}
	for i := range r.Buckets {
		r.Buckets[i].Rings = t.rings(i)
	}
	t.discover()
	st := t.trial.Engine.Status()
	r.MutantExecutions = st.MutantExecs
	r.WallSeconds, r.CPUSeconds, r.MatrixCPUSeconds = time.Since(t.trial.Start).Seconds(), t.trial.CPU().Seconds(), t.sort.Matrix.Seconds()
	r.Warnings = t.trial.Warnings()
	return nil
}

// joinSame makes one bucket of those whose smallest inputs are the same once they are
// minimized, and returns these: an input fails in one way.
func (t *triager) joinSame(ctx context.Context) (smaller []*corpus.Input, err error) {
	first := make(map[string]int)
	var buckets [][]int
	for _, items := range t.sort.Sorted.Buckets {
		input, err := t.sort.Smaller(ctx, t.smallest(items))
		if err != nil {
			return nil, err
		}
		if at, ok := first[input.Key()]; ok && t.smallest(items).Cost == nil && t.smallest(buckets[at]).Cost == nil {
			buckets[at] = t.byRank(append(buckets[at], items...))
			continue
		}
		first[input.Key()] = len(buckets)
		buckets, smaller = append(buckets, items), append(smaller, input)
	}
	t.sort.Sorted.Buckets = buckets
	return smaller, nil
}

// smallest is the smallest of some inputs that were sorted.
func (t *triager) smallest(items []int) *bugs.Input {
	return &t.sort.Inputs[t.sort.Cases[slices.Min(items)]] // cases are sorted by size
}

// byRank puts items in the order in which to look at them.
func (t *triager) byRank(items []int) (list []int) {
	for _, o := range t.sort.Sorted.Order {
		if slices.Contains(items, o.Item) {
			list = append(list, o.Item)
		}
	}
	return list
}

// describeInputs lists the inputs that were given as failing, and those that fail.
func (t *triager) describeInputs(l *bugs.Localiser) {
	rank, bucket, distance := make(map[int]int), make(map[int]int), make(map[int]float64)
	for i, o := range t.sort.Sorted.Order {
		rank[t.sort.Cases[o.Item]], distance[t.sort.Cases[o.Item]] = i+1, o.Distance
	}
	for i, items := range t.sort.Sorted.Buckets {
		for _, item := range items {
			bucket[t.sort.Cases[item]] = i + 1
		}
	}
	for i := range t.sort.Inputs {
		f := &t.sort.Inputs[i]
		if f.Status == report.NotRun {
			t.result.NotRun++
		}
		if !f.Asked && (f.Status == report.Passes || f.Status == report.Duplicate || f.Status == report.NotRun) {
			continue
		}
		in := report.FailingInput{
			Name: f.Entry.Name, Path: f.Entry.Path, Status: f.Status, Reason: f.Reason,
			Rank: rank[i], Bucket: bucket[i], Distance: distance[i], Label: t.opts.Labels[f.Entry.Name],
		}
		if f.Entry.Input != nil { // else it can't be decoded
			in.Size = f.Entry.Input.Size()
		}
		if o := f.Result.Outcome; o.Kind.Failed() {
			in.Kind, in.Message, in.Frames = trial.FailureKind(o), trial.FirstLine(o.Message), trial.Frames(t.trial.Package.Program.Test.ModuleDir, o.Frames)
			c := t.sort.CaseOf(f)
			in.Token, in.Stack, in.Covered = c.Token, c.Stack.Frames, c.Covered.Members()
		}
		if f.Cost != nil {
			in.Kind, in.Message, in.Frames = report.CostKind, t.costOf(f).Growth(), t.costOf(f).Frames
			c := t.sort.CaseOf(f)
			in.Token, in.Stack = c.Token, c.Stack.Frames
		}
		if in.Sorted() {
			in.Repairs, in.Changes = l.Indices(f.Repairs.Repaired), l.Indices(f.Repairs.Changed)
			in.Status, in.Reason = t.sortedStatus(f)
			in.Runs = f.Repairs.Runs
		}
		t.result.Inputs = append(t.result.Inputs, in)
	}
	slices.SortStableFunc(t.result.Inputs, func(a, b report.FailingInput) int {
		switch {
		case a.Sorted() && b.Sorted():
			return cmp.Compare(a.Rank, b.Rank)
		case a.Sorted():
			return -1
		case b.Sorted():
			return 1
		}
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path))
	})
}

func (t *triager) sortedStatus(f *bugs.Input) (status, reason string) {
	c := t.sort.CaseOf(f)
	switch {
	case c.Repairable():
		return report.Repaired, f.Repairs.Reason
	case !f.Repairs.Done && f.Repairs.Runs == 0:
		return report.Unfinished, cmp.Or(f.Repairs.Reason, "not tried: out of time; raise -triagetime")
	case !f.Repairs.Done:
		return report.Unfinished, cmp.Or(f.Repairs.Reason, "out of time to try all mutants")
	}
	return report.Unrepaired, ""
}

// describeBucket describes the failing inputs of one bucket.
func (t *triager) describeBucket(l *bugs.Localiser, items []int, small *corpus.Input) (*report.Bucket, error) {
	first := &t.sort.Inputs[t.sort.Cases[items[0]]]
	c := t.sort.CaseOf(first)
	b := &report.Bucket{ByStack: !c.Repairable()}
	for _, item := range items {
		b.Inputs = append(b.Inputs, t.sort.Inputs[t.sort.Cases[item]].Entry.Name)
	}
	ranked, changes := l.Repairs(items), l.Changes
	if first.Cost != nil {
		ranked, changes = l.Bounds(ranked), l.CostlyChanges
	}
	for _, r := range ranked {
		if len(b.Guards) == 0 && l.Guards[r.Repair] {
			b.Guards = append(b.Guards, r)
			l.ShowDiff(r.Repair)
		}
	}
	b.Repairs, b.Noisy = changes(items, ranked, t.shown())
	for _, r := range b.Reading()[:min(shown, len(b.Repairs)+len(b.Noisy))] {
		l.ShowDiff(r.Repair)
	}
	b.Places = l.Suspects(items, t.shown())
	return b, t.represent(b, items, small)
}

// represent has the smallest input of a bucket, minimized, stand for it, and says how it
// fails. What is smaller has to be repaired by the same mutants as before: else it may show
// another bug.
func (t *triager) represent(b *report.Bucket, items []int, input *corpus.Input) error {
	best := t.smallest(items)
	if best.Cost != nil {
		b.Cost = t.costOf(best)
		b.Cost.Count = int64(len(b.Inputs))
		b.Kind, b.Message, b.Frames = report.CostKind, b.Cost.Growth(), b.Cost.Frames
	} else {
		o := best.Result.Outcome
		b.Ends = trial.Ends(t.trial.Package.Program.Test.ModuleDir, o.Ends)
		b.Kind, b.Message, b.Frames = trial.FailureKind(o), trial.FirstLine(o.Message), trial.Frames(t.trial.Package.Program.Test.ModuleDir, o.Frames)
	}
	b.Representative = input.String()
	return t.keepRepresentative(b, best, input)
}

// costOf describes what an input costs.
func (t *triager) costOf(f *bugs.Input) *report.Cost {
	c := f.Cost.Report(t.trial)
	c.Count = 1
	return &c
}

// keepRepresentative writes the representative if that is wanted, and says where it
// is and how to reproduce it if go test finds it.
func (t *triager) keepRepresentative(b *report.Bucket, best *bugs.Input, input *corpus.Input) error {
	dir := t.trial.Testdata()
	name, there := input.Hash(), t.among(dir, best)
	switch {
	case t.opts.Write:
		if _, err := corpus.WriteFile(dir, name, input.Encode()); err != nil {
			return exit.Errorf(exit.Usage, "a failing input could not be written: %w", err)
		}
		b.Path = dir + "/" + name
	case there != nil:
		b.Path, name = there.Path, there.Name
	case best.Entry.Source == corpus.Seed:
		name = best.Entry.Name
	default:
		b.Path = best.Entry.Path
		return nil
	}
	b.Repro = trial.ReproOf(t.trial, best.Result.Outcome, name)
	return nil
}

// among returns the entry in a directory that is the same as an input; nil if there is none. What
// fuzzing has left beside Go's fuzz cache is often in testdata as well.
func (t *triager) among(dir string, of *bugs.Input) *corpus.Entry {
	for i := range t.sort.Inputs {
		e := &t.sort.Inputs[i].Entry
		if e.Path != "" && filepath.Dir(e.Path) == dir && e.Input != nil && e.Input.Hash() == of.Entry.Input.Hash() {
			return e
		}
	}
	return nil
}

// rings lists the other buckets that share repairs with one, by the distance of
// their first inputs.
func (t *triager) rings(bucket int) []report.Ring {
	firsts := make([]int, len(t.sort.Sorted.Buckets))
	for i, items := range t.sort.Sorted.Buckets {
		firsts[i] = items[0]
	}
	var list []report.Ring
	m := func(i, j int) float64 {
		if t.result.Buckets[i].ByStack || t.result.Buckets[j].ByStack {
			return 1
		}
		return t.sort.Sorted.Causal(firsts[i], firsts[j])
	}
	for _, r := range triage.Rings(len(firsts), bucket, m) {
		ring := report.Ring{Distance: r.Distance}
		for _, i := range r.Items {
			ring.Buckets = append(ring.Buckets, i+1)
		}
		list = append(list, ring)
	}
	return list
}

// discover says how soon each label appears.
func (t *triager) discover() {
	if t.opts.Labels == nil {
		return
	}
	var order []int
	var labels [][]string
	seen := make(map[string]bool)
	for _, in := range t.result.Inputs {
		if in.Sorted() && in.Label != "" {
			order, labels = append(order, len(order)), append(labels, []string{in.Label})
			seen[in.Label] = true
		}
	}
	curve := triage.Discovery(order, labels)
	t.result.Labels, t.result.Discovery, t.result.APFD = len(seen), curve, triage.APFD(curve, len(seen))
}
